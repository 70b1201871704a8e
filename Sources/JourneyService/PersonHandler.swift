import HTTPCore
import Journeys
import OpenAPI
import PrimaryStore
import RequestHandling
import Text
import TrackStore

/// Answers `/v1/persons`: how persons are shown, what they have unlocked, and their time of focus. Each person reads and
/// changes their own; the owner of the library those of all.
struct PersonHandler: RequestHandler {
    let context: HandlerContext
    let book: JourneyBook
    let streams: JourneyStreams
    private let changes = ChangeQueue("tileserve.persons", timeoutSeconds: Self.timeoutSeconds)

    /// A change takes milliseconds, unless another process writes.
    private static let timeoutSeconds = 30.0
    /// Limit in bytes of a body: a name and an id.
    private static let byteLimit = 4 * 1024

    init(_ context: HandlerContext, _ book: JourneyBook, _ streams: JourneyStreams) {
        self.context = context
        self.book = book
        self.streams = streams
    }

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/persons", for: .read, as: Self.list, list)
        routes.on(.get, "/v1/persons/{name}", for: .read, as: Self.show, show)
        routes.on(
            .patch, "/v1/persons/{name}", for: .contribute, takes: .memory(limit: Self.byteLimit), as: Self.patch, patch
        )
    }

    private func list(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let caller = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        return context.queues.reading.answer {
            let now = book.now()
            let persons = caller == .owner ? try context.library.database.persons().map(\.name) : [caller.name]
            var object = JSONObject()
            object.add("persons", objects: try persons.map { try book.json(ofPerson: $0, at: now) })
            return .response(JourneyHandler.unstored(JSONResponse.response(object)))
        }
    }

    private func show(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let caller = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        return context.queues.reading.answer {
            let person = try book.person(path["name"], for: caller)
            return .response(
                JourneyHandler.unstored(JSONResponse.response(try book.json(ofPerson: person, at: book.now()))))
        }
    }

    private func patch(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let caller = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        var members = try BodyMembers(request.content.bytes)
        let name = members.text("displayName", "a text of 1 to \(StoredProfile.nameLimit) characters") { text in
            text.count <= StoredProfile.nameLimit && !text.allSatisfy(\.isWhitespace) ? text : nil
        }
        let journey = members.text("journey", "the id of a journey") { $0 }
        try members.check()
        return changes.answer {
            let person = try book.person(path["name"], for: caller)
            let change = try context.library.database.changeProfile(of: person, displayName: name, journey: journey)
            guard change == .done else { throw JourneyProblem.noJourney }
            streams.recheck()
            return .response(
                JourneyHandler.unstored(JSONResponse.response(try book.json(ofPerson: person, at: book.now()))))
        }
    }
}

extension JourneyBook {
    /// The name of the person of a path, nil for the owner, whom the caller may see. Throws a `404` for anybody else.
    func person(_ text: String, for caller: LibraryPerson) throws -> String? {
        if caller != .owner {
            guard text == caller.name else { throw JourneyProblem.noPerson }
            return caller.name
        }
        if text == PersonName.owner { return nil }
        guard try library.database.personNumber(named: text) != nil else { throw JourneyProblem.noPerson }
        return text
    }

    /// A person as JSON.
    func json(ofPerson name: String?, at now: Int64) throws -> JSONObject {
        let (profile, rewards, sessions, journeys) = try library.database.read { snapshot in
            (
                try snapshot.profile(of: name), try snapshot.rewards(of: name, at: now),
                try snapshot.sessions(of: name),
                try snapshot.journeys(of: name).count
            )
        }
        let passport = try passport(of: name.map { .member($0) } ?? .owner, at: now)
        var unlocked = JSONObject()
        for id in passport.routes {
            guard let route = try routes.route(id: id)?.stored else { continue }
            unlocked.add(id, Array(route.placeIDs.prefix(passport.count(ofRoute: id))))
        }
        var object = JSONObject()
        object.add("name", PersonName.text(name))
        object.add("displayName", profile.shownName)
        object.add("picture", profile.picturePath)
        object.add("journey", profile.journey)
        object.add("journeys", journeys)
        object.add(
            "focusSeconds", number: Double(FocusTime(sessions.map(\.session)).milliseconds(at: now)) / 1000)
        object.add("rewards", objects: rewards.filter { $0.granted != nil }.map(\.json))
        object.add("unlocked", object: unlocked)
        return object
    }
}

extension PersonHandler {
    static let name = APIParameter(
        "name", .text(), "The name of a person; `owner` is the owner of the library", in: .path)

    private static let person = APISchema.object([
        ("name", .text()), ("displayName", .text()), ("picture", .text()), ("journey", .text().orNull),
        ("journeys", .count), ("focusSeconds", .amount), ("rewards", .list(JourneyOperations.rewardSchema)),
        ("unlocked", .object()),
    ]).named("Person")

    private static let list = APIOperation(
        "the persons that the caller may see", .journeys,
        detail: "The owner of the library sees all, others themselves.",
        answers: [APIResponse("The persons", .json(.object([("persons", .list(person))])))])

    private static let show = APIOperation(
        "a person: rewards, unlocked places by route, and time of focus", .journeys, parameters: [name],
        answers: [APIResponse("The person", .json(person))], traits: .canBeMissing)

    private static let patch = APIOperation(
        "changes how a person is shown, and which journey is the active one", .journeys, parameters: [name],
        body: [
            .json(
                .object(
                    [
                        ("displayName?", .visible(maxLength: StoredProfile.nameLimit).orNull),
                        ("journey?", .text().orNull),
                    ], isClosed: true))
        ], answers: [APIResponse("The person", .json(person))], traits: .canBeMissing)
}
