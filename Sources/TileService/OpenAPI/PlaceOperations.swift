import HTTPCore
import Places

extension APIOperations {
    private static let source = "From GeoNames (CC BY 4.0): places with at least 1,000 inhabitants."

    /// Names of places.
    static let places: Table = [
        Route(.get, "/v1/address"): APIOperation(
            summary: "the address of a place, or the nearest place with a name", tag: .places,
            detail: """
                With `kind` `address`, the address that a service or a file has for this place; `metres` is its distance, \
                and `source` whose data it is. Else, with `kind` `nearest`, the nearest place; `metres` is the distance of \
                its centre. \(source)
                """,
            parameters: [
                APIParameter("lon", .number(-180...180), "Degrees", isRequired: true, example: "13.4"),
                APIParameter("lat", .number(-90...90), "Degrees", isRequired: true, example: "52.5"),
            ], answers: [APIResponse("The address or the place", .json(.named("Address")))], traits: .hasETag),
        Route(.get, "/v1/places"): APIOperation(
            summary: "places by the beginning of their names", tag: .places,
            detail:
                "\(source) Larger places are first. `otherName` is the name that was found, if it is not the usual one.",
            parameters: [
                APIParameter(
                    "q", .text(maxLength: PlaceSearch.longestText),
                    "The beginning of a word of the name; behind a comma, of the region or the country",
                    isRequired: true, example: "paris, texas"),
                limit(PlaceNameHandler.maxLimit, default: PlaceNameHandler.defaultLimit),
            ],
            answers: [
                APIResponse(
                    "The places",
                    .json(
                        .object([
                            ("places", .list(.named("NamedPlace"), limit: PlaceNameHandler.maxLimit)),
                            ("source", .choice([Gazetteer.source])),
                        ])))
            ], traits: .hasETag),
    ]
}
