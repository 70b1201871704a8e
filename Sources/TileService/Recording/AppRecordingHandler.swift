import HTTPCore
import Recording

/// The routes that apps can be pointed at, with the format and the acknowledgement of each.
struct AppRecordingHandler: Sendable {
    private let recording: RecordingHandler

    init(_ recording: RecordingHandler) {
        self.recording = recording
    }

    private struct App {
        let path: String
        let format: RecordingFormat
        let acknowledgement: Acknowledgement
        /// Whether points may also come in the query of a GET.
        let takesGet: Bool

        init(_ path: String, _ format: RecordingFormat, _ acknowledgement: Acknowledgement, takesGet: Bool = false) {
            self.path = path
            self.format = format
            self.acknowledgement = acknowledgement
            self.takesGet = takesGet
        }
    }

    private static let apps = [
        App("/owntracks", .ownTracks, .noMessages),
        // The path of OwnTracks Recorder.
        App("/pub", .ownTracks, .noMessages),
        App("/overland", .overland, .resultOK),
        App("/dawarich/api/v1/points", .dawarich, .storedPoints),
        App("/dawarich/api/v1/overland/batches", .dawarich, .batchCreated),
        App("/dawarich/api/v1/owntracks/points", .dawarich, .noMessages),
        App("/dawarich/api/v1/traccar/points", .dawarich, .noMessages),
        App("/reitti/api/v1/ingest/owntracks", .ownTracks, .noMessages),
        App("/reitti/api/v1/ingest/overland", .overland, .resultOK),
        App("/reitti/api/v1/ingest/gpslogger", .gpsLogger, .empty),
        App("/osmand", .osmAnd, .empty, takesGet: true),
        App("/gpslogger", .gpsLogger, .empty, takesGet: true),
        App("/colota", .colota, .empty, takesGet: true),
        App("/traccar", .traccar, .empty, takesGet: true),
        App("/gprmc/Data", .openGTS, .ok, takesGet: true),
        App("/homeassistant", .homeAssistant, .empty),
    ]

    /// Adds the routes.
    func add(to routes: inout RouterBuilder) {
        let recording = recording
        for app in Self.apps {
            let (format, acknowledgement) = (app.format, app.acknowledgement)
            routes.on(.post, app.path, for: .record, takes: RecordingHandler.body) { request, _ in
                recording.record(request, format, acknowledgement)
            }
            guard app.takesGet else { continue }
            routes.on(.get, app.path, for: .record) { request, _ in
                guard request.method == .get else { throw Problem.methodNotAllowed([.get, .options, .post]) }
                return recording.record(request, format, acknowledgement)
            }
        }
    }
}
