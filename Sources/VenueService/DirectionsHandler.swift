import Dispatch
import HTTPCore
import OpenAPI
import Playback
import PrimaryStore
import Replay
import RequestHandling
import Text
import TileMath
import TrackStore
import Venues

/// Answers `/v1/directions`: ways through venues, at once or planned in the background, and the history of a person.
struct DirectionsHandler: RequestHandler {
    let context: HandlerContext
    let desk: DirectionsDesk
    let streams: EventStreams
    private let changes = ChangeQueue("tileserve.directions.history", timeoutSeconds: Self.timeoutSeconds)

    /// A change takes milliseconds, unless another process writes.
    private static let timeoutSeconds = 30.0
    /// Limit in bytes of a body: some stops.
    private static let byteLimit = 8 * 1024
    /// How long a `GET` that names stops waits for a venue that is being prepared, before it is answered with `202`.
    private static let patienceSeconds = 2.0

    init(_ context: HandlerContext, _ desk: DirectionsDesk, _ streams: EventStreams) {
        self.context = context
        self.desk = desk
        self.streams = streams
    }

    private var queue: WorkQueue { context.queues.reading }

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/directions", for: .read, as: Self.directions) { request, _ in
            let parameters = try QueryParameters(request.target)
            // Without stops it is the history that is asked for.
            guard ["from", "to", "via"].contains(where: { parameters[$0] != nil }) else {
                try DirectionsRequest.check(parameters)
                return try history(request)
            }
            return try route(parameters, request)
        }
        routes.on(
            .post, "/v1/directions", for: .request, takes: .memory(limit: Self.byteLimit), as: Self.post, post)
        routes.on(.get, "/v1/directions/{id}", for: .read, as: Self.show, show)
        routes.on(.delete, "/v1/directions/{id}", for: .contribute, as: Self.remove, remove)
        routes.on(.get, "/v1/directions/{id}.geojson", for: .read, as: Self.geoJSON) { request, path in
            answer(request, path["id"]) { planned, route in
                .response(
                    Self.unstored(
                        .content(Array(planned.known.geoJSON(route).text.utf8), type: "application/geo+json")))
            }
        }
        routes.on(.get, "/v1/directions/{id}/replay", for: .read, as: Self.replay, replay)
    }

    // MARK: Planning

    /// The way between the stops of the parameters.
    private func route(_ parameters: QueryParameters, _ request: Request) throws -> HandlerResult {
        let wanted = try DirectionsRequest(parameters)
        let id = try DirectionsRequest.venue(parameters)
        let keeper = request.caller.person
        return queue.answerLater { [desk] in
            let known = try desk.planner.venue(of: wanted, named: id)
            return try answer(desk.job(wanted, in: known, for: keeper), waiting: Self.patienceSeconds)
        }
    }

    /// Has a way planned in the background.
    private func post(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        var members = try BodyMembers(request.content.bytes)
        let id = members.value("venue", "the id of a venue, or null") { value -> String?? in
            if value.isNull { return .some(nil) }
            if case .text(let text) = value, let id = FeatureID(text) { return id.description }
            return nil
        }
        let wanted = try DirectionsRequest(&members)
        try members.check()
        let keeper = request.caller.person
        return changes.answer { [desk] in
            let known = try desk.planner.venue(of: wanted, named: id ?? nil)
            let job = try desk.newJob(wanted, in: known, for: keeper)
            try desk.begin(job)
            if let keeper, !context.library.isReadOnly {
                let stored = StoredDirections(
                    id: job.id, time: TrackDatabase.systemClock(), venue: job.venue, stops: job.request.text,
                    profile: job.request.profile.rawValue)
                guard try context.library.database.keep(stored, of: keeper.name) else { throw VenueProblem.noVenue }
            }
            return .response(Self.accepted(job))
        }
    }

    /// A job that is still to be done: `202`.
    private static func accepted(_ job: DirectionsJob) -> Response {
        var response = unstored(JSONResponse.response(job.json(nil)))
        response.status = .accepted
        response.set(.location, "/v1/directions/\(job.id)")
        return response
    }

    /// What is closed changes with time, and ways are private.
    private static func unstored(_ response: Response) -> Response {
        var response = response
        response.forbidStoring()
        return response
    }

    /// The way of a job, or after some seconds that it is not planned yet.
    private func answer(_ job: DirectionsJob, waiting seconds: Double) throws -> HandlerResult {
        if let planned = try desk.current(job) {
            return .response(Self.unstored(JSONResponse.response(job.json(planned))))
        }
        return try wait(for: job, seconds) {
            .response(Self.unstored(JSONResponse.response(job.json($0))))
        } otherwise: {
            Self.accepted(job)
        }
    }

    /// Plans a job on the queue, and answers when it is done, or when the time is over.
    private func wait(
        for job: DirectionsJob, _ seconds: Double,
        _ answer: @escaping @Sendable (PlannedDirections) throws -> OutgoingResponse,
        otherwise: @escaping @Sendable () -> Response
    ) throws -> HandlerResult {
        try desk.begin(job)
        guard seconds > 0 else { return .response(otherwise()) }
        return .deferred(
            Deferred { completion in
                let number = job.wait { state in
                    do {
                        switch state {
                        case .planned(let planned): completion(try answer(planned))
                        case .refused(let error): throw error
                        case .idle, .queued, .running: completion(.response(otherwise()))
                        }
                    } catch {
                        completion(.response(Problem.response(to: error)))
                    }
                }
                DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) {
                    job.stopWaiting(number)
                }
                return Cancellation { job.stopWaiting(number) }
            })
    }

    // MARK: One way

    private func show(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        let seconds = try parameters.number("wait", in: Self.waits) ?? 0
        let place = try Self.place(parameters)
        let keeper = request.caller.person
        return queue.answerLater { [desk] in
            let job = try desk.job(id: path["id"], for: keeper)
            let answer = { @Sendable (planned: PlannedDirections) throws -> OutgoingResponse in
                var object = job.json(planned)
                if let place, case .success(let route) = planned.result {
                    let level = try parameters["level"].map { try planned.known.level($0, at: place) }
                    let progress = route.progress(at: place, level: level)
                    if let progress { object.add("progress", object: progress.json) }
                }
                return .response(Self.unstored(JSONResponse.response(object)))
            }
            if let planned = try desk.current(job) { return .ready(try answer(planned)) }
            return try wait(for: job, Double(seconds), answer) {
                Self.unstored(JSONResponse.response(job.json(nil)))
            }
        }
    }

    /// Where somebody is along a way; nil if it is not given.
    private static func place(_ parameters: QueryParameters) throws(Problem) -> GeoPoint? {
        guard ["lon", "lat", "level"].contains(where: { parameters[$0] != nil }) else { return nil }
        guard parameters["lon"] != nil, parameters["lat"] != nil else {
            throw Problem.badRequest("lon and lat have to be given together")
        }
        return try parameters.position()
    }

    /// Something else that is made of a way: a `409` if there is none.
    private func answer(
        _ request: Request, _ id: String,
        _ body: @escaping @Sendable (PlannedDirections, Route) throws -> OutgoingResponse
    ) -> HandlerResult {
        let keeper = request.caller.person
        return queue.answerLater { [desk] in
            let job = try desk.job(id: id, for: keeper)
            let make = { @Sendable (planned: PlannedDirections) throws -> OutgoingResponse in
                switch planned.result {
                case .failure(let failure): throw Problem(.conflict, failure.reason)
                case .success(let route): try body(planned, route)
                }
            }
            if let planned = try desk.current(job) { return .ready(try make(planned)) }
            return try wait(for: job, Self.patienceSeconds, make) { Self.accepted(job) }
        }
    }

    private func replay(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        let pace = try parameters.pace(defaultSpeed: Self.defaultSpeed)
        let cursor = try parameters.cursor(of: request)
        return answer(request, path["id"]) { [streams] planned, route in
            do {
                let walk = try WalkSequence(planned.known.walk(route), pace: pace, after: cursor)
                return .response(.events(try streams.open(walk, pace: pace)))
            } catch ReplayError.complete {
                // A browser does not reconnect after a `204`.
                return .response(Response(status: .noContent))
            } catch ReplayError.otherQuery {
                throw Problem.badRequest("the event id belongs to another way")
            }
        }
    }

    /// Thousandths: at ten times the pace of a walk, one across a building takes some seconds.
    private static let defaultSpeed = 10_000
    /// Seconds that a client may wait for a way.
    private static let waits = 0...60

    // MARK: History

    private func history(_ request: Request) throws -> HandlerResult {
        let keeper = try LibraryPerson.required(request.caller, for: "favourites and a history")
        return queue.answer { [desk] in
            let stored = try context.library.database.read { try $0.directions(of: keeper.name) }
            let objects = try stored.compactMap { stored -> JSONObject? in
                guard let wanted = DirectionsRequest(stored) else { return nil }
                let known = try desk.planner.venues.venue(id: stored.venue)
                let stops = wanted.stops.map { $0.json(in: known) }
                var object = JSONObject()
                object.add("id", stored.id)
                object.add("time", InstantFormatter.utc(stored.time))
                object.add("venue", stored.venue)
                object.add("from", object: stops[0])
                if stops.count > 2 { object.add("via", objects: Array(stops.dropFirst().dropLast())) }
                object.add("to", object: stops[stops.count - 1])
                object.add("profile", stored.profile)
                return object
            }
            var object = JSONObject()
            object.add("directions", objects: objects)
            return .response(Self.unstored(JSONResponse.response(object)))
        }
    }

    private func remove(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let keeper = try LibraryPerson.required(request.caller, for: "favourites and a history")
        return changes.answer { [desk] in
            let id = path["id"]
            guard try context.library.database.removeDirections(id: id, of: keeper.name) else {
                throw DirectionsDesk.noDirections
            }
            desk.forget(id)
            return .response(Response(status: .noContent))
        }
    }
}
