import HTTPCore
import OpenAPI
import Recording
import RequestHandling

/// The paths of PhoneTrack for Nextcloud: its app calls `logPost/TOKEN/DEVICE`, other apps `log/APP/TOKEN/DEVICE`.
struct PhoneTrackHandler: RequestHandler {
    let recording: RecordingHandler

    /// What follows the token in a path.
    private struct Target {
        let format: RecordingFormat
        let acknowledgement: Acknowledgement
        let methods: [Method]
        /// Whether the path ends with that of μlogger's script.
        var isULogger = false
    }

    /// By the segments before the token. Each is answered as PhoneTrack does.
    private static let targets: [[String]: Target] = [
        ["logGet"]: Target(format: .phoneTrack, acknowledgement: .done, methods: [.get]),
        ["logPost"]: Target(format: .phoneTrack, acknowledgement: .done, methods: [.post]),
        ["logPostMultiple"]: Target(format: .phoneTrack, acknowledgement: .done, methods: [.post]),
        ["log", "osmand"]: Target(format: .osmAnd, acknowledgement: .noMessages, methods: [.get]),
        ["log", "locusmap"]: Target(format: .phoneTrack, acknowledgement: .noMessages, methods: [.get, .post]),
        ["log", "gpslogger"]: Target(format: .gpsLogger, acknowledgement: .noMessages, methods: [.get, .post]),
        ["log", "owntracks"]: Target(format: .ownTracks, acknowledgement: .noMessages, methods: [.post]),
        ["log", "overland"]: Target(format: .overland, acknowledgement: .resultOK, methods: [.post]),
        ["log", "traccar"]: Target(format: .osmAnd, acknowledgement: .success, methods: [.post]),
        ["log", "opengts"]: Target(format: .openGTS, acknowledgement: .isTrue, methods: [.get, .post]),
        ["log", "ulogger"]: Target(format: .uLogger, acknowledgement: .noError, methods: [.post], isULogger: true),
    ]

    /// What PhoneTrack shows as device in the URLs it suggests.
    private static let placeholders: Set<String> = ["", "yourname", "devicename", "name"]
    private static let script = ["client", "index.php"]

    func add(to routes: inout Routes) {
        let handler = self
        for start in ["/apps/phonetrack/", "/index.php/apps/phonetrack/"] {
            routes.on(.get, start + "**", for: .record, as: Self.phoneTrackPoint(start)) { request, _ in
                try handler.answer(request)
            }
            routes.on(
                .post, start + "**", for: .record, takes: RecordingHandler.body, as: Self.phoneTrackPoints(start)
            ) { request, _ in try handler.answer(request) }
        }
    }

    private func answer(_ request: Request) throws -> HandlerResult {
        guard let (target, device) = Self.target(request.target.segments ?? []) else {
            throw Problem.notFound("PhoneTrack has no such path; expected logPost/TOKEN/DEVICE or log/APP/TOKEN/DEVICE")
        }
        guard target.methods.contains(request.method) else {
            throw Problem.methodNotAllowed(target.methods + [.options])
        }
        if let device, device.utf8.count > RecordingFormat.deviceLimit {
            throw Problem.badRequest("a device's name has 1 to \(RecordingFormat.deviceLimit) bytes")
        }
        guard target.isULogger else {
            return recording.record(request, target.format, device: device, target.acknowledgement)
        }
        return recording.recordForm(request, device: device) { form in
            form.action == .addPosition ? nil : ULoggerRequest.newTrack(at: recording.now())
        }
    }

    private static func target(_ segments: [String]) -> (Target, device: String?)? {
        guard let start = segments.firstIndex(of: "phonetrack") else { return nil }
        let rest = segments[(start + 1)...]
        let name = Array(rest.prefix(rest.first == "log" ? 2 : 1))
        guard let target = targets[name] else { return nil }
        // The token, and the device, which some apps leave out.
        var last = Array(rest.dropFirst(name.count))
        if target.isULogger {
            guard last.suffix(2) == script[...] else { return nil }
            last.removeLast(2)
        }
        guard (1...2).contains(last.count) else { return nil }
        let device = last.count == 2 && !placeholders.contains(last[1]) ? last[1] : nil
        return (target, device)
    }

    private static func phoneTrackPoint(_ start: String) -> APIOperation {
        phoneTrack(
            "a point for PhoneTrack in the query", start, ["logGet", "log/{app}"], apps(sending: .get),
            parameters: .point,
            body: [])
    }

    private static func phoneTrackPoints(_ start: String) -> APIOperation {
        phoneTrack(
            "points for PhoneTrack", start, ["logPost", "logPostMultiple", "log/{app}"], apps(sending: .post),
            parameters: [],
            body: [.json, .form])
    }

    /// A route of PhoneTrack; the token is in the path.
    private static func phoneTrack(
        _ summary: String, _ start: String, _ paths: [String], _ apps: [String], parameters: [APIParameter],
        body: [APIContent]
    ) -> APIOperation {
        let app = APIParameter("app", .choice(apps), "The app that sends the points", in: .path)
        return APIOperation(
            summary, .recording, parameters: [app] + path + parameters, body: body,
            answers: [APIResponse("The points are on the disk", .json(answer))], traits: .canBeMissing
        ).secured(by: [.none]).at(paths.map { start + $0 + "/{token}/{device}" })
    }

    /// The apps that send points by a method, and that `log/APP` names.
    private static func apps(sending method: Method) -> [String] {
        targets.filter { $0.key.count == 2 && !$0.value.isULogger && $0.value.methods.contains(method) }
            .map { $0.key[1] }.sorted()
    }

    /// Each app gets what it expects.
    private static let answer = APISchema.either([.object(), .list(.object()), .boolean])

    private static let path = [
        APIParameter("token", .text(), "A recorder's token", in: .path), .device,
    ]
}
