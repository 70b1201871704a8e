import Files
import Text

/// The tokens of a library, in the file `access.json` of its folder.
///
/// Separate from the tracks, so that a backup or copy of the tracks does not contain access tokens.
public struct TokenFile: TokenStore {
    public let path: String
    private let folder: String

    /// The largest file read; thousands of tokens need less than 1 MB.
    private static let byteLimit = 4 << 20

    /// The tokens of the library in `folder`, which must exist.
    public init(folder: String) {
        self.folder = folder
        path = folder + "/access.json"
    }

    public var place: String { path }

    /// All tokens, the oldest first; empty if there is no file. Throws a `TokenError` or `FileError`.
    public func all() throws -> [TokenRecord] {
        OwnerOnly.restrict(path)
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try AtomicFile.read(path, limit: Self.byteLimit)
        } catch {
            if error.isMissing { return [] }
            throw error
        }
        guard let tokens = bytes.flatMap({ TokenList.tokens($0) }) else { throw TokenError.damaged(path: path) }
        return tokens
    }

    public func change<Result>(_ body: (inout [TokenRecord]) throws -> Result) throws -> Result {
        let lock = try LockFile.wait(for: folder + "/access.lock")
        defer { withExtendedLifetime(lock) {} }
        let before = try all()
        var tokens = before
        let result = try body(&tokens)
        guard tokens != before else { return result }
        try AtomicFile.write(TokenList.bytes(tokens), to: path)
        return result
    }

    public func revision() -> TokenRevision {
        guard let status = FileStatus.ifExists(of: path) else { return TokenRevision("") }
        let file = status.identity
        // A change makes a new file: its number is another one even where size and time are the same.
        return TokenRevision("\(file.device) \(file.number) \(status.byteCount) \(status.modifiedNanoseconds)")
    }
}

/// Tokens as JSON.
enum TokenList {
    private struct Content: Codable {
        var version = TokenList.version
        var tokens: [TokenRecord] = []
    }

    private static let version = 1

    /// nil if it is not a list of tokens, or one of a newer version.
    static func tokens(_ bytes: [UInt8]) -> [TokenRecord]? {
        guard let content = JSONCoding.value(Content.self, from: bytes), content.version == version else { return nil }
        return content.tokens
    }

    static func bytes(_ tokens: [TokenRecord]) throws -> [UInt8] {
        try JSONCoding.bytes(of: Content(tokens: tokens), isIndented: true)
    }
}
