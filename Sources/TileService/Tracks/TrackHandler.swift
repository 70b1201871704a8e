import Foundation
import HTTPCore
import Playback
internal import PrimaryStore
import Replay
import RequestHandling
import Text
import TrackStore
import Tracks

/// Answers requests about tracks and time: `/v1/tracks`, `/v1/calendar`, `/v1/position`, `/v1/replay`, `/v1/live`.
///
/// Work that reads the disk runs on queues: short answers apart from those that read all points of a window.
struct TrackHandler: Sendable {
    private let library: Library
    private let queues: RequestQueues
    private let streams: EventStreams

    init(_ context: HandlerContext, _ streams: EventStreams) {
        library = context.library
        queues = context.queues
        self.streams = streams
    }

    /// Adds the routes.
    func add(to routes: inout RouterBuilder) {
        routes.on(.get, "/v1/tracks", for: .read) { request, _ in try list(request) }
        routes.on(.get, "/v1/tracks/{id}", for: .read) { request, path in try track(request, id: path["id"] ?? "") }
        routes.on(.get, "/v1/calendar", for: .read) { request, _ in try calendar(request) }
        routes.on(.get, "/v1/position", for: .read) { request, _ in try position(request) }
        routes.on(.get, "/v1/replay/manifest", for: .read) { request, _ in try manifest(request) }
        routes.on(.get, "/v1/replay", for: .read) { request, _ in try replay(request) }
        routes.on(.get, "/v1/tracks/{id}/replay", for: .read) { request, path in try replay(request, id: path["id"]) }
        routes.on(.get, "/v1/tracks/{id}/replay/manifest", for: .read) { request, path in
            try manifest(request, id: path["id"])
        }
        routes.on(.get, "/v1/live", for: .read) { request, _ in try live(request) }
    }

    /// Default and limit of the tracks in a list.
    static let defaultTracks = 100
    static let maxTracks = 1000

    private struct List: Encodable {
        var tracks: [TrackEntry]
        /// The value of `after` for the next page; nil at the end.
        var next: String?
    }

