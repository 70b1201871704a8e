import HTTPCore

extension APIOperations {
    private static let receipt = APIContent.json(.named("Receipt"))
    private static let flushed = APIContent.json(
        .object([
            ("points", .integer(0...Int.max)), ("duplicates", .integer(0...Int.max)), ("tracks", .integer(0...Int.max)),
        ]))

    /// Our own protocol.
    static let recording: Table = [
        Route(.post, "/v1/record/{device}"): APIOperation(
            summary: "records points", tag: .recording, detail: "The answer is sent when the points are on the disk.",
            body: [
                .json(.named("Points")), APIContent("application/x-ndjson"),
                APIContent("application/geo+json", .named("Feature")),
            ], answers: [APIResponse("What was stored and refused", receipt)]),
        Route(.get, "/v1/record/{device}"): APIOperation(
            summary: "counts of the accepted and refused points of a device, for the owner only", tag: .recording,
            answers: [APIResponse("Counts, reasons and the newest refusals", json)], traits: .canBeMissing),
        Route(.delete, "/v1/record/{device}"): APIOperation(
            summary: "deletes the list of what was refused", tag: .recording,
            answers: [APIResponse("It is deleted", nil, status: .noContent)], traits: .canBeMissing),
        Route(.post, "/v1/record/{device}/mark"): APIOperation(
            summary: "records a waypoint", tag: .recording, detail: "Without a time it gets the present one.",
            body: [.json(.named("Point")), .form], answers: [APIResponse("What was stored and refused", receipt)]),
        Route(.post, "/v1/record/{device}/flush"): APIOperation(
            summary: "moves recorded points into the library", tag: .recording,
            answers: [APIResponse("What was moved", flushed)]),
        Route(.post, "/v1/record/{device}/stop"): APIOperation(
            summary: "the same, at the end of a recording", tag: .recording,
            answers: [APIResponse("What was moved", flushed)]),
    ]

    // MARK: Apps

    private static let dawarich: [APISecurity] = [.bearer, .basic, .key, .dawarichKey]
    private static let reitti: [APISecurity] = [.bearer, .basic, .key, .reittiKey, .reittiHeader]
    private static let openGTS: [APISecurity] = [.bearer, .basic, .key, .openGTSAccount]

    /// A POST of an app; `answer` is its exact response.
    private static func post(
        _ summary: String, _ answer: APIContent?, body: [APIContent] = [.json()], status: Status = .ok,
        _ security: [APISecurity]? = nil
    ) -> APIOperation {
        APIOperation(
            summary: summary, tag: .recording, body: body,
            answers: [APIResponse("The points are on the disk", answer, status: status)]
        ).secured(by: security)
    }

    /// A GET of an app, with the point in parameters whose names depend on the app.
    private static func get(
        _ summary: String, _ parameters: [APIParameter], _ security: [APISecurity]? = nil, _ answer: APIContent? = nil
    ) -> APIOperation {
        APIOperation(
            summary: summary, tag: .recording, parameters: parameters,
            answers: [APIResponse("The point is on the disk", answer)]
        ).secured(by: security)
    }

    private static let noMessages = APIContent.json(.list(.object()))
    private static let resultOK = APIContent.json(.object([("result", .choice(["ok"]))]))
    private static let either: [APIContent] = [.json(), .form]

    private static let place = [
        APIParameter("lat", .text(), "Degrees", example: "52.5"),
        APIParameter("lon", .text(), "Degrees", example: "13.4"),
    ]
    private static let time = APIParameter(
        "timestamp", .text(), "RFC 3339, or seconds or milliseconds since 1970", example: "1700000000")
    private static let id = APIParameter("id", .text(), "The device")
    private static let named = [id] + place + [time]
    private static let sentence = [
        APIParameter("dev", .text(), "The device"), id,
        APIParameter("gprmc", .text(), "An RMC sentence of NMEA 0183"),
        APIParameter("alt", .text(), "Metres"), APIParameter("batt", .text(), "Per cent"),
    ]
    private static let forwarded = [
        APIParameter("uniqueId", .text(), "The device"), APIParameter("latitude", .text(), "Degrees"),
        APIParameter("longitude", .text(), "Degrees"), APIParameter("fixTime", .text(), "Milliseconds since 1970"),
        APIParameter("speed", .text(), "Knots"),
    ]

