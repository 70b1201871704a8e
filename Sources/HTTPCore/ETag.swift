public import Digest

/// A validator: the same tag means the same bytes.
public struct ETag: Hashable, Sendable, CustomStringConvertible {
    /// The text between the quotes.
    public let opaque: String

    /// The tag of a digest: the first half of it, as 32 hexadecimal digits.
    public init(_ digest: ContentDigest) {
        opaque = String(digest.description.prefix(32))
    }

    /// The tag with this text, which must not contain quotes, blanks, control characters or non-ASCII bytes.
    public init?(opaque: String) {
        guard opaque.utf8.allSatisfy({ $0 > 0x20 && $0 != Characters.quote && $0 < 0x7f }) else { return nil }
        self.opaque = opaque
    }

    /// The header value, in quotes.
    public var description: String { "\"\(opaque)\"" }

    /// Whether an `If-None-Match` header names this tag: weak comparison, lists and `*` (RFC 9110 13.1.2). Entries that
    /// are not valid tags are ignored.
    public func matches(ifNoneMatch header: ArraySlice<UInt8>) -> Bool {
        matches(header, strongly: false)
    }

    /// Whether an `If-Match` header names this tag: as `matches(ifNoneMatch:)`, but weak tags never match (RFC 9110
    /// 13.1.1).
    public func matches(ifMatch header: ArraySlice<UInt8>) -> Bool {
        matches(header, strongly: true)
    }

    /// The tag of the same content compressed with gzip: other bytes, so another tag.
    public var compressed: ETag { ETag(unchecked: opaque + Self.compressedEnding) }

    private static let compressedEnding = "-gzip"

    private init(unchecked opaque: String) { self.opaque = opaque }

    /// The tag of compressed content matches, too: who has it has the same content.
    private func matches(_ header: ArraySlice<UInt8>, strongly: Bool) -> Bool {
        let header = Self.trimmed(header)
        if header.elementsEqual([Characters.asterisk]) { return true }
        var rest = header
        while !rest.isEmpty {
            rest = rest.drop { $0 == Characters.comma || Self.isBlank($0) }
            let isWeak = rest.starts(with: [UInt8(ascii: "W"), UInt8(ascii: "/")])
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == Characters.quote else {
                rest = rest.drop { $0 != Characters.comma }
                continue
            }
            rest = rest.dropFirst()
            let end = rest.firstIndex(of: Characters.quote) ?? rest.endIndex
            if end < rest.endIndex, !(isWeak && strongly), names(rest[..<end]) { return true }
            rest = rest[end...].dropFirst()
        }
        return false
    }

    private func names(_ tag: ArraySlice<UInt8>) -> Bool {
        guard tag.starts(with: opaque.utf8) else { return false }
        let ending = tag.dropFirst(opaque.utf8.count)
        return ending.isEmpty || ending.elementsEqual(Self.compressedEnding.utf8)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == Characters.space || byte == Characters.tab
    }

    fileprivate static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }
}

extension Request {
    /// Whether the client's `If-None-Match` names `tag`; several headers count as one list.
    public func alreadyHas(_ tag: ETag) -> Bool {
        if let one = headers.single(.ifNoneMatch) { return tag.matches(ifNoneMatch: one) }
        guard let several = headers[.ifNoneMatch] else { return false }
        return tag.matches(ifNoneMatch: Array(several.utf8)[...])
    }

    /// Whether the client's `If-None-Match` is `*`, which names no form of the content.
    public var acceptsAnyTag: Bool {
        headers.single(.ifNoneMatch).map { ETag.trimmed($0).elementsEqual([Characters.asterisk]) } ?? false
    }

    /// Throws a `412` if the request has an `If-Match` that does not name `tag`, the current one.
    public func checkPrecondition(_ tag: ETag) throws(Problem) {
        guard let wanted = headers[.ifMatch], !tag.matches(ifMatch: Array(wanted.utf8)[...]) else { return }
        throw Problem(
            .preconditionFailed, "it has changed since it was read (If-Match); read it again and repeat the change")
    }
}
