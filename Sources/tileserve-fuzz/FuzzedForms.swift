import Files
import RequestHandling

/// Forms (`multipart/form-data`).
enum FuzzedForms {
    private static let boundary = "b"
    private static let partLimit = 16

    /// Any bytes have parts within their bounds, in order, or are refused.
    static func read(_ bytes: [UInt8]) {
        guard let folder, (try? AtomicFile.write(bytes, to: folder.path + "/form", durability: .cached)) != nil,
            let parts = try? FormPart.all(path: folder.path + "/form", boundary: boundary, most: partLimit)
        else { return }
        precondition(parts.count <= partLimit, "more parts than the limit")
        var end: Int64 = 0
        for part in parts {
            precondition(part.bytes.lowerBound >= end, "parts that overlap")
            precondition(part.bytes.upperBound <= Int64(bytes.count), "a part behind the end")
            end = part.bytes.upperBound
            let content = Array(bytes[Int(part.bytes.lowerBound)..<Int(part.bytes.upperBound)])
            let delimiter = Array("\r\n--\(boundary)\r\n".utf8)
            precondition(!contains(content, delimiter), "a part with a delimiter")
        }
    }

    private static let folder = try? TemporaryFolder()

    private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
        bytes.count >= wanted.count
            && (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
    }
}
