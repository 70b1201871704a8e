/// The body of a request.
public enum RequestContent: Sendable {
    case none
    case bytes([UInt8])
    case file(SpooledBody)

    public var byteCount: Int {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(let body): body.byteCount
        }
    }

    /// The bytes of a body in memory; empty otherwise.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = self { return bytes }
        return []
    }
}

/// A body that was written to a temporary file while it arrived; the file is removed when the last reference is gone.
public final class SpooledBody: Sendable {
    /// The path of the file, which can be opened while this object is held.
    public let path: String
    public let byteCount: Int
    private let file: any Sendable

    /// A body at `path`; `file` keeps the file on disk and is released with this object.
    public init(path: String, byteCount: Int, file: any Sendable) {
        self.path = path
        self.byteCount = byteCount
        self.file = file
    }
}
