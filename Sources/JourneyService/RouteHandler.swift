import HTTPCore
import Journeys
import OpenAPI
import PrimaryStore
import RequestHandling
import RouteImport
import Text
import TileMath
import TrackStore

/// Answers `/v1/routes`: lines with places, which the owner adds and changes, as each caller may see them.
struct RouteHandler: RequestHandler {
    let context: HandlerContext
    let book: JourneyBook
    private let changes = ChangeQueue("tileserve.routes", timeoutSeconds: Self.timeoutSeconds)

    /// A change takes milliseconds, unless another process writes.
    private static let timeoutSeconds = 30.0
    /// Limit in bytes of the body with a route: 100,000 points as GPX.
    private static let routeBytes = 16 << 20
    /// Limit in bytes of a body with a place.
    private static let byteLimit = 64 * 1024
    /// Corners of each line in the list of routes: enough for a map of the world.
    static let listedCorners = 500

    /// The forms in which a route is exported.
    private enum Form: String, CaseIterable {
        case json, geojson, gpx

        var type: String {
            switch self {
            case .json: "application/json"
            case .geojson: "application/geo+json"
            case .gpx: "application/gpx+xml"
            }
        }
    }

    init(_ context: HandlerContext, _ book: JourneyBook) {
        self.context = context
        self.book = book
    }

    func add(to routes: inout Routes) {
        let body = BodyPolicy.memory(limit: Self.byteLimit)
        routes.on(.get, "/v1/routes", for: .read, as: RouteOperations.list, list)
        routes.on(
            .post, "/v1/routes", for: .change, takes: .memory(limit: Self.routeBytes), as: RouteOperations.post, post)
        routes.on(.get, "/v1/routes/{id}", for: .read, as: RouteOperations.show) { request, path in
            try view(request, path["id"]) { JSONResponse.response($0.json(corners: .max)) }
        }
        for form in Form.allCases {
            routes.on(.get, "/v1/routes/{id}.\(form.rawValue)", for: .read, as: RouteOperations.export(form.type)) {
                request, path in
                try view(request, path["id"]) { view in
                    let bytes =
                        switch form {
                        case .json: Array(view.route.json.text.utf8)
                        case .geojson: Array(view.route.geoJSON.text.utf8)
                        case .gpx: view.route.gpx
                        }
                    return .content(bytes, type: form.type, fileName: "\(view.known.stored.id).\(form.rawValue)")
                }
            }
        }
        routes.on(.patch, "/v1/routes/{id}", for: .change, takes: body, as: RouteOperations.patch, patch)
        routes.on(.delete, "/v1/routes/{id}", for: .change, as: RouteOperations.remove, remove)
        routes.on(.post, "/v1/routes/{id}/places", for: .change, takes: body, as: RouteOperations.addPlace, addPlace)
        routes.on(
            .patch, "/v1/routes/{id}/places/{place}", for: .change, takes: body, as: RouteOperations.patchPlace,
            patchPlace)
        routes.on(.delete, "/v1/routes/{id}/places/{place}", for: .change, as: RouteOperations.removePlace, removePlace)
    }

    // MARK: Reading

    private func list(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let showsAll = try Self.showsAll(request)
        return context.queues.reading.answer {
            let passport = try book.passport(of: request.caller.person, at: book.now())
            let objects = try book.routes.all().map { known in
                RouteView(
                    known: known, unlocked: passport.count(ofRoute: known.stored.id), showsAll: showsAll
                ).json(corners: Self.listedCorners)
            }
            var object = JSONObject()
            object.add("routes", objects: objects)
            return validated(JSONResponse.response(object), for: request)
        }
    }

    private func view(
        _ request: Request, _ id: String, _ answer: @escaping @Sendable (RouteView) throws -> Response
    ) throws -> HandlerResult {
        let showsAll = try Self.showsAll(request)
        return context.queues.reading.answer {
            guard let known = try book.routes.route(id: id) else { throw JourneyProblem.noRoute }
            let passport = try book.passport(of: request.caller.person, at: book.now())
            let view = RouteView(known: known, unlocked: passport.count(ofRoute: id), showsAll: showsAll)
            return validated(try answer(view), for: request)
        }
    }

    /// Whether the owner asks for what is locked, too, to edit it.
    private static func showsAll(_ request: Request) throws -> Bool {
        guard try QueryParameters(request.target).flag("edit") else { return false }
        guard request.caller.isOwner else {
            throw Problem(.forbidden, "only the owner of the library can see what is locked")
        }
        return true
    }

    // MARK: Changes of routes

    private func post(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let bytes = request.content.bytes
        return changes.answer {
            let found: [JourneyRoute]
            do throws(JourneyError) {
                found = try RouteFile.routes(bytes, name: Self.defaultName)
            } catch {
                throw JourneyProblem.invalid(error)
            }
            guard found.count == 1 else {
                throw Problem.badRequest("the file has \(found.count) routes; send one at a time")
            }
            try book.routes.prepare()
            let added = try context.library.database.add(found[0], source: "upload")
            return try answer(added.id, status: added.isNew ? .created : .ok)
        }
    }

    private static let defaultName = "Route"

    /// A route that was changed, as the owner sees it.
    private func answer(_ id: String, status: Status = .ok) throws -> OutgoingResponse {
        if status == .noContent { return .response(Response(status: status)) }
        guard let known = try book.routes.route(id: id) else { throw JourneyProblem.noRoute }
        let passport = try book.passport(of: .owner, at: book.now())
        var response = JSONResponse.response(
            RouteView(known: known, unlocked: passport.count(ofRoute: id), showsAll: true).json(corners: .max))
        response.status = status
        if status == .created { response.set(.location, "/v1/routes/\(id)") }
        return .response(response)
    }

