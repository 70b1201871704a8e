import Foundation
import HTTPCore
import Recording
import Text
import Tracks

/// The routes that devices record to, with the acknowledgement that each app expects.
struct RecordingHandler: Sendable {
    private let recorder: Recorder
    private let now: @Sendable () -> Int64

    /// A batch of 1,000 Overland points has 600 KB.
    private static let body = BodyPolicy.memory(limit: 4 << 20)

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
            try handler.record(request, .mark, device: path["device"])
        }
        routes.on(.get, "/v1/record/{device}", for: .read) { request, path in
            guard request.caller == .owner || request.caller == .local else { throw Self.ownersOnly }
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
        for (path, format) in [
            ("/owntracks", RecordingFormat.ownTracks), ("/overland", .overland),
            ("/dawarich/api/v1/points", .dawarich), ("/osmand", .osmAnd), ("/gpslogger", .gpsLogger),
        ] {
            routes.on(.post, path, for: .record, takes: Self.body) { request, _ in
                try handler.record(request, format)
            }
        }
        for (path, format) in [("/osmand", RecordingFormat.osmAnd), ("/gpslogger", .gpsLogger)] {
            routes.on(.get, path, for: .record) { request, _ in
                guard request.method == .get else { throw Problem.methodNotAllowed([.get, .options, .post]) }
                return try handler.record(request, format)
            }
        }
    }

    private func record(_ request: Request, _ format: RecordingFormat, device: String? = nil) throws -> Answer {
        try check(request, device: device)
        let now = now()
        let read = RecordingRequest(
            body: request.content.bytes, parameters: FormParameters.read(request.target.query ?? []),
            headerDevice: request.headers[HeaderName("X-Limit-D")], now: now)
        let sender = Recorder.Sender(format: format, device: device, caller: request.caller)
        return recorder.record(read, from: sender) { try Self.acknowledgement(of: $0, format) }
    }

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

    // MARK: Acknowledgements

    private struct Accepted: Encodable {
        struct Refused: Encodable {
            var point: Int
            var reason: String
        }
        var accepted: Int
        /// Changes of heading.
        var headings: Int?
        var refused: Int
        /// Fields that were dropped from stored points.
        var refusedFields: Int?
        /// The first refusals.
        var reasons: [Refused]?

        init(_ batch: RecordingBatch) {
            accepted = batch.points
            headings = batch.headings > 0 ? batch.headings : nil
            refused = batch.refusedPoints
            refusedFields = batch.refusedFields > 0 ? batch.refusedFields : nil
            reasons = batch.refused.isEmpty ? nil : batch.refused.map { Refused(point: $0.point, reason: $0.reason) }
        }
    }

    /// The response that each app expects: Overland's exact text, OwnTracks' list of messages to show (empty),
    /// Dawarich's stored points.
    private static func acknowledgement(of batch: RecordingBatch, _ format: RecordingFormat) throws -> Response {
        var response: Response
        switch format {
        case .own, .mark: response = try JSONAnswer.response(Accepted(batch))
        case .ownTracks: response = .text("[]", type: "application/json")
        case .overland: response = .text("{\"result\":\"ok\"}", type: "application/json")
        case .dawarich: response = .text(stored(batch), type: "application/json")
        case .osmAnd, .gpsLogger: response = .text("")
        }
        response.set(.cacheControl, "no-store")
        return response
    }

    /// Sequence numbers replace the ids that Dawarich gives its points.
    private static func stored(_ batch: RecordingBatch) -> String {
        let points = batch.devices.flatMap(\.chunks).flatMap { chunk in (0..<chunk.count).map { (chunk, $0) } }
        var json = JSONWriter()
        json.object { json in
            json.key("data")
            json.array(points.enumerated()) { json, numbered in
                let (number, (chunk, index)) = numbered
                json.object { json in
                    json.key("id")
                    json.add(number + 1)
                    json.key("timestamp")
                    json.add(chunk.times[index] / 1000)
                    json.key("longitude")
                    json.add(FixedDecimal(mantissa: chunk.unit.nanodegrees(chunk.longitudes[index]), places: 9))
                    json.key("latitude")
                    json.add(FixedDecimal(mantissa: chunk.unit.nanodegrees(chunk.latitudes[index]), places: 9))
                }
            }
        }
        return json.text
    }
}
