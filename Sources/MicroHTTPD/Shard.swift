import CMicroHTTPD
import Dispatch
import Glibc
import HTTPCore
import Locking

/// One event loop: a daemon of libmicrohttpd without threads, run on a serial queue whenever its descriptor has news.
///
/// Sendable by hand: after `init`, everything here is touched on `queue` alone, and the library calls back only from
/// within `run()` and `end()`, which are there, too.
@safe
final class Shard: @unchecked Sendable {
    let queue: DispatchQueue
    let limits: Limits
    let addresses: AddressCounts
    /// Connections beyond which idle ones are closed for others; the library takes no more than an eighth above it.
    let usualConnections: Int
    let bodyMemory: BodyMemory
    let bodyDisk: BodyDisk
    let responder: any Responder
    private let log: (@Sendable (AccessRecord) -> Void)?
    var daemon: OpaquePointer?
    var events: (any DispatchSourceRead)?
    var timer: (any DispatchSourceTimer)?
    private var isTimerSet = false
    var hangUps: DisconnectWatch?
    /// Connections that were closed from here and that the library has yet to see.
    var hungUpCount = 0
    /// By socket.
    var connections: [Int32: OpenConnection] = [:]
    /// Rises with each callback of the library, so that `run()` sees whether a round did anything.
    var callbacks = 0
    private var isRunAgainQueued = false
    /// Whether a round for connections that were resumed is on its way: one does for all of them.
    private let isRunAsked = Locked(false)
    /// Connections that wait for their reply, or for the disk.
    var waitingCount = 0
    var stopped: (@Sendable () -> Void)?
    var isEnding = false

    var isStopping: Bool { stopped != nil }

    /// Room for our longest target and headers, the library's notes on each header, and the answer's headers; beyond it
    /// the library refuses by itself. It clears this much memory after each request, so more costs time.
    private static let connectionBytes = 32 * 1024
    /// Rounds of the library before other blocks of the queue (replies that are ready) get their turn.
    private static let roundsInARow = 64
    /// How long a loop that has just served waits for more.
    private static let lingerMilliseconds: Int32 = 1
    /// How often timeouts are looked at.
    private static let tickSeconds = 1.0
    /// Rounds in which a `503` at the end of stopping may still be sent.
    static let farewellRounds = 16

    init(
        number: Int, of count: Int, socket: ListeningSocket, listening: DispatchQueue, limits: Limits,
        addresses: AddressCounts, bodies: (memory: BodyMemory, disk: BodyDisk), responder: any Responder,
        log: (@Sendable (AccessRecord) -> Void)?
    ) throws(ListenError) {
        queue = DispatchQueue(label: "tileserve.listening.\(number)", target: listening)
        self.limits = limits
        self.addresses = addresses
        bodyMemory = bodies.memory
        bodyDisk = bodies.disk
        self.responder = responder
        self.log = log
        // The shards share the total; one that is full leaves new connections to the others.
        let connections = max(1, (limits.connections + count - 1) / count)
        usualConnections = connections - max(1, connections / 8)
        let descriptor = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .notStarted }
        unsafe daemon = Callbacks.start(
            self, socket: descriptor, connections: UInt32(connections), idleSeconds: UInt32(limits.idleSeconds),
            connectionBytes: Self.connectionBytes)
        guard let daemon = unsafe daemon else {
            close(descriptor)
            throw .notStarted
        }
        guard let hangUps = DisconnectWatch(queue: queue, gone: { [unowned self] in abandon($0) }) else {
            unsafe MHD_stop_daemon(daemon)
            unsafe self.daemon = nil
            throw .notStarted
        }
        self.hangUps = hangUps
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