    private func patch(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        var members = try BodyMembers(request.content.bytes)
        let name = members.value("name", Self.nameText, Self.name)
        let level = members.value("level", Self.secondsText, Self.seconds)
        let isSingle = members.value("single", "true or false", Self.bool)
        try members.check()
        return change(path["id"]) { draft in
            if let name { draft.name = name }
            if let level { draft.level = level }
            if let isSingle { draft.isSingle = isSingle }
            return true
        }
    }

    private func remove(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        changes.answer {
            switch try context.library.database.removeRoute(path["id"]) {
            case .done: return .response(Response(status: .noContent))
            case .missing: throw JourneyProblem.noRoute
            case .used(let count):
                throw Problem(.conflict, "\(count) \(count == 1 ? "journey leads" : "journeys lead") along the route")
            }
        }
    }

    /// Changes a route; `body` returns false for a place that the route does not have.
    private func change(
        _ id: String, status: Status = .ok, _ body: @escaping @Sendable (inout RouteDraft) throws -> Bool
    ) -> HandlerResult {
        changes.answer {
            do {
                guard try context.library.database.read({ try $0.routeStamp(id: id) }) != nil else {
                    throw JourneyProblem.noRoute
                }
                guard try context.library.database.changeRoute(id, body) != nil else { throw JourneyProblem.noPlace }
                return try answer(id, status: status)
            } catch let error as JourneyError {
                throw JourneyProblem.invalid(error)
            }
        }
    }

    // MARK: Changes of places

    private func addPlace(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        var members = try BodyMembers(request.content.bytes)
        let edit = PlaceEdit(&members, isNew: true)
        try members.check()
        guard let name = edit.name, let point = edit.point else {
            throw Problem.badRequest("a place has to have name, lon and lat")
        }
        return change(path["id"], status: .created) { draft in
            var place = JourneyPlace(name, at: point)
            edit.apply(to: &place)
            draft.add(place, at: edit.position)
            return true
        }
    }

    private func patchPlace(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        var members = try BodyMembers(request.content.bytes)
        let edit = PlaceEdit(&members, isNew: false)
        try members.check()
        let place = path["place"]
        return change(path["id"]) { $0.change(place, position: edit.position, edit.apply) }
    }

    private func removePlace(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let place = path["place"]
        return change(path["id"], status: .noContent) { $0.remove(place) }
    }

    // MARK: Members

    static let nameText = "a text of 1 to \(JourneyLimits.name) characters"
    static let secondsText =
        "a number of seconds from \(JourneyLimits.seconds.lowerBound) to \(JourneyLimits.seconds.upperBound)"

    static func name(_ value: JSONValue) -> String? {
        guard case .text(let text) = value, (1...JourneyLimits.name).contains(text.count) else { return nil }
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    static func seconds(_ value: JSONValue) -> Int? { integer(value, in: JourneyLimits.seconds) }

    static func integer(_ value: JSONValue, in range: ClosedRange<Int>) -> Int? {
        guard case .number(let number) = value, let integer = Int(exactly: number.double) else { return nil }
        return range.contains(integer) ? integer : nil
    }

    static func bool(_ value: JSONValue) -> Bool? {
        if case .bool(let value) = value { value } else { nil }
    }
}

/// The members of a body that make or change a place.
private struct PlaceEdit: Sendable {
    let name: String?
    let point: GeoPoint?
    let description: EditedValue<String>
    let credit: EditedValue<String>
    let tags: [String]?
    let seconds: EditedValue<Int>
    /// Among the places, from 0.
    let position: Int?

    init(_ members: inout BodyMembers, isNew: Bool) {
        name = members.value("name", RouteHandler.nameText, isRequired: isNew, RouteHandler.name)
        let longitude = members.value("lon", "degrees", isRequired: isNew) { $0.decimal?.double }
        let latitude = members.value("lat", "degrees", isRequired: isNew) { $0.decimal?.double }
        point = longitude.flatMap { east in latitude.flatMap { GeoPoint(longitude: east, latitude: $0) } }
        if (longitude == nil) != (latitude == nil) {
            members.addFault("lon and lat have to be given together")
        } else if longitude != nil, point == nil {
            members.addFault("lon and lat have to be a place on Earth")
        }
        let text = "a text of at most \(JourneyLimits.description) characters"
        func read(_ text: String) -> String? { text.count <= JourneyLimits.description ? text : nil }
        description = members.text("description", text, read)
        credit = members.text("credit", text, read)
        tags = members.value("tags", "a list of at most \(JourneyLimits.tags) texts") { value in
            guard case .list(let list) = value, list.count <= JourneyLimits.tags else { return nil }
            let tags = list.compactMap(RouteHandler.name)
            return tags.count == list.count ? tags : nil
        }
        seconds =
            members.value("seconds", "\(RouteHandler.secondsText), or null") { value -> EditedValue<Int>? in
                value.isNull ? .set(nil) : RouteHandler.seconds(value).map { .set($0) }
            } ?? .keep
        position = members.value("position", "a number from 0 to \(JourneyLimits.places.upperBound - 1)") {
            RouteHandler.integer($0, in: 0...(JourneyLimits.places.upperBound - 1))
        }
    }

    func apply(to place: inout JourneyPlace) {
        if let name { place.name = name }
        if let point { place.point = point }
        if case .set(let description) = description { place.description = description }
        if case .set(let credit) = credit { place.credit = credit }
        if let tags { place.tags = tags }
        if case .set(let seconds) = seconds { place.seconds = seconds }
    }
}
