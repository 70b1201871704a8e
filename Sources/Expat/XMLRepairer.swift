import Glibc

/// An error in a document that was repaired before parsing.
public enum XMLRepair: Sendable, Hashable {
    /// Bytes that are not valid UTF-8, although no other encoding was declared: read as Windows-1252.
    case invalidUTF8
    /// `&` that does not begin a reference: replaced by `&amp;`.
    case bareAmpersands
}

/// Repairs frequent errors that make XML not well-formed, block by block.
///
/// A valid block is returned unchanged, at the cost of a search for three bytes.
@safe
public struct XMLRepairer {
    private enum Context {
        case content, characterData, comment
    }

    private static let characterDataStart = Array("<![CDATA[".utf8)
    private static let characterDataEnd = Array("]]>".utf8)
    private static let commentStart = Array("<!--".utf8)
    private static let commentEnd = Array("-->".utf8)
    /// The longest reference is `&#x10FFFF;`, possibly with leading zeros.
    private static let referenceLimit = 16

    /// The repairs made so far.
    public private(set) var repairs: Set<XMLRepair> = []

    private let isUTF8: Bool
    private var context = Context.content
    /// Bytes at the end of the last block that can only be interpreted together with the next.
    private var held: [UInt8] = []

    /// A repairer for a document in UTF-8, or in a single-byte encoding.
    public init(isUTF8: Bool) {
        self.isUTF8 = isUTF8
    }

    /// The repaired block; some of its bytes may be returned with the next block, unless `isLast`.
    public mutating func repair(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        if held.isEmpty, context == .content, !isLast, !Self.needsScan(bytes, isUTF8: isUTF8) { return bytes }
        let bytes = held.isEmpty ? bytes : held + bytes
        held = []
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 16)
        var at = 0
        var copied = 0
        scan: while at < bytes.count {
            switch step(bytes, at, isLast: isLast) {
            case .pass(let count): at += count
            case .replace(let count, let text):
                result += bytes[copied..<at]
                result += text
                at += count
                copied = at
            case .wait: break scan
            }
        }
        result += bytes[copied..<at]
        held = Array(bytes[at...])
        return result
    }

    /// Whether the block contains `&`, `!` or non-ASCII bytes, or ends with `<`, so that it has to be scanned.
    private static func needsScan(_ bytes: [UInt8], isUTF8: Bool) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            if unsafe memchr(start, 0x26, bytes.count) != nil { return true }
            if unsafe memchr(start, 0x21, bytes.count) != nil { return true }
            if unsafe bytes[bytes.count - 1] == UInt8(ascii: "<") { return true }
            guard isUTF8 else { return false }
            var at = 0
            while at + 8 <= bytes.count {
                if unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
                    return true
                }
                at += 8
            }
            while at < bytes.count {
                if unsafe bytes[at] >= 0x80 { return true }
                at += 1
            }
            return false
        }
    }

    private enum Step {
        case pass(Int)
        case replace(Int, with: [UInt8])
        case wait
    }

    private mutating func step(_ bytes: [UInt8], _ at: Int, isLast: Bool) -> Step {
        let byte = bytes[at]
        if byte >= 0x80 { return isUTF8 ? nonASCII(bytes, at, isLast: isLast) : .pass(1) }
        switch (context, byte) {
        case (.content, UInt8(ascii: "&")): return ampersand(bytes, at, isLast: isLast)
        case (.content, UInt8(ascii: "<")):
            return delimiter(
                bytes, at, isLast, [(Self.characterDataStart, .characterData), (Self.commentStart, .comment)])
        case (.characterData, UInt8(ascii: "]")):
            return delimiter(bytes, at, isLast, [(Self.characterDataEnd, .content)])
        case (.comment, UInt8(ascii: "-")): return delimiter(bytes, at, isLast, [(Self.commentEnd, .content)])
        default: return .pass(1)
        }
    }

    /// Changes the state if one of the delimiters is at this position.
    private mutating func delimiter(_ bytes: [UInt8], _ at: Int, _ isLast: Bool, _ delimiters: [([UInt8], Context)])
        -> Step
    {
        for (delimiter, context) in delimiters {
            let ahead = bytes[at...].prefix(delimiter.count)
            if ahead.elementsEqual(delimiter) {
                self.context = context
                return .pass(delimiter.count)
            }
            if !isLast, ahead.count < delimiter.count, delimiter.starts(with: ahead) { return .wait }
        }
        return .pass(1)
    }

    private mutating func ampersand(_ bytes: [UInt8], _ at: Int, isLast: Bool) -> Step {
        let ahead = bytes[(at + 1)...].prefix(Self.referenceLimit)
        let isCut = at + 1 + Self.referenceLimit > bytes.count
        guard let end = ahead.firstIndex(of: UInt8(ascii: ";")) else {
            if isCut, !isLast { return .wait }
            return replaced()
        }
        return Self.isReference(bytes[(at + 1)..<end]) ? .pass(end + 1 - at) : replaced()
        func replaced() -> Step {
            repairs.insert(.bareAmpersands)
            return .replace(1, with: Array("&amp;".utf8))
        }
    }

    private static func isReference(_ name: ArraySlice<UInt8>) -> Bool {
        if ["amp", "lt", "gt", "quot", "apos"].contains(where: { name.elementsEqual($0.utf8) }) { return true }
        guard name.first == UInt8(ascii: "#") else { return false }
        let digits = name.dropFirst()
        let text = String(decoding: digits, as: UTF8.self)
        let number = text.hasPrefix("x") ? UInt32(text.dropFirst(), radix: 16) : UInt32(text)
        // XML 1.0, 2.2: the only control characters allowed.
        return number.map { [0x09, 0x0A, 0x0D].contains($0) || ($0 >= 0x20 && Unicode.Scalar($0) != nil) } ?? false
    }

    private mutating func nonASCII(_ bytes: [UInt8], _ at: Int, isLast: Bool) -> Step {
        let length: Int
        switch bytes[at] {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: length = 1
        }
        let sequence = bytes[at...].prefix(length)
        if length > 1, sequence.count == length, String(validating: sequence, as: UTF8.self) != nil {
            return .pass(length)
        }
        let canContinue = sequence.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
        if length > 1, sequence.count < length, canContinue, !isLast { return .wait }
        repairs.insert(.invalidUTF8)
        let code = (0x80...0x9F).contains(bytes[at]) ? windows1252[Int(bytes[at]) - 0x80] : Int32(bytes[at])
        let scalar = Unicode.Scalar(UInt32(code > 0 ? code : Int32(bytes[at]))) ?? "?"
        return .replace(1, with: Array(String(scalar).utf8))
    }
}
