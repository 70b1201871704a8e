import HTTPCore
import Journeys
import OpenAPI
import PrimaryStore
import RequestHandling
import Text
import TrackQuery
import TrackStore
import Tracks

/// Answers `/v1/journeys`: journeys of persons and teams, driven by focus or by recorded metres.
struct JourneyHandler: RequestHandler {
    let context: HandlerContext
    let book: JourneyBook
    let streams: JourneyStreams
    private let changes = ChangeQueue("tileserve.journeys", timeoutSeconds: Self.timeoutSeconds)

    /// A change takes milliseconds, unless another process writes.
    private static let timeoutSeconds = 30.0
    /// Limit in bytes of a body: conditions with their factors, and the names of a team.
    private static let byteLimit = 64 * 1024

    init(_ context: HandlerContext, _ book: JourneyBook, _ streams: JourneyStreams) {
        self.context = context
        self.book = book
        self.streams = streams
    }

    private var database: TrackDatabase { context.library.database }

    func add(to routes: inout Routes) {
        let body = BodyPolicy.memory(limit: Self.byteLimit)
        routes.on(.get, "/v1/journeys", for: .read, as: JourneyOperations.list, list)
        routes.on(.post, "/v1/journeys", for: .contribute, takes: body, as: JourneyOperations.post, post)
        routes.on(.get, "/v1/journeys/{id}", for: .read, as: JourneyOperations.show, show)
        routes.on(.patch, "/v1/journeys/{id}", for: .contribute, takes: body, as: JourneyOperations.patch, patch)
        routes.on(.delete, "/v1/journeys/{id}", for: .contribute, as: JourneyOperations.remove, remove)
        routes.on(.get, "/v1/journeys/{id}/sessions", for: .read, as: JourneyOperations.sessions, sessions)
        routes.on(
            .post, "/v1/journeys/{id}/sessions", for: .contribute, takes: body, as: JourneyOperations.start, start)
        routes.on(
            .delete, "/v1/journeys/{id}/sessions/{session}", for: .contribute, as: JourneyOperations.cancel, cancel)
        routes.add(JourneyOverlay(book), context)
    }

    // MARK: Reading

    private func list(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        return context.queues.reading.answer {
            let now = book.now()
            let journeys = try database.read { try $0.journeys(of: person.name) }
            var object = JSONObject()
            object.add("journeys", objects: try journeys.map { try book.json($0, for: person, at: now) })
            return .response(Self.unstored(JSONResponse.response(object)))
        }
    }

    private func show(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        let asof = try QueryParameters(request.target).date("asof")
        return context.queues.reading.answer {
            let journey = try book.journey(path["id"], for: person)
            let now = try book.instant(asof)
            return .response(
                Self.unstored(JSONResponse.response(try book.json(journey, for: person, at: now))))
        }
    }

    /// What journeys are changes with time, and is private.
    static func unstored(_ response: Response) -> Response {
        var response = response
        response.forbidStoring()
        return response
    }

    // MARK: Changes

    private func post(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        let body = try JourneyBody(request.content.bytes)
        if let persons = body.persons, person != .owner,
            persons.count != 1 || !PersonNames.areSame(persons[0], person.name)
        {
            throw Problem(.forbidden, "only the owner of the library can make a journey of others or of a team")
        }
        return changes.answer {
            try book.routes.prepare()
            let calendar = try context.library.calendar()
            let since = body.since?.begin(in: calendar)
            let until = body.until?.end(in: calendar)
            if let since, let until, until <= since { throw Problem.badRequest("until has to be after since") }
            let journey = NewJourney(
                route: body.route, drive: body.drive, since: since, until: until,
                members: body.persons ?? [person.name])
            switch try database.add(journey) {
            case .noRoute: throw JourneyProblem.noRoute
            case .tooMany:
                throw Problem(.conflict, "there are \(StoredJourney.limit) journeys already; remove some first")
            case .added(let id):
                let stored = try book.journey(id, for: person)
                var response = JSONResponse.response(try book.json(stored, for: person, at: book.now()))
                response.status = .created
                response.set(.location, "/v1/journeys/\(id)")
                return .response(Self.unstored(response))
            }
        }
    }

