import HTTPCore
import OpenAPI
import PrimaryStore
import RequestHandling
import Text
import TrackStore
import Venues

/// Answers `/v1/favourites`: the places of venues that a person keeps.
struct FavouriteHandler: RequestHandler {
    let context: HandlerContext
    let venues: KnownVenues
    private let changes = ChangeQueue("tileserve.favourites", timeoutSeconds: Self.timeoutSeconds)

    /// A change takes milliseconds, unless another process writes.
    private static let timeoutSeconds = 30.0
    /// Limit in bytes of a body: a name.
    private static let byteLimit = 4 * 1024
    private static let nameLimit = 200

    init(_ context: HandlerContext, _ venues: KnownVenues) {
        self.context = context
        self.venues = venues
    }

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/favourites", for: .read, as: Self.list, list)
        let body = BodyPolicy.memory(limit: Self.byteLimit)
        routes.on(.put, "/v1/favourites/{place}", for: .contribute, takes: body, as: Self.keep, keep)
        routes.on(.patch, "/v1/favourites/{place}", for: .contribute, takes: body, as: Self.change, change)
        routes.on(.delete, "/v1/favourites/{place}", for: .contribute, as: Self.remove, remove)
    }

    private func list(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let keeper = try LibraryPerson.required(request.caller, for: "favourites and a history")
        return context.queues.reading.answer {
            let favourites = try context.library.database.read { try $0.favourites(of: keeper.name) }
            var object = JSONObject()
            object.add(
                "favourites",
                objects: try favourites.enumerated().map { position, favourite in
                    let known = try venues.venue(id: favourite.venue)
                    // A place that the venue has no more is listed all the same: nobody has removed it from the list.
                    let place = FeatureID(favourite.place).flatMap { known?.places[$0] }
                    var object = JSONObject()
                    object.add("place", favourite.place)
                    object.add("venue", favourite.venue)
                    object.add("name", favourite.name ?? place?.name)
                    object.add("position", position)
                    if let place, let known {
                        object.add("category", place.category)
                        object.add("level", known.venue.levels[place.level].id.description)
                        object.add(place.point)
                    }
                    return object
                })
            return validated(JSONResponse.response(object), for: request)
        }
    }

    private func keep(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let keeper = try LibraryPerson.required(request.caller, for: "favourites and a history")
        let body = try Self.body(request.content.bytes)
        let place = path["place"]
        return answer {
            guard let id = FeatureID(place),
                let venue = try venues.summaries().first(where: { try venues.venue($0)?.places[id] != nil })
            else { throw Problem.notFound("no venue has a place with this id") }
            let favourite = StoredFavourite(venue: venue.id, place: place, name: body.name.newValue)
            return try context.library.database.keep(favourite, of: keeper.name, position: body.position)
        }
    }

    private func change(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let keeper = try LibraryPerson.required(request.caller, for: "favourites and a history")
        let body = try Self.body(request.content.bytes)
        return answer {
            let change = try context.library.database.changeFavourite(
                path["place"], of: keeper.name, name: body.name, position: body.position)
            if case .set = body.name, change == .done { try context.library.database.eraseRemoved() }
            return change
        }
    }

    private func remove(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let keeper = try LibraryPerson.required(request.caller, for: "favourites and a history")
        return answer { try context.library.database.removeFavourite(path["place"], of: keeper.name) }
    }

    private func answer(_ change: @escaping @Sendable () throws -> FavouriteChange) -> HandlerResult {
        changes.answer {
            switch try change() {
            case .done: return .response(Response(status: .noContent))
            case .missing: throw Problem.notFound("this place is not among the favourites")
            case .tooMany:
                throw Problem(.conflict, "there are \(FavouriteChange.limit) favourites already; remove some first")
            }
        }
    }

    private struct Body {
        var name: EditedValue<String>
        var position: Int?
    }

    /// An empty body changes nothing.
    private static func body(_ bytes: [UInt8]) throws(Problem) -> Body {
        if bytes.isEmpty { return Body(name: .keep, position: nil) }
        var members = try BodyMembers(bytes)
        let name = members.text("name", "a text of 1 to \(nameLimit) characters") { text -> String? in
            text.count <= nameLimit && !text.allSatisfy(\.isWhitespace) ? text : nil
        }
        let position = members.value("position", "a number from 0 to \(FavouriteChange.limit - 1)") { value -> Int? in
            guard case .number(let number) = value, let position = Int(exactly: number.double) else { return nil }
            return (0..<FavouriteChange.limit).contains(position) ? position : nil
        }
        try members.check()
        return Body(name: name, position: position)
    }
}

extension FavouriteHandler {
    private static let place = APIParameter(
        "place", .pattern("^[0-9a-f]{32}$"), "The id of a place of a venue", in: .path)
    private static let members = APISchema.object(
        [("name?", .text(maxLength: nameLimit).orNull), ("position?", .integer(0...(FavouriteChange.limit - 1)))],
        isClosed: true)
    private static let done = [APIResponse("Done", nil, status: .noContent)]

    private static let list = APIOperation(
        "the favourites of the caller, in their order", .venues,
        answers: [
            APIResponse(
                "The favourites",
                .json(
                    .object([
                        (
                            "favourites",
                            .list(
                                .object([
                                    ("place", .text()), ("venue", .text()), ("name", .text().orNull),
                                    ("position", .count), ("category?", .text()), ("level?", .text()),
                                    ("lon?", .longitude), ("lat?", .latitude),
                                ]).named("Favourite"))
                        )
                    ])))
        ], traits: .hasETag)

    private static let keep = APIOperation(
        "adds a place to the favourites", .venues,
        detail: "At the end, or at a position, which counts from 0. Of one that is there already the name is replaced.",
        parameters: [place], body: [.json(members)], answers: done, traits: [.canBeMissing, .hasOptionalBody])

    private static let change = APIOperation(
        "renames or moves a favourite", .venues,
        detail: "Without a name, or with `null`, it has that of the place.", parameters: [place],
        body: [.json(members)], answers: done, traits: [.canBeMissing, .hasOptionalBody])

    private static let remove = APIOperation(
        "removes a favourite", .venues, parameters: [place], answers: done, traits: .canBeMissing)
}
