import BaseMap
import Countries
import HTTPCore
import RequestHandling
import Styling

extension APIOperations {
    private static let view = APIParameter(
        "view", .choice(CountryView.allCases.map(\.rawValue), default: "ne"),
        "Whether areas without a code of ISO 3166-1 are listed (`ne`) or count for the country that ISO lists")

    private static let theme = APIParameter(
        "theme", .choice(Theme.allCases.map(\.rawValue), default: "light"), "The map below")

    private static let parameters =
        [
            APIParameter(
                "by", .choice(LedgerGrouping.allCases.map(\.rawValue), default: "country"), "What counts as one"),
            view,
        ] + window + [layer, person]

    private static let tileParameters = [view, layer, person, theme] + window

    /// The ledger of countries.
    static let countries: Table = [
        Route(.get, "/v1/countries"): APIOperation(
            summary: "the countries or regions of the tracks", tag: .statistics,
            detail: "With their status, distinct days and nights, and the distance in and above them.",
            parameters: parameters, answers: [APIResponse("The countries", .json(.named("Countries")))],
            traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/countries/{code}"): APIOperation(
            summary: "when somebody was in a country", tag: .statistics,
            detail: "A country in which nobody was has an empty list; an unknown code is a 404.",
            parameters: [
                APIParameter(
                    "code", .pattern("^([A-Za-z]{2}|[Xx]-[A-Za-z]{3})$"),
                    "ISO 3166-1 with two letters, or `X-` and Natural Earth's three letters", in: .path, example: "NL")
            ] + parameters,
            answers: [APIResponse("The intervals", .json(.list(.named("CountryInterval"))))],
            traits: [.canBeMissing, .hasETag]),
        Route(.get, "/tiles/countries/**.png"): APIOperation(
            summary: "countries filled by their status: `/tiles/countries/Z/X/Y[@2x].png`", tag: .statistics,
            detail: "Outlines are made for zoom levels up to \(CountryMap.deepestZoom).",
            parameters: tileParameters, answers: [APIResponse("The tile", png)], traits: [.canBeMissing, .hasETag]
        ).at(["/tiles/countries/{z}/{x}/{y}.png", "/tiles/countries/{z}/{x}/{y}@2x.png"]),
        Route(.get, "/tiles/countries.json"): APIOperation(
            summary: "the TileJSON of countries", tag: .statistics, parameters: tileParameters,
            answers: [APIResponse("TileJSON 3.0.0", .json(.named("TileJSON")))], traits: .hasETag),
        Route(.get, "/legend/countries.json"): APIOperation(
            summary: "the colours of countries", tag: .statistics, parameters: [theme],
            answers: [APIResponse("The legend", json)], traits: .hasETag),
        Route(.get, "/legend/countries.png"): APIOperation(
            summary: "the same as a picture", tag: .statistics, parameters: [theme],
            answers: [APIResponse("The legend", png)], traits: .hasETag),
    ]
}
