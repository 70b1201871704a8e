import HTTPCore
import Recording
import RequestHandling

/// The form of a request of μlogger.
struct ULoggerRequest {
    /// The values, without pictures.
    let parameters: [(name: String, value: String)]

    /// More than the app sends.
    private static let partLimit = 64

    /// Reads a body. A multipart form that is malformed has no values, and so no action.
    init(_ bytes: [UInt8], contentType: String?) {
        if let boundary = try? FormPart.boundary(of: contentType) {
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
