import HTTPCore
import Journeys
import OpenAPI
import PhotoFiles
import PrimaryStore
import RequestHandling
import Styling
import TrackStore

/// Answers the pictures of routes, places, persons and rewards: those that were given, or drawn ones.
struct JourneyPictureHandler: RequestHandler {
    let context: HandlerContext
    let book: JourneyBook
    /// A picture is decoded in a second.
    private let changes = ChangeQueue("tileserve.journeys.pictures", timeoutSeconds: 60)

    /// Limit in bytes of a picture as it is sent: one of a camera.
    private static let byteLimit = 32 << 20
    /// The longer side of stored pictures, in pixels.
    private static let side = 512

    init(_ context: HandlerContext, _ book: JourneyBook) {
        self.context = context
        self.book = book
    }

    func add(to routes: inout Routes) {
        add("/v1/routes/{id}/picture", "a route", [RouteOperations.id], for: .change, to: &routes) { path, _ in
            .route(path["id"])
        }
        add(
            "/v1/routes/{id}/places/{place}/picture", "a place", [RouteOperations.id, RouteOperations.place],
            for: .change, to: &routes
        ) { path, _ in .place(path["place"], ofRoute: path["id"]) }
        add("/v1/rewards/{id}/picture", "a reward", [RewardHandler.id], for: .change, to: &routes) { path, _ in
            .reward(path["id"])
        }
        add("/v1/persons/{name}/picture", "a person", [PersonHandler.name], for: .contribute, to: &routes) {
            path, caller in
            let person = try LibraryPerson.required(caller, for: JourneyProblem.things)
            return .person(try book.person(path["name"], for: person))
        }
    }

    private func add(
        _ pattern: String, _ thing: String, _ parameters: [APIParameter], for permission: Permission,
        to routes: inout Routes, _ subject: @escaping @Sendable (PathParameters, Caller) throws -> PictureSubject
    ) {
        routes.on(.get, pattern, for: .read, as: Self.get(thing, parameters)) { request, path in
            let query = try QueryParameters(request.target)
            let theme: Theme = try query.choice("theme") ?? .light
            let showsAll = try query.flag("edit") && request.caller.isOwner
            return context.queues.reading.answer {
                let picture = try picture(
                    of: try readable(path, request.caller, subject), theme, for: request.caller, showsAll: showsAll)
                return validated(.content(picture.bytes, type: picture.type), for: request)
            }
        }
        routes.on(
            .put, pattern, for: permission, takes: .memory(limit: Self.byteLimit), as: Self.put(thing, parameters)
        ) { request, path in
            let bytes = request.content.bytes
            return changes.answer {
                let subject = try subject(path, request.caller)
                let jpeg: [UInt8]
                do {
                    jpeg = try Thumbnail.jpeg(of: PhotoFile(bytes: bytes), sides: [Self.side])[0]
                } catch let error as PhotoError {
                    throw Problem(.unprocessable, "the picture cannot be read: \(error)")
                }
                return try set(jpeg, of: subject)
            }
        }
        routes.on(.delete, pattern, for: permission, as: Self.delete(thing, parameters)) { request, path in
            changes.answer { try set(nil, of: try subject(path, request.caller)) }
        }
    }

    private func set(_ bytes: [UInt8]?, of subject: PictureSubject) throws -> OutgoingResponse {
        guard try context.library.database.setPicture(bytes, of: subject) else { throw JourneyProblem.noPicture }
        return .response(Response(status: .noContent))
    }

    /// What a path names, if the caller may see its picture: of a person also who travels with them.
    private func readable(
        _ path: PathParameters, _ caller: Caller,
        _ subject: (PathParameters, Caller) throws -> PictureSubject
    ) throws -> PictureSubject {
        do { return try subject(path, caller) } catch let problem as Problem {
            guard problem == JourneyProblem.noPerson, let person = caller.person else { throw problem }
            let name = path["name"]
            let companions = try context.library.database.read { try $0.journeys(of: person.name) }.flatMap(\.members)
            guard let found = companions.first(where: { PersonNames.areSame(PersonName.text($0.name), name) }) else {
                throw problem
            }
            return .person(found.name)
        }
    }

    /// The picture that was given, or a drawn one.
    private func picture(
        of subject: PictureSubject, _ theme: Theme, for caller: Caller, showsAll: Bool
    ) throws -> (bytes: [UInt8], type: String) {
        let given = try context.library.database.read { try $0.picture(of: subject) }
        switch subject {
        case .route(let id):
            guard let known = try book.routes.route(id: id) else { throw JourneyProblem.noPicture }
            if given == nil { return (try DrawnPictures.route(known, theme), "image/png") }
        case .place(let place, let id):
            guard let known = try book.routes.route(id: id), let index = known.stored.place(id: place) else {
                throw JourneyProblem.noPicture
            }
            // A locked place has no picture, as if there were none.
            let unlocked = try book.passport(of: caller.person, at: book.now()).count(ofRoute: id)
            guard showsAll || index < unlocked else { throw JourneyProblem.noPicture }
            if given == nil { return (try DrawnPictures.place(index, of: known, theme), "image/png") }
        case .person(let name):
            if given == nil {
                let profile = try context.library.database.read { try $0.profile(of: name) }
                return (try DrawnPictures.person(profile.shownName), "image/png")
            }
        case .reward(let id):
            let found = try context.library.database.read { try $0.rewards(withRemoved: true) }.first { $0.id == id }
            guard let reward = found?.reward else { throw JourneyProblem.noPicture }
            if given == nil { return (try DrawnPictures.reward(reward), "image/png") }
        }
        guard let given else { throw JourneyProblem.noPicture }
        return (given, "image/jpeg")
    }
}

extension JourneyPictureHandler {
    private static func get(_ thing: String, _ parameters: [APIParameter]) -> APIOperation {
        APIOperation(
            "the picture of \(thing)", .journeys, detail: "Without one that was given, a drawn one.",
            parameters: parameters + [
                .theme("Of a drawn picture"),
                APIParameter("edit", .flag, "1 for the owner of the library: also of locked places"),
            ], answers: [APIResponse("The picture", [APIContent("image/jpeg"), .png])],
            traits: [.canBeMissing, .hasETag])
    }

    private static func put(_ thing: String, _ parameters: [APIParameter]) -> APIOperation {
        APIOperation(
            "sets the picture of \(thing)", .journeys,
            detail: "The body is the file. It is encoded anew, without metadata, with at most \(side) pixels a side.",
            parameters: parameters, body: [APIContent("image/jpeg"), .png, APIContent("image/webp")],
            answers: [APIResponse("Done", nil, status: .noContent)], traits: .canBeMissing)
    }

    private static func delete(_ thing: String, _ parameters: [APIParameter]) -> APIOperation {
        APIOperation(
            "removes the picture of \(thing)", .journeys, parameters: parameters,
            answers: [APIResponse("Done", nil, status: .noContent)], traits: .canBeMissing)
    }
}
