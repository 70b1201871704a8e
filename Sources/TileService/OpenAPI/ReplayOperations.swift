import HTTPCore
import Replay

extension APIOperations {
    private static let flag = APISchema.choice(["0", "1"], default: "0")

    private static let tilesAtZoom = APIParameter(
        "tiles", .integer(zoom), "Sends `tiles` events that name the tiles of this zoom level that change")

    /// How a replay is played.
    private static let playing = [
        APIParameter(
            "speed", .pattern("^(max|[0-9]+([.][0-9]+)?)$"),
            "Seconds of the track per second, 0.1 to 100000, or `max`; 60 without it", example: "60"),
        APIParameter(
            "fps", .integer(FrameRate.rates, default: FrameRate.defaultFramesPerSecond), "Frames per second"),
        APIParameter(
            "gap", .choice(["skip", "hold"], default: "skip"),
            "Whether a time without points is skipped or lasts its time"),
        APIParameter("seek", .named("Date"), "The instant to start at", example: "2023-06-01T10:00:00Z"),
        tilesAtZoom,
        APIParameter(
            "explorer", .choice(["14", "17"]),
            "Sends `explorer` events when the figures of explorer tiles of this zoom level have grown"),
    ]
    private static let scope =
        window + [
            layer, APIParameter("together", flag, "1 for all tracks on one clock instead of one after the other"),
        ]
    private static let stream = [
        APIParameter("live", flag, "1 to send the events of `/v1/live` too"), device,
        APIParameter("lastEventId", .text(maxLength: 64), "The id of the event to go on behind; as the header"),
        APIParameter("Last-Event-ID", .text(maxLength: 64), "The id of the event to go on behind", in: .header),
    ]
    private static let device = APIParameter(
        "device", .text(), "Up to 100 names of devices, separated by commas: only their live points are sent")

    private static let newest = APIParameter("newest", flag, "1 to begin with the newest point of each device")

    private static let played = [
        APIResponse("The events", events), APIResponse("The replay was complete", nil, status: .noContent),
    ]

    /// Replays, and points as they are recorded.
    static let replay: Table = [
        Route(.get, "/v1/replay"): APIOperation(
            summary: "the events of a replay", tag: .replay,
            detail: """
                A `photo` event, before the first event at or after the time of a pin's photo, has the id of the event \
                before it. An `explorer` event is sent before the event at which the number of visited tiles, the \
                largest cluster or the side of the largest square has grown, and also has the id of the event before it.
                """, parameters: scope + playing + stream, answers: played,
            traits: .canBeMissing),
        Route(.get, "/v1/replay/manifest"): APIOperation(
            summary: "content and duration of a replay", tag: .replay, parameters: scope + playing,
            answers: [APIResponse("What a time slider needs", json)], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/tracks/{id}/replay"): APIOperation(
            summary: "the events of a replay of one track", tag: .replay, parameters: playing + stream, answers: played,
            traits: .canBeMissing),
        Route(.get, "/v1/tracks/{id}/replay/manifest"): APIOperation(
            summary: "content and duration of a replay of one track", tag: .replay, parameters: playing,
            answers: [APIResponse("What a time slider needs", json)], traits: [.canBeMissing, .hasETag]),
        Route(.get, "/v1/live"): APIOperation(
            summary: "points as they are recorded, and changed tiles", tag: .replay,
            parameters: [device, tilesAtZoom, newest],
            answers: [APIResponse("The events", events)]),
    ]
}
