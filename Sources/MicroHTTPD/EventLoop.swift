import CMicroHTTPD
import Dispatch
import Glibc
import HTTPCore
import Locking

/// One event loop: a libmicrohttpd daemon without threads, run on a serial queue whenever its epoll descriptor is
/// ready.
///
/// `@unchecked Sendable`: after `init`, all state is used on `queue` only. The library calls back only from within
/// `run()` and `end()`, which also run there.
@safe
final class EventLoop: @unchecked Sendable {
    let queue: DispatchQueue
    let limits: Limits
    let addresses: ConnectionCounts
    /// The library's own limit of connections.
    let connectionLimit: Int
    /// Above this many connections, an eighth fewer, idle ones are closed for new ones.
    let connectionSoftLimit: Int
    let bodyMemory: BodyMemoryBudget
    let bodySpooler: BodySpooler
    let responder: any Responder
    private let log: (@Sendable (AccessRecord) -> Void)?
    var daemon: OpaquePointer?
    var events: (any DispatchSourceRead)?
    var timer: (any DispatchSourceTimer)?
    private var isTimerSet = false
    var disconnectWatch: DisconnectWatch?
    /// Connections that this side has shut down and the library has not noticed yet.
    var shutDownCount = 0
    /// By socket descriptor.
    var connections: [Int32: OpenConnection] = [:]
    /// Incremented by each callback of the library, so that `run()` knows whether a round did anything.
    var callbacks = 0
    private var isRunAgainQueued = false
    /// Whether a `run()` for resumed connections is already queued: one serves all of them.
    private let isRunScheduled = Locked(false)
    /// Connections that wait for their reply or for the disk.
    var waitingCount = 0
    var stopped: (@Sendable () -> Void)?
    var isEnding = false

    var isStopping: Bool { stopped != nil }

    /// Rounds of the library before other blocks of the queue (ready replies) can run.
    private static let roundsPerTurn = 64
    /// How long a loop that has just worked waits for more events.
    private static let pollMilliseconds: Int32 = 1
    /// The interval at which timeouts are checked.
    private static let tickSeconds = 1.0
    /// Rounds in which the final `503` responses can still be sent when stopping.
    static let finalRounds = 16

    /// What the event loops of a listener share.
    struct Shared {
        /// The queue on which they all run.
        var listening: DispatchQueue
        /// The number of event loops.
        var eventLoops: Int
        var limits: Limits
        var addresses: ConnectionCounts
        var bodyMemory: BodyMemoryBudget
        var bodySpooler: BodySpooler
    }

    /// An event loop that has no daemon yet.
    init(number: Int, shared: Shared, responder: any Responder, log: (@Sendable (AccessRecord) -> Void)?) {
        queue = DispatchQueue(label: "tileserve.listening.\(number)", target: shared.listening)
        limits = shared.limits
        addresses = shared.addresses
        bodyMemory = shared.bodyMemory
        bodySpooler = shared.bodySpooler
        self.responder = responder
        self.log = log
        // The event loops share the total; a full one leaves new connections to the others.
        connectionLimit = max(1, (limits.connections + shared.eventLoops - 1) / shared.eventLoops)
        connectionSoftLimit = connectionLimit - max(1, connectionLimit / 8)
    }

    /// Runs a daemon, whose callbacks call this loop. The loop stops it, also if this fails.
    func start(_ daemon: OpaquePointer) throws(ListenError) {
        unsafe self.daemon = unsafe daemon
        guard let disconnectWatch = DisconnectWatch(queue: queue, gone: { [unowned self] in abandon($0) }) else {
            unsafe MHD_stop_daemon(daemon)
            unsafe self.daemon = nil
            throw .notStarted
        }
        self.disconnectWatch = disconnectWatch
        let epoll = unsafe tileserve_epoll_descriptor(daemon)
        queue.sync { watchEvents(epoll) }
    }

    // MARK: Running

