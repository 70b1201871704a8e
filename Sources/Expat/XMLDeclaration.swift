/// What the beginning of a document says about its encoding.
public enum XMLDeclaration {
    /// Longer declarations are not looked through.
    private static let limit = 512

    /// Whether the declaration names ISO-8859-1 or Windows-1252.
    public static func namesSingleBytes(_ beginning: [UInt8]) -> Bool {
        guard beginning.starts(with: "<?xml".utf8), let end = beginning.prefix(limit).firstIndex(of: UInt8(ascii: ">"))
        else { return false }
        let declaration = String(decoding: beginning[..<end], as: UTF8.self).lowercased()
        guard let name = declaration.firstRange(of: "encoding") else { return false }
        let value = declaration[name.upperBound...].drop { $0 == "=" || $0 == "\"" || $0 == "'" || $0.isWhitespace }
        let word = value.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return ["iso-8859-1", "windows-1252", "cp1252"].contains(word)
    }
}
