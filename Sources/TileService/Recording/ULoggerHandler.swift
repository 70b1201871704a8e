import HTTPCore
import Recording

/// μlogger's script. The app sends the token as password, receives a cookie, asks for the number of a track, and sends
/// one point a request.
struct ULoggerHandler: Sendable {
    private let recording: RecordingHandler
    private let access: AccessControl

    /// The app sends pictures of up to this size with a point. They are not stored; but if they were rejected, the app
    /// would send the point for ever.
    private static let body = BodyPolicy.memory(limit: 16 << 20)

    init(_ recording: RecordingHandler, _ access: AccessControl) {
        self.recording = recording
        self.access = access
    }

    /// Adds the route.
    func add(to routes: inout RouterBuilder) {
        let handler = self
        routes.on(.post, "/ulogger/client/index.php", for: .session, takes: Self.body) { request, _ in
            handler.recording.recordForm(request) { try handler.response(to: $0, request) }
        }
    }

    /// The response to a form that has no point; nil for one that may have.
    private func response(to form: ULoggerRequest, _ request: Request) throws -> Response? {
        if form.action == .authorize { return try login(form, request) }
        guard request.caller != .anonymous else {
            throw Problem(.unauthorized, "log in first: send action=auth with the token as pass")
        }
        return form.action == .addTrack ? ULoggerRequest.newTrack(at: recording.now()) : nil
    }

    private func login(_ form: ULoggerRequest, _ request: Request) throws -> Response {
        let token = form.parameters.first { $0.name == "pass" }?.value ?? ""
        var response = Acknowledgement.json("{\"error\":false}")
        // On this machine no token is needed.
        if token.isEmpty, request.caller != .anonymous { return response }
        _ = try access.authorization(for: token, to: .record)
        if let cookie = SessionCookie.setting(token) { response.headers.append(cookie) }
        return response
    }
}

/// The form of a request of μlogger.
struct ULoggerRequest {
    /// The values, without pictures.
    let parameters: [(name: String, value: String)]

    /// More than the app sends.
    private static let partLimit = 64

    /// Reads a body. A multipart form that is malformed has no values, and so no action.
    init(_ bytes: [UInt8], contentType: String?) {
        if let boundary = try? FormFiles.boundary(of: contentType) {
            parameters = (try? Self.texts(bytes, boundary)) ?? []
        } else {
            parameters = ULoggerForm.parameters(bytes)
        }
    }

    /// The action; nil if it is missing or unknown.
    var action: ULoggerForm.Action? { ULoggerForm.action(parameters) }

    /// The answer to `addtrack`. Tracks are cut by their gaps, so the number only has to be a new one: seconds since
    /// 1970, within the 31 bits of the app.
    static func newTrack(at milliseconds: Int64) -> Response {
        Acknowledgement.json("{\"error\":false,\"trackid\":\(max(1, milliseconds / 1000 % Int64(Int32.max)))}")
    }

    /// The fields of a multipart form; of a file only that there was one, so that the owner sees it.
    private static func texts(_ bytes: [UInt8], _ boundary: String) throws -> [(name: String, value: String)] {
        try FormPart.all(in: bytes, boundary: boundary, most: partLimit).filter { !$0.field.isEmpty }.map { part in
            guard part.fileName == nil else { return (part.field, "not stored") }
            let content = bytes[Int(part.bytes.lowerBound)..<Int(part.bytes.upperBound)]
            return (part.field, String(decoding: content, as: UTF8.self))
        }
    }
}