    private func patch(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        var members = try BodyMembers(request.content.bytes)
        let seen = members.value("seen", "a list of hours") { value -> Set<Int>? in
            guard case .list(let list) = value else { return nil }
            let hours = list.compactMap { RouteHandler.integer($0, in: StoredReward.hours) }
            return hours.count == list.count ? Set(hours) : nil
        }
        let isActive = members.value("active", "true or false", RouteHandler.bool)
        let until = members.text("until", JourneyBody.dateText) { DateText($0) }
        try members.check()
        return changes.answer {
            let journey = try book.journey(path["id"], for: person)
            if case .set(let date) = until {
                try checkMayChange(journey, person)
                let instant = try date.map { $0.end(in: try context.library.calendar()) }
                if let instant, let since = journey.since, instant <= since {
                    throw Problem.badRequest("until has to be after since")
                }
                _ = try database.setArrival(instant, ofJourney: journey.id)
            }
            if isActive == false, try database.read({ try $0.profile(of: person.name).journey }) == journey.id {
                _ = try database.changeProfile(of: person.name, displayName: .keep, journey: .set(nil))
            }
            if isActive == true {
                let change = try database.changeProfile(
                    of: person.name, displayName: .keep, journey: .set(journey.id))
                guard change == .done else { throw Problem(.conflict, "one does not take part in this journey") }
            }
            if let seen { try database.setSeen(seen, of: person.name, at: book.now()) }
            streams.recheck()
            let changed = try book.journey(journey.id, for: person)
            return .response(
                Self.unstored(JSONResponse.response(try book.json(changed, for: person, at: book.now()))))
        }
    }

    private func remove(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        return changes.answer {
            let journey = try book.journey(path["id"], for: person)
            try checkMayChange(journey, person)
            switch try database.removeJourney(journey.id, at: book.now()) {
            case .done:
                streams.recheck()
                return .response(Response(status: .noContent))
            case .missing: throw JourneyProblem.noJourney
            case .running(let until):
                throw Problem(
                    .conflict, "a session runs until \(InstantFormatter.utc(until)); a journey is removed after it")
            }
        }
    }

    /// A team's journey is changed by the owner of the library.
    private func checkMayChange(_ journey: StoredJourney, _ person: LibraryPerson) throws(Problem) {
        guard person == .owner || journey.isOnly(of: person.name) else {
            throw Problem(.forbidden, "only the owner of the library can change the journey of a team")
        }
    }

    // MARK: Sessions

    private func sessions(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        return context.queues.reading.answer {
            let now = book.now()
            let journey = try book.journey(path["id"], for: person)
            let own = try database.read { try $0.sessions(ofJourney: journey.id) }.filter {
                person == .owner || PersonNames.areSame($0.session.person, person.name)
            }
            var object = JSONObject()
            object.add("sessions", objects: own.reversed().map { $0.json(at: now) })
            return .response(Self.unstored(JSONResponse.response(object)))
        }
    }

    private func start(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        var members = try BodyMembers(request.content.bytes)
        let seconds = members.value("seconds", RouteHandler.secondsText, isRequired: true, RouteHandler.seconds)
        let place = members.text("place", "the id of a place") { $0 }
        try members.check()
        return changes.answer {
            let start = try database.startSession(
                inJourney: path["id"], of: person.name, seconds: seconds ?? 0, place: place.newValue, now: book.now)
            switch start {
            case .started(let stored):
                streams.recheck()
                var response = JSONResponse.response(stored.json(at: stored.session.start))
                response.status = .created
                response.set(.location, "/v1/journeys/\(stored.journey)/sessions/\(stored.session.id)")
                return .response(Self.unstored(response))
            case .noJourney: throw JourneyProblem.noJourney
            case .noPlace: throw JourneyProblem.noPlace
            case .isReached: throw Problem(.conflict, "this place is reached already")
            case .isDone: throw Problem(.conflict, "all places of the route are reached")
            case .isByMetres: throw Problem(.conflict, "recorded metres drive this journey; it has no sessions")
            case .running(let until):
                throw Problem(
                    .conflict, "another session runs until \(InstantFormatter.utc(until)); only one runs at a time")
            }
        }
    }

