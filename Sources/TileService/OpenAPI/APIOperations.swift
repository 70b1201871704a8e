import HTTPCore
import Replay
import TileDrawing
import TileMath
import TrackExport

/// What each route does, by method and pattern. A test compares this table with the router and `ROUTES.md`.
enum APIOperations {
    /// A method and a pattern.
    struct Route: Hashable, Sendable {
        let method: Method
        let pattern: String

        init(_ method: Method, _ pattern: String) {
            self.method = method
            self.pattern = pattern
        }
    }

    typealias Table = [Route: APIOperation]

    /// All of them.
    static let all: Table = [
        tiles, tracks, statistics, countries, pins, places, replay, changes, recording, apps, server,
    ].reduce(into: [:]) {
        all, table in
        all.merge(table) { first, _ in first }
    }

    /// What a route does.
    static func operation(of route: RouteDescription) -> APIOperation {
        all[Route(route.method, route.pattern)]
            ?? APIOperation(summary: route.pattern, tag: .server, answers: [APIResponse("OK", nil)])
    }

    /// A parameter in a path, which means the same in all of them.
    static func pathParameter(_ name: String) -> APIParameter {
        let deepest = ZoomLevel.deepest.number
        switch name {
        case "id": return APIParameter(name, .text(), "The id, as in `/v1/tracks` or `/v1/pins`", in: .path)
        case "style": return APIParameter(name, .text(), "The name of a style, as in `/styles`", in: .path)
        case "device":
            return APIParameter(name, .text(maxLength: 200), "The name of a device, 1 to 200 bytes", in: .path)
        case "number": return APIParameter(name, .integer(1...Int.max), "The number of an import", in: .path)
        case "name": return APIParameter(name, .text(), "The name of a file", in: .path)
        case "z": return APIParameter(name, .integer(0...deepest), "The zoom level", in: .path)
        case "x": return APIParameter(name, .integer(0...(1 << deepest) - 1), "The column, from the west", in: .path)
        case "y": return APIParameter(name, .integer(0...(1 << deepest) - 1), "The row, from the north", in: .path)
        case "token": return APIParameter(name, .text(), "A recorder's token", in: .path)
        case "app":
            return APIParameter(
                name,
                .choice(["osmand", "locusmap", "gpslogger", "owntracks", "overland", "traccar", "opengts"]),
                "The app that sends the points", in: .path)
        default: return APIParameter(name, .text(), name, in: .path)
        }
    }

    // MARK: Parameters of several operations

    static let layer = APIParameter("layer", .text(), "A layer, as in `/layers`; all tracks without it")
    static let activity = APIParameter(
        "activity", .text(), "An activity, or another word for it; `none` for tracks without one", example: "run")
    static let from = APIParameter("from", .named("Date"), "The beginning of the window", example: "2023-06-01")
    static let to = APIParameter(
        "to", .named("Date"), "The end of the window: a day is included, an instant is not", example: "2023-08-31")
    static let window = [from, to]

    /// One or several ids.
    static let trackList = APIParameter(
        "track", .text(), "Up to \(TileSelection.maxTracks) ids of tracks, separated by commas")

    /// The tracks and the time that tiles show.
    static let selection =
        [layer, trackList] + window + [
            APIParameter("asof", .named("Date"), "The same as `to`, instead of it", example: "2023-06-01T18:30:00Z")
        ]

    /// The appearance of tiles.
    static let appearance = [
        APIParameter(
            "minus", .text(), "`FROM/TO`: for styles that show differences, the window that is subtracted",
            example: "2022-01-01/2022-12-31"),
        APIParameter("ramp", .text(), "Other colours, by a name in `/ramps`", example: "glacier"),
        APIParameter(
            "theme", .choice(["light", "dark"], default: "light"),
            "The background of the map, for styles with colours of their own for it (`takesTheme` in `/styles`)"),
        APIParameter(
            "span", .choice(["all", "window"], default: "all"),
            "Whether colours span the counts of all time, or those of the window"),
        APIParameter(
            "marks", .choice(["1"]), "Shows start, direction and end of the tracks in `track`, which is needed"),
    ]

    static let after = APIParameter("after", .text(), "The value of `next` in the previous list")

    static func limit(_ most: Int, default usual: Int) -> APIParameter {
        APIParameter("limit", .integer(1...most, default: usual), "How many entries")
    }

    static let zoom = 0...ZoomLevel.deepest.number
    static let json = APIContent.json()
    static let png = APIContent("image/png")
    static let events = APIContent("text/event-stream")
}