    private static let phoneTrack = ["/apps/phonetrack/", "/index.php/apps/phonetrack/"]

    /// A route of PhoneTrack; the token is in the path.
    private static func phoneTrack(_ start: String, _ method: Method) -> (Route, APIOperation) {
        let isGet = method == .get
        let paths = isGet ? ["logGet", "log/{app}"] : ["logPost", "logPostMultiple", "log/{app}"]
        return (
            Route(method, start + "**"),
            APIOperation(
                summary: isGet ? "a point for PhoneTrack in the query" : "points for PhoneTrack", tag: .recording,
                parameters: isGet ? place + [time] : [], body: isGet ? [] : either,
                answers: [APIResponse("The points are on the disk", json)], traits: .canBeMissing
            ).secured(by: [.none]).at(paths.map { start + $0 + "/{token}/{device}" })
        )
    }

    private static let fixed: Table = [
        Route(.post, "/owntracks"): post("messages of OwnTracks", noMessages),
        Route(.post, "/pub"): post("the same, at the path of OwnTracks Recorder", noMessages),
        Route(.post, "/overland"): post("batches of Overland", resultOK),
        Route(.post, "/dawarich/api/v1/points"): post("batches for Dawarich", json, dawarich),
        Route(.post, "/dawarich/api/v1/overland/batches"): post(
            "batches of Overland for Dawarich", resultOK, status: .created, dawarich),
        Route(.post, "/dawarich/api/v1/owntracks/points"): post(
            "messages of OwnTracks for Dawarich", noMessages, dawarich),
        Route(.post, "/dawarich/api/v1/traccar/points"): post("locations of Dawarich's app", noMessages, dawarich),
        Route(.post, "/reitti/api/v1/ingest/owntracks"): post("messages of OwnTracks for Reitti", noMessages, reitti),
        Route(.post, "/reitti/api/v1/ingest/overland"): post("batches of Overland for Reitti", resultOK, reitti),
        Route(.post, "/reitti/api/v1/ingest/gpslogger"): post(
            "points of GPSLogger and Colota for Reitti", nil, reitti),
        Route(.get, "/osmand"): get("a point of OsmAnd or Traccar in the query", named),
        Route(.post, "/osmand"): post("points of OsmAnd or Traccar", nil, body: either),
        Route(.get, "/gpslogger"): get("a point of GPSLogger in the query", named),
        Route(.post, "/gpslogger"): post("points of GPSLogger", nil, body: either),
        Route(.get, "/colota"): get("a point of Colota in the query", named),
        Route(.post, "/colota"): post("points of Colota", nil),
        Route(.get, "/traccar"): get("a position that a Traccar server forwards, in the query", forwarded),
        Route(.post, "/traccar"): post("positions that a Traccar server forwards", nil, body: either),
        Route(.get, "/gprmc/Data"): get(
            "a point of OpenGTS in the query", sentence, openGTS, APIContent("text/plain")),
        Route(.post, "/gprmc/Data"): post(
            "a point of OpenGTS", APIContent("text/plain"), body: [.form], openGTS),
        Route(.post, "/homeassistant"): post("places of Home Assistant", nil),
        Route(.post, "/ulogger/client/index.php"): post(
            "login, tracks and points of μlogger",
            .json(.object([("error", .boolean), ("trackid?", .integer(1...Int.max))])),
            body: [.form, APIContent("multipart/form-data", .object())]),
        Route(.get, "/dawarich/api/v1/health"): APIOperation(
            summary: "whether apps for Dawarich can connect", tag: .recording,
            answers: [APIResponse("They can", json)]),
        Route(.get, "/dawarich/api/v1/users/me"): APIOperation(
            summary: "the person of the token, else its role, for apps for Dawarich", tag: .recording,
            answers: [APIResponse("The user", json)]
        ).secured(by: dawarich),
        Route(.get, "/dawarich/api/v1/stats"): APIOperation(
            summary: "totals by year and month, for apps for Dawarich", tag: .recording,
            answers: [APIResponse("The totals", json)]
        ).secured(by: dawarich),
    ]

    /// Apps that can be pointed here.
    static let apps: Table = fixed.merging(
        phoneTrack.flatMap { [phoneTrack($0, .get), phoneTrack($0, .post)] }
    ) { first, _ in first }
}
