import Dispatch
import Glibc
public import HTTPCore
import Locking

/// Accepts connections from a socket and answers their requests through a responder.
///
/// There is one event loop per core, each a daemon of libmicrohttpd on a serial queue; all of them target one
/// concurrent queue of high quality of service. A responder must not block: it answers at once or defers the work.
public final class Listener: Sendable {
    /// The port listened on.
    public let port: Int
    private let eventLoops: [EventLoop]
    private let stopSeconds: Double
    private let stopping = Locked(false)

    /// Starts listening on `socket`. `log` is called on the listening queue for each finished request and must return
    /// quickly. `eventLoops` is the number of event loops, by default one per core. Bodies that routes take on disk are
    /// written to `bodyFolder`, or to the system's folder for temporary files.
    public init(
        socket: ListeningSocket, limits: Limits = Limits(), eventLoops count: Int? = nil, bodyFolder: String? = nil,
        responder: any Responder, log: (@Sendable (AccessRecord) -> Void)? = nil
    ) throws(ListenError) {
        let count = max(1, count ?? Self.cores)
        var limits = limits
        limits.connections = Descriptors.connections(limits.connections)
        let shared = EventLoop.Shared(
            // No other queue may use this class, nor `.userInitiated`, with which libdispatch shares its threads on
            // Linux: 16 drawings of 50 ms on them would delay events by 0.4 s (median) to 1.8 s (99th percentile).
            listening: DispatchQueue(label: "tileserve.listening", qos: .userInteractive, attributes: .concurrent),
            eventLoops: count, limits: limits, addresses: ConnectionCounts(limits: limits),
            bodyMemory: BodyMemoryBudget(limit: limits.bodyMemoryBytes), bodySpooler: BodySpooler(folder: bodyFolder))
        var eventLoops: [EventLoop] = []
        for number in 0..<count {
            do {
                let eventLoop = EventLoop(number: number, shared: shared, responder: responder, log: log)
                try Callbacks.start(eventLoop, on: socket)
                eventLoops.append(eventLoop)
            } catch {
                for eventLoop in eventLoops { eventLoop.stop(within: 0) {} }
                throw error
            }
        }
        self.eventLoops = eventLoops
        port = socket.port
        stopSeconds = limits.stopSeconds
    }

    /// Stops without waiting if it was not stopped before.
    deinit {
        guard !stopping.withLock({ $0 }) else { return }
        for eventLoop in eventLoops { eventLoop.stop(within: 0) {} }
    }

    /// Stops accepting connections and requests, finishes the responses in progress, and calls `done` when everything
    /// is closed. After the limits' `stopSeconds`, requests that still wait are answered `503`. A second call calls its
    /// `done` at once.
    public func stop(then done: @escaping @Sendable () -> Void) {
        let isFirst = stopping.withLock { stopping in
            defer { stopping = true }
            return !stopping
        }
        guard isFirst else { return done() }
        let group = DispatchGroup()
        for eventLoop in eventLoops {
            group.enter()
            eventLoop.stop(within: stopSeconds) { group.leave() }
        }
        group.notify(queue: .global()) { done() }
    }

    /// Same as `stop(then:)`, and waits for the end.
    public func stop() async {
        await withCheckedContinuation { continuation in
            stop { continuation.resume() }
        }
    }

    private static var cores: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}

enum Descriptors {
    /// Descriptors kept for other uses than connections: databases, event sources, files being read.
    private static let others = 256

    /// The number of connections, at most `wanted`, that fit into the process's limit of open files, which it raises as
    /// far as permitted. With more connections, neither a connection nor any other file could be opened.
    static func connections(_ wanted: Int) -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
        let count = min(rlim_t(wanted + others), limit.rlim_max)
        if limit.rlim_cur < count {
            let before = limit.rlim_cur
            limit.rlim_cur = count
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        }
        let allowed = Int(clamping: limit.rlim_cur)
        return min(wanted, max(allowed - others, allowed / 4, 1))
    }
}
