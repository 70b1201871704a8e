import HTTPCore
import RequestHandling
import TrackExport

extension APIOperations {
    private static let bbox = APIParameter(
        "bbox", .text(), "West, south, east, north in degrees; west may be greater than east", example: "13,52,14,53")

    /// A track as a file of another format.
    private static func file(_ format: ExportFormat, _ name: String) -> (Route, APIOperation) {
        (
            Route(.get, "/v1/tracks/{id}\(format.ending)"),
            APIOperation(
                summary: "a track as \(name)", tag: .tracks,
                answers: [APIResponse("The file", APIContent(format.mediaType))],
                traits: [.canBeMissing, .hasETag])
        )
    }

    private static let files: [(Route, APIOperation)] = [
        file(.gpx, "GPX"), file(.geojson, "GeoJSON, a line"), file(.geojsonPoints, "GeoJSON, points"),
        file(.kml, "KML"), file(.tcx, "TCX"), file(.csv, "CSV"), file(.mfjson, "OGC Moving Features"),
        file(.gpslog, "GPS Log XML"),
    ]

    /// Tracks as lists and files.
    static let tracks: Table = lists.merging(files) { first, _ in first }

    private static let lists: Table = [
        Route(.get, "/v1/tracks"): APIOperation(
            summary: "a list of tracks", tag: .tracks, detail: "The newest first.",
            parameters: window + [
                bbox, layer, activity, limit(TrackHandler.maxTracks, default: TrackHandler.defaultTracks), after,
            ], answers: [APIResponse("The tracks", .json(.named("TrackList")))], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/tracks/{id}"): APIOperation(
            summary: "a track", tag: .tracks, answers: [APIResponse("The track", .json(.named("Track")))],
            traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/export"): APIOperation(
            summary: "the tracks of a window, layer or condition as a file", tag: .tracks,
            parameters: [
                APIParameter(
                    "format", .choice(ExportFormat.allCases.map(\.rawValue)), "The format", isRequired: true,
                    example: "gpx"),
                layer, trackList,
                APIParameter(
                    "where", .text(), "A condition, as in `tileserve layers add --where`", example: "activity = ride"),
            ] + window,
            answers: [APIResponse("The file, in the media type of its format", APIContent("*/*"))],
            traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/calendar"): APIOperation(
            summary: "the days of a year that have data", tag: .tracks,
            parameters: [
                APIParameter("year", .integer(QueryParameters.years), "The year", isRequired: true, example: "2023"),
                APIParameter("tz", .text(), "A time zone; the library's without it", example: "Europe/Zurich"), layer,
            ], answers: [APIResponse("The days", json)], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/position"): APIOperation(
            summary: "the position at an instant", tag: .tracks,
            parameters: [
                APIParameter(
                    "t", .named("Date"), "An instant, not a day", isRequired: true, example: "2023-06-01T08:00:00Z"),
                layer,
            ], answers: [APIResponse("The place, with method and uncertainty", json)],
            traits: [.canBeMissing, .hasETag]),
        Route(.post, "/v1/photos/locate"): APIOperation(
            summary: "when and where a photo was taken", tag: .tracks,
            detail: "From its metadata and the tracks; the photo is not stored.",
            body: [APIContent("application/octet-stream")],
            answers: [APIResponse("The most likely time and place, and all candidates", .json(.named("LocatedPhoto")))]),
    ]
}
