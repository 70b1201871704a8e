import Digest
public import HTTPCore

/// What the holder of a token may do.
public enum TokenRole: String, Codable, CaseIterable, Sendable {
    /// Everything.
    case owner
    /// Recording, and looking.
    case recorder
    /// Looking.
    case viewer
}

/// A token as the library knows it: all but the token.
public struct TokenRecord: Codable, Equatable, Sendable {
    /// A few letters that no other token of the library has.
    public let id: String
    /// What its owner calls it; no other token's name or id.
    public let name: String
    /// What its holder may do.
    public let role: TokenRole
    /// The device that a recorder records for; nil for any.
    public let device: String?
    /// Whose the recorded tracks are; nil for the library's owner.
    public let person: String?
    /// When it was made, in seconds since 1970.
    public let created: Int64
    /// The token's BLAKE2b digest, in hexadecimal digits.
    ///
    /// Neither salted nor slow, as digests of passwords have to be: nobody guesses 256 random bits, whatever a guess costs,
    /// and every request pays for it.
    let digest: String

    /// Who holds it.
    public var caller: Caller {
        switch role {
        case .owner: .owner
        case .recorder: .recorder(device: device, person: person)
        case .viewer: .viewer
        }
    }
}

/// A token in clear, to be shown once.
public struct Token: Sendable {
    /// 43 letters, digits, `-` and `_`: they need no escape in a URL.
    public let text: String

    /// A new one, of 256 bits that the system has drawn.
    public init() {
        let bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255) }
        text = Self.base64(bytes)
    }

    private static let byteCount = 32

    /// The digest by which `text` is known.
    static func digest(of text: String) -> ContentDigest {
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
