import Dispatch
import Files
import HTTPCore
import Locking
import MicroHTTPD

/// A listener on a free port, with routes for the tests.
final class Server: Sendable {
    let listener: Listener
    let port: Int
    let state: State
    static let prepared = PreparedResponse(
        Response(
            status: .ok, headers: [ResponseHeader(.eTag, "\"tag\""), ResponseHeader(.contentType, "image/png")],
            body: .bytes([UInt8](repeating: 7, count: 20_000)), cacheResult: .hit))

    /// The largest body of `/memory` and `/disk`, in bytes.
    static let memoryLimit = 200_000
    static let diskLimit = 2_000_000

    /// What the routes have received, and the replies they hold back.
    final class State: Sendable {
        let held = Locked<[Completion]>([])
        let cancelled = Locked(0)
        let begun = DispatchSemaphore(value: 0)
        let cancellations = DispatchSemaphore(value: 0)
        let records = Locked<[AccessRecord]>([])
        let recorded = DispatchSemaphore(value: 0)
        /// The bodies passed to handlers.
        let bodies = Locked(0)
        /// The channel for the next request for events.
        let channel = Locked(EventChannel())

        func release(_ text: String) {
            let held = held.withLock { held in
                let taken = held
                held = []
                return taken
            }
            for completion in held { completion(.response(.text(text))) }
        }
    }

    init(limits: Limits = Limits(), eventLoops: Int? = nil, bodyFolder: String? = nil) throws {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        let state = State()
        let gate = RequestFilter(
            Self.routes(state), limits: limits,
            hosts: HostPolicy(listening: [socket.address], port: socket.port), origins: OriginPolicy())
        listener = try Listener(
            socket: socket, limits: limits, eventLoops: eventLoops, bodyFolder: bodyFolder, responder: gate,
            log: { record in
                state.records.withLock { $0.append(record) }
                state.recorded.signal()
            })
        port = socket.port
        self.state = state
    }

    func client() throws -> Client { try Client(port: port) }

    /// A client whose request is being worked on until `state.release`.
    func clientOfHeldRequest() throws -> Client {
        let client = try client()
        client.send(Client.request("/held"))
        state.begun.wait()
        return client
    }

    private static func routes(_ state: State) -> Router {
        var routes = RouterBuilder<Void>()
        routes.on(.get, "/ready/{text}", for: .nothing) { _, parameters in .response(.text(parameters["text"])) }
        routes.on(.get, "/tile", for: .nothing) { request, _ in
            guard let tag = ETag(opaque: "tag") else { throw Problem.internalServerError }
            return .ready(request.alreadyHas(tag) ? .notModified(prepared) : .prepared(prepared))
        }
        // Waits until the test gives the reply.
        routes.on(.get, "/held", for: .nothing) { _, _ in
            .deferred(
                Deferred { completion in
                    state.held.withLock { $0.append(completion) }
                    state.begun.signal()
                    return Cancellation {
                        state.cancelled.withLock { $0 += 1 }
                        state.cancellations.signal()
                    }
                })
        }
        // Replies from another queue.
        routes.on(.get, "/drawn/{text}", for: .nothing) { _, parameters in
            let text = parameters["text"]
            return .deferred(
                Deferred { completion in
                    DispatchQueue.global().async { completion(.response(.text(text))) }
                    return .none
                })
        }
        // Replies before the deferral was returned, and again after.
        routes.on(.get, "/eager", for: .nothing) { _, _ in
            .deferred(
                Deferred { completion in
                    completion(.response(.text("eager")))
                    completion(.response(.text("again")))
                    return .none
                })
        }
        routes.on(.get, "/events", for: .nothing) { _, _ in
            .response(Response(status: .ok, body: .events(state.channel.withLock { $0 })))
        }
        // Echo the body.
        for method in [Method.post, .put, .patch, .delete] {
            routes.on(method, "/memory", for: .nothing, takes: .memory(limit: memoryLimit)) { request, _ in
                state.bodies.withLock { $0 += 1 }
                return .response(Response(status: .ok, body: .bytes(request.content.bytes)))
            }
        }
        routes.on(.post, "/disk", for: .nothing, takes: .file(limit: diskLimit)) { request, _ in
            state.bodies.withLock { $0 += 1 }
            guard case .file(let body) = request.content else { return .response(.text("nothing")) }
            return .deferred(
                Deferred { completion in
                    DispatchQueue.global().async {
                        let bytes = (try? AtomicFile.read(body.path)) ?? []
                        completion(.response(Response(status: .ok, body: .bytes(bytes))))
                    }
                    return .none
                })
        }
        routes.on(.get, "/forgotten", for: .nothing) { _, _ in .deferred(Deferred { _ in .none }) }
        return routes.build(access: AccessControl(listening: [.loopback]))
    }
}

extension RouterBuilder<Void> {
    /// Adds a route without a description.
    mutating func on(
        _ method: Method, _ pattern: String, for permission: Permission, takes rule: BodyPolicy = .nothing,
        _ handler: @escaping Handler
    ) {
        on(method, pattern, for: permission, takes: rule, as: (), handler)
    }
}
