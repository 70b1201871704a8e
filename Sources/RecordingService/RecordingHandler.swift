import HTTPCore
import OpenAPI
import Recording
import RequestHandling

/// The routes below `/v1/record`.
struct RecordingHandler: RequestHandler {
    let recorder: Recorder
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// A batch of 1,000 Overland points has 600 KB.
    static let body = BodyPolicy.memory(limit: 4 << 20)

    func add(to routes: inout Routes) {
        let handler = self
        routes.on(.post, "/v1/record/{device}", for: .record, takes: Self.body, as: Self.recordPoints) {
            request, path in
            try handler.record(request, .own, device: path["device"])
        }
        routes.on(.get, "/v1/record/{device}", for: .inspect, as: Self.listRefused) { _, path in
            handler.recorder.listRefused(device: path["device"])
        }
        routes.on(.delete, "/v1/record/{device}", for: .change, as: Self.removeRefused) { _, path in
            handler.recorder.removeRefused(device: path["device"])
        }
        routes.on(
            .post, "/v1/record/{device}/mark", for: .record, takes: Self.body, as: Self.recordWaypoint
        ) { request, path in try handler.record(request, .waypoint, device: path["device"]) }
        for (end, summary) in [
            ("flush", "moves recorded points into the library"), ("stop", "the same, at the end of a recording"),
        ] {
            routes.on(.post, "/v1/record/{device}/\(end)", for: .record, as: Self.flush(summary)) { request, path in
                try handler.check(request, device: path["device"])
                return handler.recorder.flush()
            }
        }
    }

    private func record(_ request: Request, _ format: RecordingFormat, device: String?) throws -> HandlerResult {
        try check(request, device: device)
        return record(request, format, device: device, .receipt)
    }

    /// Records the points of a request. A device in the path is used unless the token is for a device.
    func record(
        _ request: Request, _ format: RecordingFormat, device: String? = nil, _ acknowledgement: Acknowledgement
    ) -> HandlerResult {
        let parameters = FormParameters.read(request.target.query ?? [])
        let read = RecordingRequest(
            body: request.content.bytes, parameters: parameters, headerDevice: request.headers[Self.deviceHeader],
            now: now())
        let sender = RecordingSender(format: format, device: device, caller: request.caller)
        return recorder.record(read, from: sender, acknowledgement)
    }

    /// Records the point in a form of μlogger, unless `answer` has a response to it. The form, which may contain a
    /// picture, is read on the queue of bodies.
    func recordForm(
        _ request: Request, device: String? = nil, answer: @escaping @Sendable (ULoggerRequest) throws -> Response?
    ) -> HandlerResult {
        let sender = RecordingSender(format: .uLogger, device: device, caller: request.caller)
        let time = now()
        return recorder.record(bodyBytes: request.content.byteCount, from: sender, .noError) {
            let form = ULoggerRequest(request.content.bytes, contentType: request.headers[.contentType])
            if let response = try answer(form) { return .response(response) }
            return .points(
                RecordingRequest(
                    parameters: form.parameters, headerDevice: request.headers[Self.deviceHeader], now: time))
        }
    }

    // OwnTracks names the device so in its HTTP mode.
    private static let deviceHeader = HeaderName("X-Limit-D")

    /// A token of one device must not record for another.
    private func check(_ request: Request, device: String?) throws {
        if let device, device.isEmpty || device.utf8.count > RecordingFormat.deviceLimit {
            throw Problem.badRequest("a device's name has 1 to \(RecordingFormat.deviceLimit) bytes")
        }
        guard case .recorder(let known?, _) = request.caller, let device, device != known else { return }
        throw Problem(.forbidden, "this token is for another device")
    }

    private static let receipt = [APIResponse("What was stored and refused", Acknowledgement.receipt.content)]

    private static let recordPoints = APIOperation(
        "records points", .recording, detail: "The answer is sent when the points are on the disk.",
        parameters: [.device],
        body: [.json(points), APIContent("application/x-ndjson"), APIContent("application/geo+json", feature)],
        answers: receipt)

    private static let recordWaypoint = APIOperation(
        "records a waypoint", .recording, detail: "Without a time it gets the present one.", parameters: [.device],
        body: [.json(point), .form], answers: receipt)

    private static let listRefused = APIOperation(
        "counts of the accepted and refused points of a device, for the owner only", .recording, parameters: [.device],
        answers: [APIResponse("Counts, reasons and the newest refusals", .json)], traits: .canBeMissing)

    private static let removeRefused = APIOperation(
        "deletes the list of what was refused", .recording, parameters: [.device],
        answers: [APIResponse("It is deleted", nil, status: .noContent)], traits: .canBeMissing)

    private static func flush(_ summary: String) -> APIOperation {
        APIOperation(
            summary, .recording, parameters: [.device],
            answers: [
                APIResponse(
                    "What was moved",
                    .json(.object([("points", .count), ("duplicates", .count), ("tracks", .count)])))
            ])
    }

    /// Further members are stored as fields.
    private static let point = APISchema.object([
        ("t", .either([.text(), .number(-Double.infinity...Double.infinity)])), ("lon", .longitude), ("lat", .latitude),
        ("ele?", .number(-9998...1_000_000)), ("speed?", .number(0...12_000)), ("course?", .number(0...360)),
        ("hacc?", .amount), ("battery?", .number(0...100)), ("mark?", .boolean), ("name?", .text(maxLength: 10_000)),
    ]).named("Point")

    private static let feature = APISchema.either([
        .object([("type", .choice(["Feature"])), ("geometry", .object()), ("properties?", .object())]),
        .object([("type", .choice(["FeatureCollection"])), ("features", .list(.object()))]),
    ]).named("Feature")

    private static let points = APISchema.either([.object([("points", .list(point))]), .list(point), point, feature])
        .named("Points")
}

extension APITag {
    static let recording = APITag("recording", "Points from devices and apps")
}

extension APIParameter {
    static let device = APIParameter(
        "device", .text(maxLength: RecordingFormat.deviceLimit), "The name of a device, 1 to 200 bytes", in: .path)
}
