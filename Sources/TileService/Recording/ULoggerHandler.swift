import Foundation
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
            try handler.answer(request)
        }
    }

    private func answer(_ request: Request) throws -> HandlerResult {
        let form = ULoggerRequest(request)
        if form.action == .authorize { return .response(try login(form, request)) }
        guard request.caller != .anonymous else {
            throw Problem(.unauthorized, "log in first: send action=auth with the token as pass")
        }
        if form.action == .addTrack { return .response(ULoggerRequest.newTrack(at: recording.now())) }
        return recording.record([], form.parameters, of: request, .uLogger, .noError)
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

    init(_ request: Request) {
        let bytes = request.content.bytes
        if let boundary = try? FormFiles.boundary(of: request.headers[.contentType]) {
            parameters = Self.texts(bytes, boundary)
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

    /// The parts of a multipart form that are not files.
    private static func texts(_ bytes: [UInt8], _ boundary: String) -> [(name: String, value: String)] {
        let data = Data(bytes)
        let delimiter = Data("--\(boundary)".utf8)
        let separator = Data("\r\n\r\n".utf8)
        var result: [(name: String, value: String)] = []
        var start = data.range(of: delimiter)?.upperBound
        while let from = start, let next = data.range(of: delimiter, in: from..<data.endIndex) {
            start = next.upperBound
            guard let head = data.range(of: separator, in: from..<next.lowerBound) else { continue }
            guard let disposition = HeaderParameter.disposition(ofPart: data[from..<head.lowerBound]),
                let name = HeaderParameter.value(of: "name", in: disposition)
            else { continue }
            guard HeaderParameter.value(of: "filename", in: disposition) == nil else {
                // Its name, so that the owner sees that there was one.
                result.append((name, "not stored"))
                continue
            }
            // The line break before the delimiter is not part of the value.
            let end = max(head.upperBound, next.lowerBound - 2)
            result.append((name, String(decoding: data[head.upperBound..<end], as: UTF8.self)))
        }
        return result
    }
}
