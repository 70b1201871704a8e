import HTTPCore
import Pins
import Text
import TrackStore

/// Answers `/v1/pins` and `/v1/pins/{id}`.
struct PinHandler: Sendable {
    private let context: HandlerContext
    private let changes = ChangeQueue("tileserve.pins", timeoutSeconds: Self.timeoutSeconds)

    /// A removal takes a fraction of a second, unless another server is stuck.
    private static let timeoutSeconds = 30.0
    static let entryLimit = 1000
    static let defaultEntries = 100

    private var library: Library { context.library }

    init(_ context: HandlerContext) { self.context = context }

    /// Adds the routes.
    func add(to routes: inout RouterBuilder) {
        let body = BodyPolicy.memory(limit: PinBody.byteLimit)
        routes.on(.get, "/v1/pins", for: .read) { request, _ in try list(request) }
        routes.on(.post, "/v1/pins", for: .change, takes: body) { request, _ in try add(request) }
        routes.on(.get, "/v1/pins/{id}", for: .read) { request, path in show(request, path["id"] ?? "") }
        routes.on(.patch, "/v1/pins/{id}", for: .change, takes: body) { request, path in
            try edit(request, path["id"] ?? "")
        }
        routes.on(.delete, "/v1/pins/{id}", for: .change) { request, path in remove(request, path["id"] ?? "") }
    }

    private static let noSuchPin = Problem.notFound("no pin has this id")

    private func list(_ request: Request) throws -> HandlerResult {
        let parameters = try PinParameters(request.target)
        let limit = try parameters.limit(in: 1...Self.entryLimit) ?? Self.defaultEntries
        return context.queues.reading.answer {
            let filter = try parameters.filter(library.calendar())
            let page = try library.database.read { snapshot in
                try snapshot.pins(filter, limit: limit, after: parameters.after, now: TrackDatabase.systemClock())
            }
            guard let page else { throw Problem.badRequest("after has to be the value of next in a previous list") }
            var object = JSONObject()
            object.add("pins", objects: page.pins.map { $0.json(hidesContent: hidesContent(of: $0, request)) })
            if let next = page.next { object.add("next", next) }
            return validated(JSONResponse.response(object), for: request)
        }
    }

    private func show(_ request: Request, _ id: String) -> HandlerResult {
        context.queues.reading.answer {
            validated(response(of: try pin(id, for: request), request), for: request)
        }
    }

    private func add(_ request: Request) throws -> HandlerResult {
        try context.checkReadiness()
        let content = try PinBody(request.content.bytes).content(person: nil)
        return changes.answer {
            let pin = try library.database.addPin(content)
            try library.catchUp()
            context.watch.pollNow()
            var response = response(of: pin, request)
            response.status = .created
            response.set(.location, "/v1/pins/\(pin.id)")
            response.set(.cacheControl, CacheControl(.reader, .none).description)
            return .response(response)
        }
    }

    private func edit(_ request: Request, _ id: String) throws -> HandlerResult {
        try context.checkReadiness()
        let body = try PinBody(request.content.bytes)
        return changes.answer {
            let before = try pin(id, for: request)
            try request.checkPrecondition(JSONResponse.tag(of: response(of: before, request)))
            guard let pin = try library.database.editPin(before.id, body.edit) else { throw Self.noSuchPin }
            try library.catchUp()
            context.watch.pollNow()
            var response = response(of: pin, request)
            response.set(.eTag, JSONResponse.tag(of: response).description)
            response.set(.cacheControl, CacheControl(.reader, .none).description)
            return .response(response)
        }
    }

    /// Removes a pin: `204` when it is removed everywhere and overwritten, `202` if a part of that is pending.
    private func remove(_ request: Request, _ id: String) -> HandlerResult {
        changes.answer {
            try context.checkReadiness()
            let pin = try pin(id, for: request)
            try request.checkPrecondition(JSONResponse.tag(of: response(of: pin, request)))
            let removal = try library.removePins([pin.id])
            context.watch.pollNow()
            return try removal.reply(of: pin.id.description)
        }
    }

    /// A pin that the caller may see; an expired one only the owner may.
    private func pin(_ id: String, for request: Request) throws -> Pin {
        guard let pin = try PinID(id).flatMap({ try library.database.pin($0) }),
            request.isOwner || !pin.isExpired(at: TrackDatabase.systemClock())
        else { throw Self.noSuchPin }
        return pin
    }

    private func response(of pin: Pin, _ request: Request) -> Response {
        JSONResponse.response(pin.fullJSON(hidesContent: hidesContent(of: pin, request)))
    }

    private func hidesContent(of pin: Pin, _ request: Request) -> Bool {
        pin.visibility != .open && !request.isOwner
    }
}

extension Request {
    /// Whether the caller may do everything.
    var isOwner: Bool { caller == .owner || caller == .local }
}
