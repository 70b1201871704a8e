import Dispatch
import Glibc
public import HTTPCore
import Locking

/// Takes connections from a socket and answers their requests through a responder.
///
/// One shard per core, each an event loop of libmicrohttpd on a serial queue; all of them target one concurrent queue of
/// high quality of service. Whatever is slow belongs elsewhere: a responder answers at once or defers.
public final class Listener: Sendable {
    /// The port it listens on.
    public let port: Int
    private let shards: [Shard]
    private let stopSeconds: Double
    private let stopping = Locked(false)

    /// Listens on `socket` from now on. `log` is called on the listening queue for each request that is over, and
    /// should only put the record aside. `shards` is how many event loops there are, by default one per core. Bodies that
    /// routes take on the disk go to that of `bodyFolder`, or to the system's place for temporary files.
    public init(
        socket: ListeningSocket, limits: Limits = Limits(), shards count: Int? = nil, bodyFolder: String? = nil,
        responder: any Responder, log: (@Sendable (AccessRecord) -> Void)? = nil
    ) throws(ListenError) {
        let count = max(1, count ?? Self.cores)
        var limits = limits
        limits.connections = Descriptors.connections(limits.connections)
        let listening = DispatchQueue(
            label: "tileserve.listening", qos: .userInteractive, attributes: .concurrent)
        let addresses = AddressCounts(limits: limits)
        let bodies = (memory: BodyMemory(limit: limits.bodyMemoryBytes), disk: BodyDisk(folder: bodyFolder))
        var shards: [Shard] = []
        for number in 0..<count {
            do {
                shards.append(
                    try Shard(
                        number: number, of: count, socket: socket, listening: listening, limits: limits,
                        addresses: addresses, bodies: bodies, responder: responder, log: log))
            } catch {
                for shard in shards { shard.stop(within: 0) {} }
                throw error
            }
        }
        self.shards = shards
        port = socket.port
        stopSeconds = limits.stopSeconds
    }

    /// A listener that is let go ends at once.
    deinit {
        guard !stopping.withLock({ $0 }) else { return }
        for shard in shards { shard.stop(within: 0) {} }
    }

    /// Takes no new connections or requests from now on, finishes the answers under way, and calls `done` when all is
    /// closed: at the latest when the limits' `stopSeconds` are over, those that still wait being answered `503`. A second call
    /// calls its `done` at once.
    public func stop(then done: @escaping @Sendable () -> Void) {
        let isFirst = stopping.withLock { stopping in
            defer { stopping = true }
            return !stopping
        }
        guard isFirst else { return done() }
        let group = DispatchGroup()
        for shard in shards {
            group.enter()
            shard.stop(within: stopSeconds) { group.leave() }
        }
        group.notify(queue: .global()) { done() }
    }

    /// As `stop(then:)`, and waits for it.
    public func stop() async {
        await withCheckedContinuation { continuation in
            stop { continuation.resume() }
        }
    }

    private static var cores: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}

enum Descriptors {
    /// Descriptors that are not connections: databases, sources of events, files being read.
    private static let others = 256

    /// How many of `wanted` connections the process's limit of open files has room for; raises it as far as the system
    /// lets it. With more of them, no connection could be taken, and nothing else be opened either.
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
