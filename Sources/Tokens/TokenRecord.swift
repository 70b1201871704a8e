public import Digest
public import HTTPCore

/// The rights of a token's holder.
public enum TokenRole: String, Codable, CaseIterable, Sendable {
    /// Everything.
    case owner
    /// A person: may read, record as this person, and add pins and other things of their own.
    case member
    /// May record and read.
    case recorder
    /// May read.
    case viewer
}

/// A stored token: everything but its text.
public struct TokenRecord: Codable, Equatable, Sendable {
    /// A few characters, unique among the tokens of the library.
    public let id: String
    /// The name its owner gave it; unique among the names and ids of all tokens.
    public let name: String
    /// The rights of its holder.
    public let role: TokenRole
    /// The device that a recorder may record for; nil for any.
    public let device: String?
    /// The person who owns the recorded tracks; nil for the library's owner.
    public let person: String?
    /// The name of the edition that a viewer sees; nil for the whole library.
    public internal(set) var edition: String?
    /// The creation time in seconds since 1970.
    public let created: Int64
    /// The token's BLAKE2b digest, in hexadecimal digits.
    ///
    /// Unlike a password's, it needs no salt and no slow hash: 256 random bits cannot be guessed, and the digest is
    /// computed for every request.
    let digest: String

    /// What this token permits.
    public var authorization: Authorization {
        if let edition { return Authorization(tokenID: id, edition: edition) }
        return Authorization(tokenID: id, caller: caller)
    }

    private var caller: Caller {
        switch role {
        case .owner: .owner
        case .recorder: .recorder(device: device, person: person)
        // Every member's token is added with a person.
        case .member: person.map { .member(person: $0) } ?? .viewer
        case .viewer: .viewer
        }
    }
}

/// A token in clear text, shown once.
public struct Token: Sendable {
    /// 43 letters, digits, `-` and `_`: no escaping is needed in a URL.
    public let text: String

    /// A new token of 256 bits from the system's random generator.
    public init() {
        let bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255) }
        text = Self.base64(bytes)
    }

    private static let byteCount = 32

    /// The digest under which a token is stored.
    public static func digest(of text: String) -> ContentDigest {
        ContentDigest(of: Array(text.utf8))
    }

    /// Base64 for URLs, without padding (RFC 4648 5).
    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        var rest: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            rest = rest << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(digits[Int(rest >> bits & 63)])
            }
            rest &= 63
        }
        if bits > 0 { text.append(digits[Int(rest << (6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
