import BaseMap
import HTTPCore
import Poster
import RequestHandling
import Styling
import TileDrawing

extension APIOperations {
    private static let tileParameters =
        selection + appearance + [
            APIParameter("v", .text(), "A revision: while it is the current one, the tile may be cached for ever")
        ]

    private static let legendParameters =
        [APIParameter("z", .integer(zoom), "The zoom level that the counts are of")] + selection + appearance

    private static let tileJSONParameters =
        [APIParameter("scale", .choice(["1", "2"], default: "1"), "2 for tiles of 512 pixels")] + selection + appearance

    private static let baseMapParameters = [
        APIParameter(
            "theme", .choice(Theme.allCases.map(\.rawValue), default: "light"), "For light or for dark maps"),
        APIParameter(
            "show", .choice(BaseMap.Content.allCases.map(\.rawValue), default: "all"),
            "`land` without names, or only `names` on a transparent background"),
    ]

    private static let posterParameters =
        [
            APIParameter("bbox", .text(), "`W,S,E,N` in degrees", isRequired: true, example: "5.9,45.8,10.5,47.8"),
            APIParameter(
                "paper", .text(), "A size (\(PaperSize.names.joined(separator: ", "))), or `WxHmm`", example: "A3"),
            APIParameter(
                "dpi", .integer(PosterRequest.resolutions, default: PosterRequest.defaultDPI), "Pixels an inch of a PNG"
            ),
            APIParameter(
                "format", .choice(PosterRequest.Format.allCases.map(\.rawValue), default: "pdf"), "The file format"),
            APIParameter("title", .text(maxLength: PosterRequest.titleLimit), "The title below the map"),
            APIParameter("style", .text(), "A style, as in `/styles`", example: "heat"),
            APIParameter(
                "theme", .choice(Theme.allCases.map(\.rawValue), default: "light"), "The background"),
            APIParameter(
                "base", .choice(PosterRequest.Base.allCases.map(\.rawValue), default: "map"),
                "Land, water, borders and names below the heat, or nothing"),
        ] + selection

    /// Tiles, and what they show.
    static let tiles: Table = [
        Route(.get, "/tiles/**.png"): APIOperation(
            summary: "a tile: `/tiles/[STYLE/]Z/X/Y[@2x].png`", tag: .tiles,
            detail: "256 pixels, or 512 with `@2x`. A tile without data is transparent.",
            parameters: tileParameters, answers: [APIResponse("The tile", png)], traits: [.canBeMissing, .hasETag]
        ).at([
            "/tiles/{z}/{x}/{y}.png", "/tiles/{z}/{x}/{y}@2x.png", "/tiles/{style}/{z}/{x}/{y}.png",
            "/tiles/{style}/{z}/{x}/{y}@2x.png",
        ]),
        Route(.get, "/tiles/base/**.png"): APIOperation(
            summary: "a tile of the built-in base map: `/tiles/base/Z/X/Y[@2x].png`", tag: .tiles,
            detail:
                "Land, water, borders and names from Natural Earth. Generalised for zoom levels 0 to 8; deeper tiles "
                + "enlarge these outlines.",
            parameters: baseMapParameters, answers: [APIResponse("The tile", png)], traits: [.canBeMissing, .hasETag]
        ).at(["/tiles/base/{z}/{x}/{y}.png", "/tiles/base/{z}/{x}/{y}@2x.png"]),
        Route(.get, "/tiles/base.json"): APIOperation(
            summary: "the TileJSON of the built-in base map", tag: .tiles, parameters: baseMapParameters,
            answers: [APIResponse("TileJSON 3.0.0", .json(.named("TileJSON")))], traits: .hasETag),
        Route(.get, "/v1/basemaps"): APIOperation(
            summary: "the base maps of other servers that the web page offers", tag: .tiles,
            answers: [APIResponse("Names and URLs of tiles", json)], traits: .hasETag),
        Route(.get, "/tiles.json"): APIOperation(
            summary: "the TileJSON of the default style", tag: .tiles, parameters: tileJSONParameters,
            answers: [APIResponse("TileJSON 3.0.0", .json(.named("TileJSON")))], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/tiles/{style}.json"): APIOperation(
            summary: "the TileJSON of a style", tag: .tiles, parameters: tileJSONParameters,
            answers: [APIResponse("TileJSON 3.0.0", .json(.named("TileJSON")))], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/styles"): APIOperation(
            summary: "all styles", tag: .tiles, answers: [APIResponse("The styles", json)], traits: .hasETag),
        Route(.get, "/ramps"): APIOperation(
            summary: "all colour ramps", tag: .tiles, answers: [APIResponse("The ramps", json)], traits: .hasETag),
        Route(.get, "/layers"): APIOperation(
            summary: "all layers", tag: .tiles, answers: [APIResponse("The layers", json)], traits: .hasETag),
        Route(.get, "/legend/{style}.json"): APIOperation(
            summary: "the legend of a style as data", tag: .tiles, parameters: legendParameters,
            answers: [APIResponse("The legend", json)], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/legend/{style}.png"): APIOperation(
            summary: "the legend of a style as a picture", tag: .tiles, parameters: legendParameters,
            answers: [APIResponse("The legend", png)], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/at"): APIOperation(
            summary: "who passed a place, and when", tag: .tiles,
            parameters: [
                APIParameter("lon", .number(-180...180), "Degrees", isRequired: true, example: "13.4"),
                APIParameter("lat", .number(-90...90), "Degrees", isRequired: true, example: "52.5"),
                APIParameter("z", .integer(zoom), "The zoom level", isRequired: true, example: "14"),
                APIParameter(
                    "radius", .integer(PlaceQuery.radii, default: PlaceQuery.defaultRadius), "Pixels around the place"),
            ] + selection, answers: [APIResponse("Person-days and tracks", .json(.named("Visits")))],
            traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/poster"): APIOperation(
            summary: "a map to print", tag: .tiles,
            detail:
                "The map fills the page around the box; lines and letters have the same width in millimetres at every "
                + "resolution. A PNG has at most \(PosterRequest.pixelLimit / 1_000_000) million pixels.",
            parameters: posterParameters, answers: [APIResponse("The poster", APIContent("application/pdf"))],
            traits: .canBeMissing),
    ]
}
