import HTTPCore
import RequestHandling

extension APIOperations {
    private static let pinSelection =
        window + [
            APIParameter(
                "bbox", .text(), "West, south, east, north in degrees; west may be greater than east",
                example: "13,52,14,53"),
            APIParameter("category", .text(), "Pins of this category", example: "hut"),
            APIParameter(
                "layer", .text(), "Pins of times in which their person recorded a track of this layer", example: "all"),
            APIParameter("person", .text(), "Pins of this person; empty for the owner's", example: "bea"),
            APIParameter("source", .choice(["waypoint", "mark", "photo", "hand"]), "Where they came from"),
            APIParameter(
                "hours", .text(), "Hours of the day in the library's time zone; they may wrap", example: "6-9,22-4"),
            APIParameter("months", .text(), "Months; they may wrap", example: "12-2"),
        ]

    private static let ifMatch = APIParameter(
        "If-Match", .text(), "The ETag of the pin: 412 if it has changed since", in: .header)

    private static let theme = APIParameter(
        "theme", .choice(["light", "dark"], default: "light"), "For light or for dark maps")

    private static let nothing = [APIResponse("Done", nil, status: .noContent)]

    /// Pins as lists and tiles.
    static let pins: Table = [
        Route(.get, "/v1/pins"): APIOperation(
            summary: "a list of pins", tag: .pins, detail: "The newest first; those without a time last.",
            parameters: pinSelection + [limit(PinHandler.entryLimit, default: PinHandler.defaultEntries), after],
            answers: [APIResponse("The pins", .json(.named("PinList")))], traits: [.canBeMissing, .hasETag]),
        Route(.post, "/v1/pins"): APIOperation(
            summary: "adds a pin", tag: .pins,
            detail: """
                As a form also with a photo; without `lon` and `lat`, the place is that of the photo, or of the author's \
                tracks at its time (422 if it is not known).
                """,
            body: [.json(.named("NewPin")), APIContent("multipart/form-data", .named("NewPhotoPin"))],
            answers: [
                APIResponse("The pin", .json(.named("Pin")), status: .created),
                APIResponse("The pin of its author that has the same photo", .json(.named("Pin"))),
            ]),
        Route(.get, "/v1/pins/{id}/photo"): APIOperation(
            summary: "a picture of a pin's photo", tag: .pins,
            detail: "`thumb` and `screen` are JPEG without metadata; only its author and the owner get the original.",
            parameters: [
                APIParameter("size", .choice(["thumb", "screen", "original"], default: "screen"), "Which picture")
            ], answers: [APIResponse("The picture", APIContent("image/jpeg"))], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/pins/{id}"): APIOperation(
            summary: "a pin", tag: .pins, answers: [APIResponse("The pin", .json(.named("Pin")))],
            traits: [.canBeMissing, .hasETag]),
        Route(.patch, "/v1/pins/{id}"): APIOperation(
            summary: "edits a pin", tag: .pins, detail: "A JSON merge patch (RFC 7396).", parameters: [ifMatch],
            body: [.json(.named("PinPatch")), APIContent("application/merge-patch+json", .named("PinPatch"))],
            answers: [APIResponse("The pin", .json(.named("Pin")))], traits: .canBeMissing),
        Route(.delete, "/v1/pins/{id}"): APIOperation(
            summary: "removes a pin", tag: .pins, parameters: [ifMatch],
            answers: [
                APIResponse("It is removed everywhere", nil, status: .noContent),
                APIResponse("A part of the removal is pending", json, status: .accepted),
            ], traits: .canBeMissing),
        Route(.put, "/v1/pins/{id}/vote"): APIOperation(
            summary: "votes for a pin", tag: .pins, detail: "Each person has one vote.", answers: nothing,
            traits: .canBeMissing),
        Route(.delete, "/v1/pins/{id}/vote"): APIOperation(
            summary: "retracts the vote", tag: .pins, answers: nothing, traits: .canBeMissing),
        Route(.put, "/v1/pins/{id}/report"): APIOperation(
            summary: "reports a pin", tag: .pins, detail: "The reports of three persons hide it.",
            body: [.json(.object([("reason?", .either([.text(maxLength: 2000), .null]))]))], answers: nothing,
            traits: .canBeMissing),
        Route(.delete, "/v1/pins/{id}/report"): APIOperation(
            summary: "retracts the report", tag: .pins, answers: nothing, traits: .canBeMissing),
        Route(.get, "/v1/pins/{id}/comments"): APIOperation(
            summary: "the comments on a pin", tag: .pins, detail: "The oldest first.",
            answers: [APIResponse("The comments", .json(.object([("comments", .list(.named("Comment")))])))],
            traits: [.canBeMissing, .hasETag]),
        Route(.post, "/v1/pins/{id}/comments"): APIOperation(
            summary: "comments on a pin", tag: .pins, body: [.json(.object([("text", .text(maxLength: 2000))]))],
            answers: [APIResponse("The comment", .json(.named("Comment")), status: .created)], traits: .canBeMissing),
        Route(.post, "/v1/pins/{id}/restore"): APIOperation(
            summary: "shows a pin again that reports have hidden", tag: .pins, answers: nothing, traits: .canBeMissing),
        Route(.get, "/tiles/pins/**.png"): APIOperation(
            summary: "a tile of pins: `/tiles/pins/Z/X/Y[@2x].png`", tag: .pins,
            detail: "Bubbles with the number of their pins, and pins that are alone.",
            parameters: pinSelection + [theme], answers: [APIResponse("The picture", APIContent("image/png"))],
            traits: [.canBeMissing, .hasETag]
        ).at(["/tiles/pins/{z}/{x}/{y}.png", "/tiles/pins/{z}/{x}/{y}@2x.png"]),
        Route(.get, "/tiles/pins.json"): APIOperation(
            summary: "the TileJSON of pins", tag: .pins, detail: "With the bounds of the pins.",
            parameters: pinSelection + [theme], answers: [APIResponse("TileJSON 3.0.0", .json(.named("TileJSON")))],
            traits: [.canBeMissing, .hasETag]),
        Route(.get, "/tiles/pins/{z}/{x}/{y}.json"): APIOperation(
            summary: "what lies where in a tile of pins", tag: .pins,
            detail: "Pixels from the north-western corner; up to 100 ids for each bubble, the newest first.",
            parameters: pinSelection,
            answers: [
                APIResponse(
                    "The bubbles and pins",
                    .json(
                        .object([
                            (
                                "bubbles",
                                .list(
                                    .object([
                                        ("px", .list(.number(0...256), limit: 2)), ("count", .integer(1...Int.max)),
                                        ("pins", .list(.text(), limit: 100)),
                                    ]))
                            )
                        ])))
            ], traits: [.canBeMissing, .hasETag]),
    ]
}
