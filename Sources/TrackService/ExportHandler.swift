import HTTPCore
import Locking
import OpenAPI
import Pins
import PrimaryStore
import Replay
import RequestHandling
import Text
import TrackExport
import TrackQuery
import TrackStore

/// Answers with tracks as files for other programs: `/v1/tracks/{id}.gpx` and other formats, `/v1/export`.
///
/// A short export is made before the response begins, so that it has a length and an ETag; a longer one is written as
/// fast as the client reads it, with some chunks in memory.
struct ExportHandler: RequestHandler {
    let context: HandlerContext
    let readablePins: ReplayedPhotos
    private let streams = ExportStreams()

    private var library: Library { context.library }
    /// Exports begin on the queue of long answers, because a condition may skip many tracks before the first one.
    private var queue: WorkQueue { context.queues.long }

    func add(to routes: inout Routes) {
        for format in ExportFormat.allCases {
            routes.on(.get, "/v1/tracks/{id}\(format.ending)", for: .read, as: Self.exportTrack(format)) {
                request, path in
                track(request, id: path["id"], as: format)
            }
        }
        routes.on(.get, "/v1/export", for: .read, as: Self.export, tracks)
    }

    /// Bytes made before the response begins: a day's track.
    private static let readyBytes = 512 * 1024
    /// Limit of ids in one request.
    private static let maxTracks = 100

    /// One track.
    private func track(_ request: Request, id: String, as format: ExportFormat) -> HandlerResult {
        queue.answerCancellably { isDisconnected in
            guard let track = try library.database.track(id: id) else {
                throw Problem.noSuchTrack
            }
            guard format.supportsUntimed || track.untimed < track.points else {
                throw Problem.badRequest(
                    "no point of the track has a time, which \(format.rawValue) requires; use gpx")
            }
            return try reply(
                try TrackExportSource(library, [track]), format,
                name: format.fileName(start: track.start, id: track.id), request, isDisconnected)
        }
    }

    /// The tracks of a window, a layer and a condition, or the tracks named.
    private func tracks(_ request: Request) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        guard let format: ExportFormat = try parameters.choice("format") else {
            throw Problem.badRequest("format is missing; it has to be \(QueryParameters.words(of: ExportFormat.self))")
        }
        let condition = try Self.condition(parameters)
        let ids = try parameters.trackIDs("track", limit: Self.maxTracks)
        let layer = try parameters.layer()
        return queue.answerCancellably { isDisconnected in
            var selection = ExportSelection()
            (selection.from, selection.to) = try parameters.window(library.calendar())
            selection.layer = layer
            selection.condition = condition
            selection.isCancelled = isDisconnected
            let tracks = try ids?.map { id in
                guard let track = try library.database.track(id: id) else {
                    throw Problem.notFound("no track has the id \(id)")
                }
                return track
            }
            let source =
                if let tracks {
                    try selection.source(library, of: tracks)
                } else {
                    try selection.source(
                        library, for: format,
                        forOthersAt: request.caller.isOwner ? nil : TrackDatabase.systemClock())
                }
            return try reply(source, format, name: "tracks" + format.ending, request, isDisconnected)
        }
    }

    private static func condition(_ parameters: QueryParameters) throws(Problem) -> TrackCondition? {
        guard let text = parameters["where"] else { return nil }
        do {
            return try TrackCondition(parsing: text)
        } catch {
            throw Problem.badRequest("where: \(error.description)")
        }
    }

    private func reply(
        _ whole: TrackExportSource, _ format: ExportFormat, name: String, _ request: Request,
        _ isDisconnected: @escaping WorkQueue.DisconnectCheck
    ) throws -> OutgoingResponse {
        var source = whole
        if !request.caller.isOwner { source.admitsContent = readablePins(request.caller) }
        let isClosed = Locked(false)
        var export = Export(
            CancellableExportSource(source) { isDisconnected() || isClosed.withLock { $0 } }, as: format)
        var response = Response.content([], type: format.mediaType, fileName: name)
        var bytes: [UInt8] = []
        do {
            while bytes.count < Self.readyBytes {
                guard let portion = try export.next() else {
                    response.body = .bytes(bytes)
                    return validated(response, for: request)
                }
                bytes += portion
            }
        } catch is ExportError {
            throw Problem.unavailable("the track has just been changed; try again", retryAfterSeconds: 1)
        }
        response.forbidStoring()
        var producer = ExportProducer(export)
        if request.acceptsGzip {
            try producer.compress()
            response.set(.contentEncoding, "gzip")
        }
        response.vary(by: "Accept-Encoding")
        // The disconnect check ends with the beginning of the response.
        response.body = .events(
            try streams.open(producer, behind: bytes) { isClosed.withLock { $0 = true } })
        return .response(response)
    }

    private static func exportTrack(_ format: ExportFormat) -> APIOperation {
        APIOperation(
            "a track as \(format.title)", .tracks, parameters: [.id],
            answers: [APIResponse("The file", APIContent(format.mediaType))], traits: [.canBeMissing, .hasETag])
    }

    private static let export = APIOperation(
        "the tracks of a window, layer or condition as a file", .tracks,
        parameters: [
            APIParameter("format", .words(of: ExportFormat.self), "The format", isRequired: true, example: "gpx"),
            .layer, .trackList,
            APIParameter(
                "where", .name, "A condition, as in `tileserve layers add --where`", example: "activity = ride"),
        ] + .window, answers: [APIResponse("The file, in the media type of its format", APIContent("*/*"))],
        traits: [.canBeMissing, .hasETag])
}

extension ExportFormat {
    fileprivate var title: String {
        switch self {
        case .gpx: "GPX"
        case .geojson: "GeoJSON, a line"
        case .geojsonPoints: "GeoJSON, points"
        case .kml: "KML"
        case .tcx: "TCX"
        case .csv: "CSV"
        case .mfjson: "OGC Moving Features"
        case .gpslog: "GPS Log XML"
        }
    }
}
