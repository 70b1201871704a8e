import Digest
import Files
import Foundation

/// Why tokens could not be read or added.
public enum TokenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file is not a token list, or is of a newer version.
    case damaged(path: String)
    /// Another token has this name or id.
    case nameTaken(String)

    public var description: String {
        switch self {
        case .damaged(let path):
            "\(path): not a valid token list; restore a backup, or remove the file and add the tokens again"
        case .nameTaken(let name):
            "\(name): another token has this name; remove it first or choose another name"
        }
    }
}

/// The tokens of a library, in the file `access.json` of its folder.
///
/// Separate from the tracks, so that a backup or copy of the tracks does not contain access tokens.
public struct TokenFile: Sendable {
    public let path: String
    private let folder: String

    private struct Content: Codable {
        var version = TokenFile.version
        var tokens: [TokenRecord] = []
    }

    private static let version = 1
    /// The largest file read; thousands of tokens need less than 1 MB.
    private static let byteLimit = 4 << 20
    private static let idLength = 5

    /// The tokens of the library in `folder`, which must exist.
    public init(folder: String) {
        self.folder = folder
        path = folder + "/access.json"
    }

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
        guard let bytes, let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
            content.version == Self.version
        else { throw TokenError.damaged(path: path) }
        return content.tokens
    }

    /// Adds a token; it is stored when this returns. If `name` is nil, its id becomes its name; `now` is in seconds
    /// since 1970.
    public func add(
        role: TokenRole, name: String?, device: String? = nil, person: String? = nil, now: Int64
    ) throws -> (record: TokenRecord, token: Token) {
        try change { tokens in
            let taken = Set(tokens.flatMap { [$0.id, $0.name] })
            if let name, taken.contains(name) { throw TokenError.nameTaken(name) }
            var id = Self.randomID()
            while taken.contains(id) { id = Self.randomID() }
            let token = Token()
            let record = TokenRecord(
                id: id, name: name ?? id, role: role, device: device, person: person, created: now,
                digest: "\(Token.digest(of: token.text))")
            tokens.append(record)
            return (record, token)
        }
    }

    /// Removes the token of this name or id; nil if there is none.
    public func remove(_ name: String) throws -> TokenRecord? {
        try change { tokens in
            guard let index = tokens.firstIndex(where: { $0.name == name || $0.id == name }) else { return nil }
            return tokens.remove(at: index)
        }
    }

    private func change<Result>(_ body: (inout [TokenRecord]) throws -> Result) throws -> Result {
        let lock = try LockFile.wait(for: folder + "/access.lock")
        defer { withExtendedLifetime(lock) {} }
        let before = try all()
        var tokens = before
        let result = try body(&tokens)
        guard tokens != before else { return result }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try AtomicFile.write(Array(try encoder.encode(Content(tokens: tokens))), to: path)
        return result
    }

    /// Random characters, without letters and digits that look alike.
    private static func randomID() -> String {
        let letters = Array("23456789abcdefghjkmnpqrstuvwxyz")
        return String((0..<idLength).compactMap { _ in letters.randomElement() })
    }
}
