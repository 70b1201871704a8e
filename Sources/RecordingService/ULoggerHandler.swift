import HTTPCore
import OpenAPI
import Recording
import RequestHandling

/// μlogger's script. The app sends the token as password, receives a cookie, asks for the number of a track, and sends
/// one point a request.
struct ULoggerHandler: RequestHandler {
    let recording: RecordingHandler
    let access: AccessControl

    /// The app sends pictures of up to this size with a point. They are not stored; but if they were rejected, the app
    /// would send the point for ever.
    private static let body = BodyPolicy.memory(limit: 16 << 20)

    func add(to routes: inout Routes) {
        let handler = self
        let operation = APIOperation(
            "login, tracks and points of μlogger", .recording, body: [.form, .multipart],
            answers: [APIResponse("The points are on the disk", Acknowledgement.noError.content)])
        routes.on(
            .post, "/ulogger/client/index.php", for: .session, takes: Self.body, as: operation
        ) { request, _ in
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