    private func watchEvents(_ descriptor: Int32) {
        let events = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        events.setEventHandler { [unowned self] in run() }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [unowned self] in tick() }
        timer.activate()
        events.activate()
        self.events = events
        self.timer = timer
        run()
    }

    /// Runs the library until it has nothing to do, or until other blocks of the queue should run.
    func run() {
        guard let daemon = unsafe daemon else { return }
        var hasWorked = false
        for _ in 0..<Self.roundsPerTurn {
            let before = callbacks
            guard unsafe MHD_run(daemon) == .YES else { return }
            // A round that did something is followed by another at once: under load more events have arrived by then,
            // and a round costs less than a dispatch.
            if callbacks != before {
                hasWorked = true
            } else if unsafe !hasPending(daemon), unsafe !hasWorked || waitingCount > 0 || !waitForEvents(daemon) {
                return setTimer()
            }
        }
        setTimer()
        guard !isRunAgainQueued else { return }
        isRunAgainQueued = true
        queue.async { [self] in
            isRunAgainQueued = false
            run()
        }
    }

    /// Schedules a run after a connection was resumed; may be called on any thread. The library wakes its own loop, but
    /// that wake-up is lost if it comes between two steps of a running round; a further round is sure to see the
    /// connection.
    func scheduleRun() {
        let isFirst = isRunScheduled.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        guard isFirst else { return }
        queue.async { [weak self] in
            guard let self else { return }
            isRunScheduled.withLock { $0 = false }
            run()
        }
    }

    /// Waits a moment for the next request of clients that were just served: cheaper than returning and being woken
    /// through two other threads, which every fourth request paid for (14 % more requests a second than nginx with the
    /// wait, 6 % fewer without). Not used while a reply is pending, so only the timer can be delayed by it.
    private func waitForEvents(_ daemon: OpaquePointer) -> Bool {
        var event = pollfd(fd: unsafe tileserve_epoll_descriptor(daemon), events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, Self.pollMilliseconds) == 1
    }

    /// Whether the library has data for which no event will come: pipelined requests, sockets not fully read.
    private func hasPending(_ daemon: OpaquePointer) -> Bool {
        var milliseconds: UInt64 = 0
        return unsafe MHD_get_timeout(daemon, &milliseconds) == .YES && milliseconds == 0
    }

    /// The timer only runs while there are connections, so an idle server sleeps.
    private func setTimer() {
        guard isTimerSet == connections.isEmpty, let timer else { return }
        isTimerSet.toggle()
        timer.schedule(
            deadline: isTimerSet ? .now() + Self.tickSeconds : .distantFuture, repeating: Self.tickSeconds,
            leeway: .milliseconds(200))
    }

    /// Checks timeouts. The library's idle timeout needs a run; a client that sends headers slowly is never idle, so
    /// there is a deadline for headers.
    private func tick() {
        let now = Clock.milliseconds()
        for connection in connections.values {
            switch connection.phase {
            case .waiting, .lineRead: if now >= connection.headerDeadline { shutDown(connection) }
            // The library misses an end of input that arrives together with data: its event is over by then.
            case .reading: if hasLeft(connection) { shutDown(connection) }
            default: break
            }
        }
        run()
    }

    /// Whether the client has closed its sending side, and everything it sent was read.
    private func hasLeft(_ connection: OpenConnection) -> Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(connection.descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    /// Shuts the socket down, so that the library closes the connection in its next round.
    func shutDown(_ connection: OpenConnection) {
        if !connection.isShutDown { shutDownCount += 1 }
        connection.isShutDown = true
        // The socket may be closed already.
        _ = shutdown(connection.descriptor, Int32(SHUT_RDWR))
    }

    // MARK: Called by the library

    func lineRead(_ connection: OpenConnection, target text: UnsafePointer<CChar>) {
        callbacks += 1
        let now = Clock.microseconds()
        connection.phase = .lineRead
        connection.headerDeadline = min(connection.headerDeadline, now / 1000 + Int64(limits.headerSeconds) * 1000)
        let (target, range) = unsafe RequestReading.target(text)
        connection.targetRange = range
        connection.record.target = target
        connection.record.startMilliseconds = Clock.wallMilliseconds()
        connection.startMicroseconds = now
    }

    /// Called when the headers are complete, when the body is (at once if there is none), and after a resumption.
    /// Returning false closes the connection.
    func proceed(
        _ connection: OpenConnection, _ native: OpaquePointer, method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> Bool {
        callbacks += 1
        switch connection.phase {
        case .lineRead:
            let request = unsafe RequestReading.request(
                native, method: method, version: version, target: connection.record.target, peer: connection.peer)
            connection.record.method = request.method
            connection.record.version = request.version
            connection.headerDeadline = .max
            do throws(Problem) {
                let targetRange = connection.targetRange
                guard
                    unsafe RequestReading.isHeadWellFormed(
                        native, method: method, version: version, target: targetRange)
                else { throw Problem.badRequest("the request line or a header is malformed (RFC 9112)") }
                try request.checkFraming()
            } catch {
                return unsafe send(.response(error.response), connection, native, closing: true)
            }
            // Others may split a chunked body differently, so nothing after it is read from this connection.
            connection.endsWithAnswer = request.body == .unknownLength
            // Without a body the response waits for the next call, which follows at once; this keeps the connection
            // open.
            connection.phase = .headersRead(request)
            return request.body == .none ? true : unsafe beginBody(request, connection, native)
        case .headersRead(let request):
            return unsafe answer(request, connection, native)
        case .reading(let body):
            return unsafe finish(body, connection, native)
        case .storing(let body, let suspension):
            // The library may call before the wait has ended; it will call again.
            guard let end = suspension.end else { return true }
            return stored(end, body, connection) ? unsafe finish(body, connection, native) : false
        case .suspended(let suspension, _):
            waitingCount -= 1
            connection.phase = .replying
            disconnectWatch?.unwatch(connection.descriptor)
            guard case .replied(let reply) = suspension.end else { return false }
            return unsafe send(reply, connection, native)
        case .waiting, .replying, .streaming:
            return false
        }
    }

    func completed(_ connection: OpenConnection, isComplete: Bool) {
        callbacks += 1
        switch connection.phase {
        case .storing: waitingCount -= 1
        case .suspended:
            // Resumed, but closed because of a socket error before the library asked for the reply.
            waitingCount -= 1
            disconnectWatch?.unwatch(connection.descriptor)
        case .streaming(let body):
            disconnectWatch?.unwatch(connection.descriptor)
            connection.record.bodyBytes = body.channel.bytesTaken
            body.channel.close()
        default: break
        }
        let now = Clock.microseconds()
        connection.record.microseconds = now - connection.startMicroseconds
        connection.record.isComplete = isComplete
        log?(connection.record)
        connection.record = AccessRecord(peer: connection.peer)
        connection.body = nil
        connection.phase = .waiting
        connection.headerDeadline = now / 1000 + Int64(limits.idleSeconds + limits.headerSeconds) * 1000
        if isStopping || openCount > connectionSoftLimit { shutDown(connection) }
    }

    // MARK: Answering

    func answer(_ request: Request, _ connection: OpenConnection, _ native: OpaquePointer) -> Bool {
        switch responder.answer(request) {
        case .ready(let reply):
            return unsafe send(reply, connection, native)
        case .deferred(let deferred):
            return unsafe suspend(connection, native, until: deferred)
        }
    }

    private func suspend(_ connection: OpenConnection, _ native: OpaquePointer, until deferred: Deferred) -> Bool {
        // The library aborts the process if a connection is suspended when the daemon stops.
        guard !isEnding, let disconnectWatch, disconnectWatch.watch(connection.descriptor) else { return false }
        let suspension = unsafe Suspension(native)
        waitingCount += 1
        let completion = Completion { [weak self] reply in
            guard suspension.end(.replied(reply)), let self else { return }
            scheduleRun()
        }
        // The reply may come before `begin` returns. It only queues a run, which comes after this block has set the
        // phase.
        let cancellation = deferred.begin(completion)
        connection.phase = .suspended(suspension, cancellation)
        return true
    }

    private func abandon(_ descriptor: Int32) {
        guard let connection = connections[descriptor] else { return }
        switch connection.phase {
        case .suspended(let suspension, let cancellation):
            if suspension.end(.abandoned) { cancellation() }
            run()
        case .streaming(let body):
            body.channel.close()
            run()
        default: break
        }
    }

    /// Sends a reply; `closing` ends the connection after it.
    func send(
        _ reply: OutgoingResponse, _ connection: OpenConnection, _ native: OpaquePointer, closing: Bool = false
    ) -> Bool {
        connection.phase = .replying
        if case .response(let response) = reply, case .events(let channel) = response.body {
            if !isStopping {
                return connection.record.method == .head
                    ? unsafe sendHead(channel, response, connection, native)
                    : unsafe stream(channel, response, connection, native)
            }
            // A stopping server ends streams.
            channel.close()
        }
        let (status, response) = form(reply, closing: closing || connection.endsWithAnswer || isStopping)
        guard let response else { return false }
        connection.record.status = status.code
        connection.record.cacheResult = reply.cacheResult
        let sendsBody = connection.record.method != .head && status != .notModified
        connection.record.bodyBytes = sendsBody ? response.bodyBytes : 0
        return unsafe MHD_queue_response(native, UInt32(status.code), response.pointer) == .YES
    }

    private func form(_ reply: OutgoingResponse, closing: Bool) -> (Status, NativeResponse?) {
        if closing {
            let response = reply.response
            return (response.status, NativeResponse(response, closing: true))
        }
        switch reply {
        case .response(let response): return (response.status, NativeResponse(response))
        case .prepared(let prepared): return (prepared.response.status, prepared.native { NativeResponse($0) })
        case .notModified(let prepared): return (.notModified, prepared.native { NativeResponse($0) })
        }
    }
}
