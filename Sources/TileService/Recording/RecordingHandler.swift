import HTTPCore
import Recording

/// The routes below `/v1/record`.
struct RecordingHandler: Sendable {
    private let recorder: Recorder
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// A batch of 1,000 Overland points has 600 KB.
    static let body = BodyPolicy.memory(limit: 4 << 20)

    init(_ recorder: Recorder, now: @escaping @Sendable () -> Int64) {
        self.recorder = recorder
        self.now = now
    }

    /// Adds the routes.
    func add(to routes: inout RouterBuilder) {
        let handler = self
        routes.on(.post, "/v1/record/{device}", for: .record, takes: Self.body) { request, path in
            try handler.record(request, .own, device: path["device"])
        }
        routes.on(.post, "/v1/record/{device}/mark", for: .record, takes: Self.body) { request, path in
            try handler.record(request, .waypoint, device: path["device"])
        }
        routes.on(.get, "/v1/record/{device}", for: .read) { request, path in
            guard request.caller.isOwner else { throw Self.ownersOnly }
            return handler.recorder.listRefused(device: path["device"] ?? "")
        }
        routes.on(.delete, "/v1/record/{device}", for: .change) { _, path in
            handler.recorder.removeRefused(device: path["device"] ?? "")
        }
        for end in ["flush", "stop"] {
            routes.on(.post, "/v1/record/{device}/\(end)", for: .record) { request, path in
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

    private static let deviceHeader = HeaderName("X-Limit-D")

    private static let ownersOnly = Problem(
        .forbidden, "only the library's owner can see what devices sent; use the owner's token")

    /// A token of one device must not record for another.
    private func check(_ request: Request, device: String?) throws {
        if let device, device.isEmpty || device.utf8.count > RecordingFormat.deviceLimit {
            throw Problem.badRequest("a device's name has 1 to \(RecordingFormat.deviceLimit) bytes")
        }
        guard case .recorder(let known?, _) = request.caller, let device, device != known else { return }
        throw Problem(.forbidden, "this token is for another device")
    }
}
