import HTTPCore
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

    /// Tiles, and what they show.
    static let tiles: Table = [
        Route(.get, "/tiles/**.png"): APIOperation(
            summary: "a tile: `/tiles/[STYLE/]Z/X/Y[@2x].png`", tag: .tiles,
            detail: "256 pixels, or 512 with `@2x`. A tile without data is transparent.",
            parameters: tileParameters, answers: [APIAnswer("The tile", png)], canBeMissing: true, isValidated: true,
            paths: [
                "/tiles/{z}/{x}/{y}.png", "/tiles/{z}/{x}/{y}@2x.png", "/tiles/{style}/{z}/{x}/{y}.png",
                "/tiles/{style}/{z}/{x}/{y}@2x.png",
            ]),
        Route(.get, "/tiles.json"): APIOperation(
            summary: "the TileJSON of the default style", tag: .tiles, parameters: tileJSONParameters,
            answers: [APIAnswer("TileJSON 3.0.0", .json(.named("TileJSON")))], canBeMissing: true, isValidated: true),
        Route(.get, "/tiles/{style}.json"): APIOperation(
            summary: "the TileJSON of a style", tag: .tiles, parameters: tileJSONParameters,
            answers: [APIAnswer("TileJSON 3.0.0", .json(.named("TileJSON")))], canBeMissing: true, isValidated: true),
        Route(.get, "/styles"): APIOperation(
            summary: "all styles", tag: .tiles, answers: [APIAnswer("The styles", json)], isValidated: true),
        Route(.get, "/ramps"): APIOperation(
            summary: "all colour ramps", tag: .tiles, answers: [APIAnswer("The ramps", json)], isValidated: true),
        Route(.get, "/layers"): APIOperation(
            summary: "all layers", tag: .tiles, answers: [APIAnswer("The layers", json)], isValidated: true),
        Route(.get, "/legend/{style}.json"): APIOperation(
            summary: "the legend of a style as data", tag: .tiles, parameters: legendParameters,
            answers: [APIAnswer("The legend", json)], canBeMissing: true, isValidated: true),
        Route(.get, "/legend/{style}.png"): APIOperation(
            summary: "the legend of a style as a picture", tag: .tiles, parameters: legendParameters,
            answers: [APIAnswer("The legend", png)], canBeMissing: true, isValidated: true),
        Route(.get, "/v1/at"): APIOperation(
            summary: "who passed a place, and when", tag: .tiles,
            parameters: [
                APIParameter("lon", .number(-180...180), "Degrees", isRequired: true, example: "13.4"),
                APIParameter("lat", .number(-90...90), "Degrees", isRequired: true, example: "52.5"),
                APIParameter("z", .integer(zoom), "The zoom level", isRequired: true, example: "14"),
                APIParameter(
                    "radius", .integer(PlaceQuery.radii, default: PlaceQuery.defaultRadius), "Pixels around the place"),
            ] + selection, answers: [APIAnswer("Person-days and tracks", .json(.named("Visits")))], canBeMissing: true,
            isValidated: true),
    ]
}
