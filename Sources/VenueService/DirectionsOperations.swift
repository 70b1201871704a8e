import HTTPCore
import OpenAPI
import Replay

/// The descriptions of the operations of `/v1/directions`.
extension DirectionsHandler {
    private static let stopDetail =
        "The id of a place, or `LON,LAT`, or `LON,LAT,LEVEL` with a level's id, ordinal or short name"

    private static let stops: [APISchema] = [
        .pattern("^[0-9a-f]{32}$"), .tuple([.longitude, .latitude]),
        // With a level.
        .pattern("^[^,;]+,[^,;]+,[^;]+$"),
    ]

    private static let id = APIParameter("id", .pattern("^[0-9a-f]{32}$"), "The id of directions", in: .path)
    private static let planned = APIResponse("The way", .json(VenueSchemas.directions))
    private static let accepted = APIResponse(
        "The ways through the venue are being prepared", .json(VenueSchemas.directions), status: .accepted)

    static let directions = APIOperation(
        "the way from one place of a venue to another, or one's history", .venues,
        detail: """
            Legs follow each other: on a level, by stairs or lift, outdoors. `state` is `failed` with a reason if \
            there is no way, or no step-free one. `approximate` says that a door or a path is not in the plan. `202` \
            says that it can soon be had from `Location`. Without stops the answer is the history of the caller.
            """,
        parameters: [
            APIParameter("from", .either(stops), stopDetail, example: "11.0003,48.0001"),
            APIParameter(
                "to", .either(stops + [.pattern("^category:[a-z.]{1,40}$")]),
                stopDetail + "; or `category:NAME` for the nearest", example: "category:restroom"),
            APIParameter(
                "via", .pattern("^[^;]+(;[^;]+){0,5}$"),
                "Up to \(DirectionsRequest.viaLimit) stops between, in the same forms, separated by `;`"),
            APIParameter(
                "venue", .pattern("^[0-9a-f]{32}$"), "The id of a venue; without it, the one that has the stops"),
            APIParameter("profile", .choice(["walk", "wheelchair", "nolift"], default: "walk"), "How somebody moves"),
            APIParameter("accessible", .flag, "1 is the same as `profile=wheelchair`"),
        ],
        answers: [
            APIResponse(
                "The way, or the history",
                .json(
                    .either([
                        VenueSchemas.directions, .object([("directions", .list(VenueSchemas.storedDirections))]),
                    ]))), accepted,
        ], traits: .canBeMissing)

    private static let stop = APISchema.either([
        .object([("place", .pattern("^[0-9a-f]{32}$"))], isClosed: true),
        .object(
            [("lon", .longitude), ("lat", .latitude), ("level?", .text(pattern: "^.", maxLength: 100).orNull)],
            isClosed: true),
    ])

    private static let lastStop = APISchema.either([
        stop, .object([("category", .pattern("^[a-z.]{1,40}$"))], isClosed: true),
    ])

    static let post = APIOperation(
        "has a way planned in the background", .venues,
        detail: """
            The event `directions` of `/v1/live` tells the person who asked when it is done. Requests of a person are \
            kept as the history.
            """,
        body: [
            .json(
                .object(
                    [
                        ("venue?", .pattern("^[0-9a-f]{32}$").orNull), ("from", stop),
                        ("via?", .list(stop, limit: DirectionsRequest.viaLimit)), ("to", lastStop),
                        ("profile?", .choice(["walk", "wheelchair", "nolift"])),
                    ], isClosed: true))
        ],
        answers: [APIResponse("It will be at `Location`", .json(VenueSchemas.directions), status: .accepted)],
        traits: .canBeMissing)

    static let show = APIOperation(
        "a way that was asked for", .venues,
        detail: """
            It is as it would be planned now. With a place, `progress` tells what comes next from there. Directions of \
            callers who are not persons are forgotten an hour after they were last asked for.
            """,
        parameters: [
            id, APIParameter("wait", .integer(0...60), "Seconds to wait for it, if it is not planned yet"),
            APIParameter("lon", .longitude, "Where one is"), APIParameter("lat", .latitude, "Where one is"),
            APIParameter("level", .text(), "The id, the ordinal or the short name of the level where one is"),
        ], answers: [planned], traits: .canBeMissing)

    static let remove = APIOperation(
        "removes a way from one's history", .venues, parameters: [id],
        answers: [APIResponse("It is removed", nil, status: .noContent)], traits: .canBeMissing)

    static let geoJSON = APIOperation(
        "a way as GeoJSON, with a feature for each leg", .venues, parameters: [id],
        answers: [APIResponse("The way", APIContent("application/geo+json")), accepted], traits: .canBeMissing)

    static let replay = APIOperation(
        "a way as the events of a replay", .venues,
        detail: "`start`, a `leg` where each leg begins, `frame` with the position and the level, `end`.",
        parameters: [
            id,
            APIParameter(
                "speed", .either([.number(0.1...100_000), .choice(["max"])]),
                "Seconds of the walk per second, 0.1 to 100000, or `max`; 10 without it", example: "10"),
            APIParameter(
                "fps", .integer(FrameRate.rates, default: FrameRate.defaultFramesPerSecond), "Frames per second"),
            APIParameter("lastEventId", .pattern("^[A-Za-z0-9._-]{0,64}$"), "The id of the event to go on behind"),
        ],
        answers: [
            APIResponse("The events", APIContent("text/event-stream")),
            APIResponse("The replay was complete", nil, status: .noContent), accepted,
        ], traits: .canBeMissing)
}
