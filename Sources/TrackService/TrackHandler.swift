import Foundation
import HTTPCore
import OpenAPI
import PrimaryStore
import Replay
import RequestHandling
import Text
import TrackStore
import Tracks

/// Answers requests about tracks: `/v1/tracks`, `/v1/calendar`, `/v1/position`.
///
/// Work that reads the disk runs on queues: short answers apart from those that read all points of a window.
struct TrackHandler: RequestHandler {
    let context: HandlerContext

    private var library: Library { context.library }

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/tracks", for: .read, as: Self.listTracks, list)
        routes.on(.get, "/v1/tracks/{id}", for: .read, as: Self.track, track)
        routes.on(.get, "/v1/calendar", for: .read, as: Self.calendar, calendar)
        routes.on(.get, "/v1/position", for: .read, as: Self.position, position)
    }

    /// Default and limit of the tracks in a list.
    private static let defaultTracks = 100
    private static let maxTracks = 1000

    /// Tracks, newest first.
    private func list(_ request: Request) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        let limit = try parameters.number("limit", in: 1...Self.maxTracks) ?? Self.defaultTracks
        let bounds = try parameters.box("bbox").map { E7Bounds($0) }
        return context.queues.reading.answerCancellably { isDisconnected in
            let window = try parameters.window(try library.calendar())
            guard var filter = try library.filter(layer: try parameters.layer() ?? ReplayQuery.everyTrack)
            else { throw Problem.noSuchLayer }
            (filter.from, filter.to) = window
            filter.bounds = bounds
            if let word = parameters["activity"] { filter.limit(toActivity: word) }
            filter.isCancelled = isDisconnected
            let page = try library.database.tracks(filter, limit: limit, after: parameters["after"])
            guard let page else { throw Problem.badRequest("after has to be the value of next in a previous list") }
            var list = JSONObject()
            list.add("tracks", objects: library.entries(of: page.tracks).map(\.json))
            // The value of `after` for the next page.
            if let next = page.next { list.add("next", next) }
            return validated(JSONResponse.response(list), for: request)
        }
    }

    /// One track.
    private func track(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        context.queues.reading.answer {
            guard let track = try library.database.track(id: path["id"]) else { throw Problem.noSuchTrack }
            let entry = library.entry(of: track)
            return validated(JSONResponse.response(entry.json), for: request, tag: entry.tag)
        }
    }

    /// The days of a year that have data.
    private func calendar(_ request: Request) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        guard let year = try parameters.number("year", in: QueryParameters.years) else {
            throw Problem.badRequest("year is missing")
        }
        return context.queues.long.answerCancellably { isDisconnected in
            var calendar = try library.calendar()
            if let zone = parameters["tz"] {
                guard let other = DayCalendar(zone: zone) else {
                    throw Problem.badRequest("tz has to be a time zone such as Europe/Zurich")
                }
                calendar = other
            }
            let days = try RecordedDays(
                year: year, in: calendar, source: try library.replaySource(parameters, isDisconnected))
            return validated(JSONResponse.response(bytes: days.json(year: year)), for: request)
        }
    }

    /// The position at an instant.
    private func position(_ request: Request) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        guard case .instant(let instant) = try parameters.date("t") else {
            throw Problem.badRequest("t has to be an instant such as 2025-03-30T08:00:00Z")
        }
        return context.queues.reading.answerCancellably { isDisconnected in
            guard
                let place = try PositionAtInstant(
                    at: instant, source: try library.replaySource(parameters, isDisconnected))
            else {
                throw Problem.notFound("nothing was recorded at or before this time")
            }
            return validated(JSONResponse.response(bytes: place.json), for: request)
        }
    }

    private static let listTracks = APIOperation(
        "a list of tracks", .tracks, detail: "The newest first.",
        parameters: .window + [
            .bounds, .layer, .activity, .limit(Self.maxTracks, default: Self.defaultTracks), .after,
        ], answers: [APIResponse("The tracks", .json(trackList))], traits: [.canBeMissing, .hasETag])

    private static let track = APIOperation(
        "a track", .tracks, parameters: [.id], answers: [APIResponse("The track", .json(.track))],
        traits: [.canBeMissing, .hasETag])

    private static let calendar = APIOperation(
        "the days of a year that have data", .tracks,
        parameters: [
            APIParameter("year", .integer(QueryParameters.years), "The year", isRequired: true, example: "2023"),
            APIParameter("tz", .zone, "A time zone; the library's without it", example: "Europe/Zurich"), .layer,
        ], answers: [APIResponse("The days", .json)], traits: [.canBeMissing, .hasETag])

    private static let position = APIOperation(
        "the position at an instant", .tracks,
        parameters: [
            APIParameter("t", .instant, "An instant, not a day", isRequired: true, example: "2023-06-01T08:00:00Z"),
            .layer,
        ], answers: [APIResponse("The place, with method and uncertainty", .json)], traits: [.canBeMissing, .hasETag])

    private static let trackList = APISchema.object([("tracks", .list(.track)), ("next?", .text())]).named("TrackList")
}

extension APITag {
    static let tracks = APITag("tracks", "Tracks as lists and files, days with data, positions")
}
