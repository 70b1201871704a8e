import Charts
import HTTPCore
import RequestHandling
import Statistics
import Stays
import Styling
import TrackStore

extension APIOperations {
    static let person = APIParameter(
        "person", .text(), "The name of a person; empty for the owner of the library", example: "ada")

    private static let totalsParameters =
        [
            APIParameter(
                "by", .choice(PeriodLength.allCases.map(\.rawValue), default: PeriodLength.month.rawValue),
                "The length of the periods; weeks are those of ISO 8601")
        ] + window + [layer, person, activity]

    private static let chartParameters =
        totalsParameters + [
            APIParameter(
                "value", .choice(ChartedValue.allCases.map(\.rawValue), default: ChartedValue.metres.rawValue),
                "What the bars show"),
            APIParameter("theme", .choice(Theme.allCases.map(\.rawValue), default: "light"), "The background"),
            APIParameter("size", .pattern("^[0-9]+x[0-9]+$"), "Width and height in pixels", example: "960x400"),
        ]

    private static let place = APIParameter(
        "id", .pattern("^-?[0-9.]+,-?[0-9.]+$"), "The position", in: .path, example: "13.3904,52.5081")
    private static let placePerson = APIParameter("person", .text(), "Whose place it is; empty for the owner")

    /// Totals by period.
    static let statistics: Table = [
        Route(.get, "/v1/stats"): APIOperation(
            summary: "totals by day, week, month or year", tag: .statistics,
            detail: "Days are those of the library's time zone. A window of instants means the days of these.",
            parameters: totalsParameters, answers: [APIResponse("The totals", .json(.named("Totals")))],
            traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/stats.csv"): APIOperation(
            summary: "the same as CSV", tag: .statistics, parameters: totalsParameters,
            answers: [APIResponse("The totals", APIContent("text/csv"))], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/stats.svg"): APIOperation(
            summary: "the same as a chart, SVG", tag: .statistics, parameters: chartParameters,
            answers: [APIResponse("The chart", APIContent("image/svg+xml"))], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/stats.png"): APIOperation(
            summary: "the same as a chart, PNG", tag: .statistics,
            parameters: chartParameters + [
                APIParameter("scale", .choice(["1", "2"], default: "2"), "Pixels for each pixel of the size")
            ],
            answers: [APIResponse("The chart", png)], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/stats/year/{year}"): APIOperation(
            summary: "the review of a year", tag: .statistics,
            parameters: [
                APIParameter("year", .integer(QueryParameters.years), "The year", in: .path, example: "2024"), layer,
                person, activity,
            ], answers: [APIResponse("The review", json)], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/explorer"): APIOperation(
            summary: "figures of the visited tiles", tag: .statistics,
            detail: "Without a window, every visited tile is new.",
            parameters: [explorerZoom, layer] + window,
            answers: [APIResponse("The figures", .json(.named("Explorer")))],
            traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/explorer/missing.geojson"): missing("GeoJSON", "application/geo+json"),
        Route(.get, "/v1/explorer/missing.kml"): missing("KML", "application/vnd.google-earth.kml+xml"),
        Route(.get, "/v1/explorer/missing.gpx"): missing("GPX", "application/gpx+xml"),
        Route(.get, "/v1/stays"): APIOperation(
            summary: "where somebody stayed, and when", tag: .statistics,
            detail: "Stays that overlap the window, whole, by person and arrival.",
            parameters: window + [person], answers: [APIResponse("The stays", .json(.list(.named("Stay"))))],
            traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/stays/places"): APIOperation(
            summary: "the places where somebody stayed, by time spent", tag: .statistics,
            detail: "Stays within 50 m are at one place. Named places are there without stays, too.",
            parameters: window + [person],
            answers: [APIResponse("The places", .json(.object([("places", .list(.named("StayPlace")))])))],
            traits: [.canBeMissing, .hasETag]),
        Route(.put, "/v1/stays/places/{id}"): APIOperation(
            summary: "names a place", tag: .statistics,
            detail: """
                The id is the position, `LON,LAT` in degrees. All stays within 50 m of it have the name; the name of a \
                place that is as near is replaced, and its position stays.
                """,
            parameters: [place, placePerson],
            body: [.json(.object([("name", .text(maxLength: StayName.limit))]))],
            answers: [
                APIResponse(
                    "The name and its position",
                    .json(
                        .object([
                            ("id", .text()), ("person", .text()), ("lon", .number(-180...180)),
                            ("lat", .number(-90...90)), ("name", .text()),
                        ])))
            ], traits: .canBeMissing),
        Route(.delete, "/v1/stays/places/{id}"): APIOperation(
            summary: "removes the name of a place", tag: .statistics, parameters: [place, placePerson],
            answers: [APIResponse("It has no name any more", nil, status: .noContent)], traits: .canBeMissing),
        Route(.get, "/tiles/explorer.json"): explorerDescription(zoom: 14),
        Route(.get, "/tiles/explorer-17.json"): explorerDescription(zoom: 17),
        Route(.get, "/tiles/explorer/**.png"): explorerTile(zoom: 14, style: "explorer"),
        Route(.get, "/tiles/explorer-17/**.png"): explorerTile(zoom: 17, style: "explorer-17"),
    ]

    private static func explorerDescription(zoom: Int) -> APIOperation {
        APIOperation(
            summary: "the TileJSON of visited tiles of zoom level \(zoom)", tag: .statistics,
            parameters: [
                layer,
                APIParameter("theme", .choice(Theme.allCases.map(\.rawValue), default: "light"), "The map below"),
            ] + window, answers: [APIResponse("TileJSON 3.0.0", .json(.named("TileJSON")))], traits: .hasETag)
    }

    private static let explorerZoom = APIParameter(
        "zoom", .choice(ExplorerQuery.zooms.map { "\($0)" }, default: "14"), "The zoom level of the tiles")

    private static func missing(_ format: String, _ type: String) -> APIOperation {
        APIOperation(
            summary: "the tiles of a box that were not visited, \(format)", tag: .statistics,
            detail: "A box of at most \(MissingTiles.limit) tiles.",
            parameters: [
                APIParameter(
                    "bbox", .text(), "`W,S,E,N` in degrees", isRequired: true, example: "13.3,52.4,13.5,52.6"),
                explorerZoom, layer,
            ] + window, answers: [APIResponse("The tiles", APIContent(type))], traits: [.canBeMissing, .hasETag])
    }

    private static func explorerTile(zoom: Int, style: String) -> APIOperation {
        APIOperation(
            summary: "visited tiles of zoom level \(zoom): `/tiles/\(style)/Z/X/Y[@2x].png`", tag: .statistics,
            detail: "With a window, the tiles that were visited for the first time in it have a colour of their own.",
            parameters: [
                layer,
                APIParameter("theme", .choice(Theme.allCases.map(\.rawValue), default: "light"), "The map below"),
            ] + window, answers: [APIResponse("The tile", png)], traits: [.canBeMissing, .hasETag]
        ).at(["/tiles/\(style)/{z}/{x}/{y}.png", "/tiles/\(style)/{z}/{x}/{y}@2x.png"])
    }
}
