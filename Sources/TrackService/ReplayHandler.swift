package import HTTPCore
import OpenAPI
package import Pins
import Playback
import Replay
import RequestHandling
import TrackStore

/// Which photos a replay shows to a caller.
package typealias ReplayedPhotos = @Sendable (Caller) -> @Sendable (Pin) -> Bool

/// Answers requests for replays and live events: `/v1/replay`, `/v1/live`.
struct ReplayHandler: RequestHandler {
    let context: HandlerContext
    let streams: EventStreams
    let replayedPhotos: ReplayedPhotos

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/replay", for: .read, as: Self.replay) { request, _ in try replay(request) }
        routes.on(.get, "/v1/replay/manifest", for: .read, as: Self.manifest) { request, _ in try manifest(request) }
        routes.on(.get, "/v1/tracks/{id}/replay", for: .read, as: Self.replayTrack) { request, path in
            try replay(request, id: path["id"])
        }
        routes.on(.get, "/v1/tracks/{id}/replay/manifest", for: .read, as: Self.trackManifest) { request, path in
            try manifest(request, id: path["id"])
        }
        routes.on(.get, "/v1/live", for: .read, as: Self.live, live)
    }

    /// The data that a time slider needs for a replay; of one track if `id` is given.
    private func manifest(_ request: Request, id: String? = nil) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        return context.queues.long.answerCancellably { isDisconnected in
            let query = try parameters.query(track: id, try context.library.calendar())
            do {
                let manifest = try ReplayManifest(
                    query, source: try context.library.replaySource(parameters, isDisconnected),
                    isCancelled: isDisconnected)
                return validated(JSONResponse.response(bytes: manifest.json), for: request)
            } catch ReplayManifest.Fault.noSuchTrack {
                throw Problem.noSuchTrack
            } catch ReplayManifest.Fault.tooMuch {
                throw Problem.badRequest(
                    "the window has more than \(ReplayManifest.maxTracks) tracks or \(ReplayManifest.maxPoints) "
                        + "points; ask for a shorter one")
            }
        }
    }

    /// Points as they are recorded, and the tiles touched by changes.
    private func live(_ request: Request) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        return .response(.events(try streams.open(nil, live: try parameters.live(of: request))))
    }

    /// The events of a replay at its pace, together with live events if `live` is given; of one track if `id` is given.
    /// `Last-Event-ID` or `lastEventId` resumes after an event.
    private func replay(_ request: Request, id: String? = nil) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        let cursor = try parameters.cursor(of: request)
        let subscription = try parameters.live(of: request)
        let live = try parameters.isLive() ? subscription : nil
        return context.queues.reading.answerCancellably { isDisconnected in
            let query = try parameters.query(track: id, try context.library.calendar())
            do {
                // Once the stream is open, its channel ends it.
                var source = try context.library.replaySource(parameters, isDisconnected)
                source.admitsPhoto = replayedPhotos(request.caller)
                if !request.caller.isOwner { source.admitsContent = source.admitsPhoto }
                let sequence = try ReplaySequence(query, source: source, after: cursor)
                return .response(.events(try streams.open(sequence, pace: query.pace, live: live)))
            } catch ReplayError.complete {
                if let live { return .response(.events(try streams.open(nil, live: live))) }
                // A browser does not reconnect after a `204`.
                return .response(Response(status: .noContent))
            } catch ReplayError.noSuchTrack {
                throw Problem.noSuchTrack
            } catch ReplayError.tooManyAtOnce(let count) {
                throw Problem.badRequest(
                    "\(count) tracks overlap in time, and the limit is \(ReplaySequence.maxTracksAtOnce); ask for a shorter "
                        + "window or a layer, or leave out together")
            } catch ReplayError.otherQuery {
                throw Problem.badRequest("the event id belongs to another query; to go on at another speed, use seek")
            }
        }
    }

    private static let events = APIResponse("The events", APIContent("text/event-stream"))
    private static let played = [events, APIResponse("The replay was complete", nil, status: .noContent)]
    private static let manifests = [APIResponse("What a time slider needs", .json)]

    private static let replay = APIOperation(
        "the events of a replay", .replay,
        detail: """
            A `photo` event, before the first event at or after the time of a pin's photo, has the id of the event \
            before it. An `explorer` event is sent before the event at which the number of visited tiles, the \
            largest cluster or the side of the largest square has grown, and also has the id of the event before it.
            """, parameters: .scope + .playing + .stream, answers: played, traits: .canBeMissing)

    private static let manifest = APIOperation(
        "content and duration of a replay", .replay, parameters: .scope + .playing, answers: manifests,
        traits: [.canBeMissing, .hasETag])

    private static let replayTrack = APIOperation(
        "the events of a replay of one track", .replay, parameters: [.id] + .playing + .stream, answers: played,
        traits: .canBeMissing)

    private static let trackManifest = APIOperation(
        "content and duration of a replay of one track", .replay, parameters: [.id] + .playing, answers: manifests,
        traits: [.canBeMissing, .hasETag])

    private static let live = APIOperation(
        "points as they are recorded, and changed tiles", .replay,
        parameters: [
            .devices, .tilesAtZoom, APIParameter("newest", .flag, "1 to begin with the newest point of each device"),
        ], answers: [events])
}

extension APITag {
    private static let detail = "Tracks played back as server-sent events, and points as they are recorded"
    fileprivate static let replay = APITag("replay", detail)
}

extension APISchema {
    fileprivate static let eventID = pattern("^[A-Za-z0-9._-]{0,64}$")
}

/// Parameters of replays and live events.
extension [APIParameter] {
    fileprivate static let playing = [
        APIParameter(
            "speed", .either([.number(0.1...100_000), .choice(["max"])]),
            "Seconds of the track per second, 0.1 to 100000, or `max`; 60 without it", example: "60"),
        APIParameter(
            "fps", .integer(FrameRate.rates, default: FrameRate.defaultFramesPerSecond), "Frames per second"),
        APIParameter(
            "gap", .choice(["skip", "hold"], default: "skip"),
            "Whether a time without points is skipped or lasts its time"),
        APIParameter("seek", .date, "The instant to start at", example: "2023-06-01T10:00:00Z"), .tilesAtZoom,
        APIParameter(
            "explorer", .choice(["14", "17"]),
            "Sends `explorer` events when the figures of explorer tiles of this zoom level have grown"),
    ]

    fileprivate static let scope =
        window + [
            .layer, APIParameter("together", .flag, "1 for all tracks on one clock instead of one after the other"),
        ]

    fileprivate static let stream = [
        APIParameter("live", .flag, "1 to send the events of `/v1/live` too"), .devices,
        APIParameter("lastEventId", .eventID, "The id of the event to go on behind; as the header"),
        APIParameter("Last-Event-ID", .eventID, "The id of the event to go on behind", in: .header),
    ]
}

extension APIParameter {
    fileprivate static let tilesAtZoom = APIParameter(
        "tiles", .zoom, "Sends `tiles` events that name the tiles of this zoom level that change")
    fileprivate static let devices = APIParameter(
        "device", .list(.element, limit: QueryParameters.deviceListLimit),
        "Up to \(QueryParameters.deviceListLimit) names of devices, separated by commas: only their live points are sent"
    )
}
