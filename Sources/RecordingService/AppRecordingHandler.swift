import HTTPCore
import OpenAPI
import Recording
import RequestHandling

/// The routes that apps can be pointed at, with the format and the acknowledgement of each.
struct AppRecordingHandler: RequestHandler {
    let recording: RecordingHandler

    private struct App {
        let path: String
        let format: RecordingFormat
        let acknowledgement: Acknowledgement
        let post: APIOperation
        /// For points that may also come in the query of a GET.
        let get: APIOperation?

        /// An app whose points `summary` describes; `query` does so for a GET, with its parameters.
        init(
            _ path: String, _ format: RecordingFormat, _ acknowledgement: Acknowledgement, _ summary: String,
            body: [APIContent] = [.json], query: (summary: String, parameters: [APIParameter])? = nil,
            _ security: [APISecurity]? = nil
        ) {
            self.path = path
            self.format = format
            self.acknowledgement = acknowledgement
            post = APIOperation(
                summary, .recording, body: body,
                answers: [
                    APIResponse(
                        "The points are on the disk", acknowledgement.content,
                        status: acknowledgement == .batchCreated ? .created : .ok)
                ]
            ).secured(by: security)
            get = query.map { query in
                APIOperation(
                    query.summary, .recording, parameters: query.parameters,
                    answers: [APIResponse("The point is on the disk", acknowledgement.content)]
                ).secured(by: security)
            }
        }
    }

    private static let message = APIContent.json(.object([("_type", .text())]))
    private static let batch = APIContent.json(.object([("locations", .list(.object()))]))

    private static let apps = [
        App("/owntracks", .ownTracks, .noMessages, "messages of OwnTracks", body: [message]),
        App("/pub", .ownTracks, .noMessages, "the same, at the path of OwnTracks Recorder", body: [message]),
        App("/overland", .overland, .resultOK, "batches of Overland", body: [batch]),
        App("/dawarich/api/v1/points", .dawarich, .storedPoints, "batches for Dawarich", .dawarich),
        App(
            "/dawarich/api/v1/overland/batches", .dawarich, .batchCreated, "batches of Overland for Dawarich",
            .dawarich),
        App(
            "/dawarich/api/v1/owntracks/points", .dawarich, .noMessages, "messages of OwnTracks for Dawarich",
            body: [message], .dawarich),
        App(
            "/dawarich/api/v1/traccar/points", .dawarich, .noMessages, "locations of Dawarich's app", body: [batch],
            .dawarich),
        App(
            "/reitti/api/v1/ingest/owntracks", .ownTracks, .noMessages, "messages of OwnTracks for Reitti",
            body: [message],
            .reitti),
        App(
            "/reitti/api/v1/ingest/overland", .overland, .resultOK, "batches of Overland for Reitti",
            body: [batch], .reitti),
        App(
            "/reitti/api/v1/ingest/gpslogger", .gpsLogger, .empty, "points of GPSLogger and Colota for Reitti",
            .reitti),
        App(
            "/osmand", .osmAnd, .empty, "points of OsmAnd or Traccar",
            body: [.json(.object([("location", .object())])), .form],
            query: ("a point of OsmAnd or Traccar in the query", .namedPoint)),
        App(
            "/gpslogger", .gpsLogger, .empty, "points of GPSLogger", body: [.json, .form],
            query: ("a point of GPSLogger in the query", .namedPoint)),
        App(
            "/colota", .colota, .empty, "points of Colota", query: ("a point of Colota in the query", .namedPoint)),
        App(
            "/traccar", .traccar, .empty, "positions that a Traccar server forwards",
            body: [.json(.object([("position", .object())])), .form],
            query: ("a position that a Traccar server forwards, in the query", .forwarded)),
        App(
            "/gprmc/Data", .openGTS, .ok, "a point of OpenGTS", body: [.form],
            query: ("a point of OpenGTS in the query", .sentence), [.bearer, .basic, .key, .openGTSAccount]),
        App("/homeassistant", .homeAssistant, .empty, "places of Home Assistant"),
    ]

    func add(to routes: inout Routes) {
        let recording = recording
        for app in Self.apps {
            let (format, acknowledgement) = (app.format, app.acknowledgement)
            routes.on(.post, app.path, for: .record, takes: RecordingHandler.body, as: app.post) { request, _ in
                recording.record(request, format, acknowledgement)
            }
            guard let get = app.get else { continue }
            routes.on(.get, app.path, for: .record, as: get) { request, _ in
                guard request.method == .get else { throw Problem.methodNotAllowed([.get, .options, .post]) }
                return recording.record(request, format, acknowledgement)
            }
        }
    }
}

extension [APISecurity] {
    static let dawarich: [APISecurity] = [.bearer, .basic, .key, .dawarichKey]
    fileprivate static let reitti: [APISecurity] = [.bearer, .basic, .key, .reittiKey, .reittiHeader]
}

/// Parameters of points in queries, as far as apps agree about them.
extension [APIParameter] {
    static let point = [
        APIParameter("lat", .text(), "Degrees", example: "52.5"),
        APIParameter("lon", .text(), "Degrees", example: "13.4"),
        APIParameter(
            "timestamp", .text(), "RFC 3339, or seconds or milliseconds since 1970", example: "1700000000"),
    ]

    private static let id = [APIParameter("id", .text(), "The device")]
    fileprivate static let namedPoint = id + point
    fileprivate static let sentence =
        [APIParameter("dev", .text(), "The device")] + id + [
            APIParameter("gprmc", .text(), "An RMC sentence of NMEA 0183"), APIParameter("alt", .text(), "Metres"),
            APIParameter("batt", .text(), "Per cent"),
        ]
    fileprivate static let forwarded = [
        APIParameter("uniqueId", .text(), "The device"), APIParameter("latitude", .text(), "Degrees"),
        APIParameter("longitude", .text(), "Degrees"), APIParameter("fixTime", .text(), "Milliseconds since 1970"),
        APIParameter("speed", .text(), "Knots"),
    ]
}