    private func cancel(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        // The instant of arrival decides, however long the change waits for others.
        let arrival = book.now()
        return changes.answer {
            let cancellation = try database.cancelSession(
                path["session"], inJourney: path["id"], of: person.name, at: arrival)
            switch cancellation {
            case .done:
                streams.recheck()
                return .response(Response(status: .noContent))
            case .missing: throw Problem.notFound("there is no session with this id")
            case .tooLate(let until):
                throw Problem(
                    .conflict, "the session could be cancelled until \(InstantFormatter.utc(until)); it runs to its end"
                )
            }
        }
    }
}

/// The members of a body that make a journey.
private struct JourneyBody: Sendable {
    let route: String
    let drive: JourneyDrive
    let since: DateText?
    let until: DateText?
    /// nil if they are not given.
    let persons: [String?]?

    static let dateText = "a day such as 2026-12-24, or an instant such as 2026-12-24T08:00:00Z"

    init(_ bytes: [UInt8]) throws(Problem) {
        var members = try BodyMembers(bytes)
        route = members.value("route", "the id of a route", isRequired: true) { $0.text } ?? ""
        let by = members.value("by", "focus or metres") { value in
            value.text.flatMap { ["focus", "metres"].contains($0) ? $0 : nil }
        }
        let conditionText = members.text("where", "a condition such as activity = walk") { $0 }
        let condition = conditionText.newValue.flatMap { Self.condition($0, &members) }
        let given = members.value(
            "factors", "a list of at most \(JourneyFactor.limit) objects with where and factor", Self.factors)
        let factors = given?.compactMap { given in
            Self.condition(given.condition, &members).map { JourneyFactor($0, factor: given.factor) }
        }
        since = members.text("since", Self.dateText) { DateText($0) }.newValue
        until = members.text("until", Self.dateText) { DateText($0) }.newValue
        persons = members.value(
            "persons", "a list of 1 to \(StoredJourney.memberLimit) names of persons, each once", Self.persons)
        if by != "metres", condition != nil || factors != nil || since != nil {
            members.addFault("where, factors and since need by=metres")
        }
        try members.check()
        drive = by == "metres" ? .metres(condition, factors ?? []) : .focus
    }

    private static func condition(_ text: String, _ members: inout BodyMembers) -> TrackCondition? {
        do throws(ConditionError) {
            return try TrackCondition(parsing: text)
        } catch {
            members.addFault("where: \(error)")
            return nil
        }
    }

    private static func factors(_ value: JSONValue) -> [(condition: String, factor: Double)]? {
        guard case .list(let list) = value, list.count <= JourneyFactor.limit else { return nil }
        let factors = list.compactMap { element -> (condition: String, factor: Double)? in
            guard Set(element.members.map(\.name)) == ["where", "factor"], case .text(let text)? = element["where"],
                let factor = element["factor"]?.decimal?.double, JourneyFactor.factors.contains(factor)
            else { return nil }
            return (text, factor)
        }
        return factors.count == list.count ? factors : nil
    }

    private static func persons(_ value: JSONValue) -> [String?]? {
        guard case .list(let list) = value, (1...StoredJourney.memberLimit).contains(list.count) else { return nil }
        let names = list.compactMap { element -> String? in
            guard case .text(let text) = element, !text.isEmpty, text.count <= JourneyLimits.name else { return nil }
            return text
        }
        guard names.count == list.count, Set(names).count == names.count else { return nil }
        return names.map { $0 == PersonName.owner ? nil : $0 }
    }
}