    /// Lets the library work until it has nothing to do, or others should have a turn.
    func run() {
        guard let daemon = unsafe daemon else { return }
        var hasWorked = false
        for _ in 0..<Self.roundsInARow {
            let before = callbacks
            guard unsafe MHD_run(daemon) == .YES else { return }
            // A round that did something is followed by another at once: under load there is more by then, and a
            // round costs less than a way through Dispatch.
            if callbacks != before {
                hasWorked = true
            } else if unsafe !hasPending(daemon), unsafe !hasWorked || waitingCount > 0 || !moreComes(daemon) {
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

    /// Runs after a resumption; asked on any thread. The library wakes its loop by itself, and loses the waking when it comes
    /// between two steps of a round under way; another round is sure to see it.
    func runSoon() {
        let isFirst = isRunAsked.withLock { isAsked in
            defer { isAsked = true }
            return !isAsked
        }
        guard isFirst else { return }
        queue.async { [weak self] in
            guard let self else { return }
            isRunAsked.withLock { $0 = false }
            run()
        }
    }

    /// Waits a moment for the next request of clients that have just been served: cheaper than leaving, to be woken by
    /// two other threads. Not done while a reply is awaited, so nothing but a tick is late for it.
    private func moreComes(_ daemon: OpaquePointer) -> Bool {
        var event = pollfd(fd: unsafe tileserve_epoll_descriptor(daemon), events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, Self.lingerMilliseconds) == 1
    }

    /// Whether the library holds data that no event will tell of: pipelined requests, sockets not read to their end.
    private func hasPending(_ daemon: OpaquePointer) -> Bool {
        var milliseconds: UInt64 = 0
        return unsafe MHD_get_timeout(daemon, &milliseconds) == .YES && milliseconds == 0
    }

    /// Without connections nothing ticks: an idle server sleeps.
    private func setTimer() {
        guard isTimerSet == connections.isEmpty, let timer else { return }
        isTimerSet.toggle()
        timer.schedule(
            deadline: isTimerSet ? .now() + Self.tickSeconds : .distantFuture, repeating: Self.tickSeconds,
            leeway: .milliseconds(200))
    }

    /// The library's idle timeouts need a run; a client that drips its headers is never idle, so they have a deadline.
    private func tick() {
        let now = Clock.milliseconds()
        for connection in connections.values {
            switch connection.phase {
            case .waiting, .lineRead: if now >= connection.headerDeadline { hangUp(connection) }
            // The library does not see an end that came together with data: its event is over by then.
            case .reading: if hasLeft(connection) { hangUp(connection) }
            default: break
            }
        }
        run()
    }

    /// Whether nothing will come from the client any more, and all that came was read.
    private func hasLeft(_ connection: OpenConnection) -> Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(connection.descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    /// Makes the library see the end of the connection in its next round.
    func hangUp(_ connection: OpenConnection) {
        if !connection.isHungUp { hungUpCount += 1 }
        connection.isHungUp = true
        // It may be gone already.
        _ = shutdown(connection.descriptor, Int32(SHUT_RDWR))
    }

    // MARK: What the library calls

    func lineRead(_ connection: OpenConnection, target text: UnsafePointer<CChar>) {
        callbacks += 1
        let now = Clock.microseconds()
        connection.phase = .lineRead
        connection.headerDeadline = min(connection.headerDeadline, now / 1000 + Int64(limits.headerSeconds) * 1000)
        let (target, place) = unsafe RequestReading.target(text)
        connection.targetPlace = place
        connection.trace.target = target
        connection.trace.startMilliseconds = Clock.wallMilliseconds()
        connection.trace.startMicroseconds = now
    }

    /// Called when the headers are read, when the body is (so at once, without one), and after a resumption; false
    /// closes the connection.
    func proceed(
        _ connection: OpenConnection, _ native: OpaquePointer, method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> Bool {
        callbacks += 1
        switch connection.phase {
        case .lineRead:
            let request = unsafe RequestReading.request(
                native, method: method, version: version, target: connection.trace.target, peer: connection.peer)
            connection.trace.method = request.method
            connection.trace.version = request.version
            connection.headerDeadline = .max
            do throws(Problem) {
                let place = connection.targetPlace
                guard unsafe RequestReading.isHeadWellFormed(native, method: method, version: version, target: place)
                else { throw Problem.badRequest("the request line or a header is malformed (RFC 9112)") }
                try request.checkFraming()
            } catch {
                return unsafe send(.response(error.response), connection, native, closing: true)
            }
            // What is read as chunks might be cut elsewhere by others: nothing behind them is read.
            connection.endsWithAnswer = request.body == .unknownLength
            // Without a body the answer waits for the next call, which follows at once and keeps the connection.
            connection.phase = .headersRead(request)
            return request.body == .none ? true : unsafe admit(request, connection, native)
        case .headersRead(let request):
            return unsafe answer(request, connection, native)
        case .reading(let body):
            return unsafe finish(body, connection, native)
        case .storing(let body, let suspension):
            // Before the end of the wait this is the library's haste; it asks again.
            guard let end = suspension.end else { return true }
            return stored(end, body, connection) ? unsafe finish(body, connection, native) : false
        case .suspended(let suspension, _):
            waitingCount -= 1
            connection.phase = .replying
            hangUps?.forget(connection.descriptor)
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
            // Resumed, and closed for an error of its socket before it was asked for its reply.
            waitingCount -= 1
            hangUps?.forget(connection.descriptor)
        case .streaming(let body):
            hangUps?.forget(connection.descriptor)
            connection.trace.bodyBytes = body.channel.bytesTaken
            body.channel.close()
        default: break
        }
        let now = Clock.microseconds()
        log?(connection.record(now: now, isComplete: isComplete))
        connection.trace = OpenConnection.Trace()
        connection.body = nil
        connection.phase = .waiting
        connection.headerDeadline = now / 1000 + Int64(limits.idleSeconds + limits.headerSeconds) * 1000
        if isStopping || openCount > usualConnections { hangUp(connection) }
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
        // The library would end the process over a connection that is suspended at its end.
        guard !isEnding, let hangUps, hangUps.watch(connection.descriptor) else { return false }
        let suspension = unsafe Suspension(native)
        waitingCount += 1
        let completion = Completion { [weak self] reply in
            guard suspension.end(.replied(reply)), let self else { return }
            runSoon()
        }
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

    /// Sends a reply; `closing` says that the connection ends with it.
    func send(
        _ reply: Reply, _ connection: OpenConnection, _ native: OpaquePointer, closing: Bool = false
    ) -> Bool {
        connection.phase = .replying
        if case .response(let response) = reply, case .events(let channel) = response.body {
            if connection.trace.method != .head, !isStopping {
                return unsafe stream(channel, response, connection, native)
            }
            // Nobody will read: a server that is stopping ends streams, and to HEAD the library sends a body's end.
            channel.close()
        }
        let (status, response) = form(reply, closing: closing || connection.endsWithAnswer || isStopping)
        guard let response else { return false }
        connection.trace.status = status.code
        connection.trace.cacheResult = reply.cacheResult
        let sendsBody = connection.trace.method != .head && status != .notModified
        connection.trace.bodyBytes = sendsBody ? response.bodyBytes : 0
        return unsafe MHD_queue_response(native, UInt32(status.code), response.pointer) == .YES
    }

    /// Sends events as they come; a connection that waits for some is suspended, and its socket watched meanwhile, since
    /// the library looks away.
    private func stream(
        _ channel: EventChannel, _ response: Response, _ connection: OpenConnection, _ native: OpaquePointer
    ) -> Bool {
        let body = unsafe EventBody(channel, on: native)
        guard let form = NativeResponse(response, events: body), let hangUps, hangUps.watch(connection.descriptor)
        else { return false }
        connection.trace.status = response.status.code
        guard unsafe MHD_queue_response(native, UInt32(response.status.code), form.pointer) == .YES else {
            hangUps.forget(connection.descriptor)
            return false
        }
        connection.phase = .streaming(body)
        channel.open { [weak self] in
            body.resume()
            self?.runSoon()
        }
        return true
    }

    private func form(_ reply: Reply, closing: Bool) -> (Status, NativeResponse?) {
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