    /// Tracks, newest first.
    private func list(_ request: Request) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        let limit = try parameters.number("limit", in: 1...Self.maxTracks) ?? Self.defaultTracks
        let bounds = try parameters.box("bbox").map { E7Bounds($0) }
        return queues.reading.answerCancellably { isDisconnected in
            let window = try parameters.window(try library.calendar())
            guard var filter = try library.filter(layer: parameters["layer"] ?? ReplayQuery.everyTrack, for: .owner)
            else { throw Problem.noSuchLayer }
            (filter.from, filter.to) = window
            filter.bounds = bounds
            if let word = parameters["activity"] { filter.limit(toActivity: word) }
            filter.isCancelled = isDisconnected
            let page = try library.database.tracks(filter, for: .owner, limit: limit, after: parameters["after"])
            guard let page else { throw Problem.badRequest("after has to be the value of next in a previous list") }
            let list = List(tracks: library.entries(of: page.tracks), next: page.next)
            return validated(try JSONResponse.response(list), for: request)
        }
    }

    /// One track.
    private func track(_ request: Request, id: String) throws -> HandlerResult {
        queues.reading.answer {
            guard let track = try library.database.track(id: id, for: .owner) else { throw Problem.noSuchTrack }
            let entry = library.entry(of: track)
            return validated(try JSONResponse.response(entry), for: request, tag: try entry.tag)
        }
    }

    /// The days of a year that have data.
    private func calendar(_ request: Request) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        guard let year = try parameters.number("year", in: QueryParameters.years) else {
            throw Problem.badRequest("year is missing")
        }
        return queues.long.answerCancellably { isDisconnected in
            var calendar = try library.calendar()
            if let zone = parameters["tz"] {
                guard let other = DayCalendar(zone: zone) else {
                    throw Problem.badRequest("tz has to be a time zone such as Europe/Zurich")
                }
                calendar = other
            }
            let days = try RecordedDays(year: year, in: calendar, source: try source(parameters, isDisconnected))
            return validated(JSONResponse.response(bytes: days.json(year: year)), for: request)
        }
    }

    /// The position at an instant.
    private func position(_ request: Request) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        guard case .instant(let instant) = try parameters.date("t") else {
            throw Problem.badRequest("t has to be an instant such as 2025-03-30T08:00:00Z")
        }
        return queues.reading.answerCancellably { isDisconnected in
            guard let place = try PositionAtInstant(at: instant, source: try source(parameters, isDisconnected)) else {
                throw Problem.notFound("nothing was recorded at or before this time")
            }
            return validated(JSONResponse.response(bytes: place.json), for: request)
        }
    }

    /// The data that a time slider needs for a replay; of one track if `id` is given.
    private func manifest(_ request: Request, id: String? = nil) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        return queues.long.answerCancellably { isDisconnected in
            let query = try parameters.query(track: id, try library.calendar())
            do {
                let manifest = try ReplayManifest(
                    query, source: try source(parameters, isDisconnected), isCancelled: isDisconnected)
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
        return .response(Self.events(try streams.open(nil, live: try parameters.live())))
    }

    /// The events of a replay at its pace, together with live events if `live` is given; of one track if `id` is given.
    /// `Last-Event-ID` or `lastEventId` resumes after an event.
    private func replay(_ request: Request, id: String? = nil) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        let cursor = try Self.cursor(request, parameters)
        let live = try parameters.isLive() ? try parameters.live() : nil
        return queues.reading.answerCancellably { isDisconnected in
            let query = try parameters.query(track: id, try library.calendar())
            do {
                // Once the stream is open, its channel ends it.
                var source = try source(parameters, isDisconnected)
                source.admitsPhoto = PinReader(request.caller).replayedPhotos
                let sequence = try ReplaySequence(query, source: source, after: cursor)
                return .response(Self.events(try streams.open(sequence, pace: query.pace, live: live)))
            } catch ReplayError.complete {
                if let live { return .response(Self.events(try streams.open(nil, live: live))) }
                // A browser does not reconnect after a `204`.
                return .response(Response(status: .noContent))
            } catch ReplayError.noSuchTrack {
                throw Problem.noSuchTrack
            } catch ReplayError.tooManyAtOnce(let count) {
                throw Problem.badRequest(
                    "\(count) tracks overlap in time, and the limit is \(ReplaySequence.maxTracksAtOnce) ; ask for a shorter "
                        + "window or a layer, or leave out together")
            } catch ReplayError.otherQuery {
                throw Problem.badRequest("the event id belongs to another query; to go on at another speed, use seek")
            }
        }
    }

    private static func cursor(_ request: Request, _ parameters: QueryParameters) throws(Problem) -> ReplayCursor? {
        let header = request.headers.single(.lastEventID).map { String(decoding: $0, as: UTF8.self) }
        guard let text = header ?? parameters["lastEventId"], !text.isEmpty else { return nil }
        guard let cursor = ReplayCursor(text) else { throw Problem.badRequest("the event id is malformed") }
        return cursor
    }

    private static func events(_ channel: EventChannel) -> Response {
        Response(
            status: .ok,
            headers: [
                ResponseHeader(.contentType, "text/event-stream"), ResponseHeader(.cacheControl, "no-store"),
                ResponseHeader(HeaderName("X-Accel-Buffering"), "no"), ResponseHeader(.contentTypeOptions, "nosniff"),
            ],
            body: .events(channel))
    }

    private func source(
        _ parameters: QueryParameters, _ isDisconnected: @escaping WorkQueue.DisconnectCheck
    ) throws -> TrackReplaySource {
        let source = try TrackReplaySource(
            library, layer: parameters["layer"] ?? ReplayQuery.everyTrack, for: .owner, isCancelled: isDisconnected)
        guard let source else { throw Problem.noSuchLayer }
        return source
    }

}
