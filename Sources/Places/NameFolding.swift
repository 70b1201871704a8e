/// Makes names comparable for searching: lower case without accents, with a blank between words and nothing else that is
/// neither letter nor digit.
struct NameFolding: Sendable {
    /// What characters beyond ASCII become; those that are not listed become lower case.
    private let table: [UInt32: [UInt8]]

    init(_ table: [UInt32: [UInt8]]) { self.table = table }

    /// Appends a folded name; returns whether there was a letter or digit.
    @discardableResult
    func append(_ name: ArraySlice<UInt8>, to folded: inout [UInt8]) -> Bool {
        let start = folded.count
        var isBlankDue = false
        func add(_ byte: UInt8) {
            if isBlankDue, folded.count > start { folded.append(UInt8(ascii: " ")) }
            isBlankDue = false
            folded.append(byte)
        }
        func addASCII(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): add(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): add(byte | 0x20)
            // An apostrophe joins what it is between.
            case UInt8(ascii: "'"): break
            default: isBlankDue = true
            }
        }
        if name.allSatisfy({ $0 < 0x80 }) {
            name.forEach(addASCII)
            return folded.count > start
        }
        for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
            if scalar.isASCII {
                addASCII(UInt8(truncatingIfNeeded: scalar.value))
            } else if let known = table[scalar.value] {
                for byte in known {
                    if byte < 0x80 { addASCII(byte) } else { add(byte) }
                }
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                scalar.properties.lowercaseMapping.utf8.forEach(add)
            } else if !Self.isMark(scalar) {
                isBlankDue = true
            }
        }
        return folded.count > start
    }

    /// The folded name.
    func folded(_ name: some StringProtocol) -> [UInt8] {
        var folded: [UInt8] = []
        append(Array(name.utf8)[...], to: &folded)
        return folded
    }

    /// Whether a scalar is written above or below others, and has no meaning of its own.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }
}
