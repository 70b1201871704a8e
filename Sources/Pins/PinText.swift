/// Checks and normalizes the texts of pins.
public enum PinText {
    /// The maximum length of a caption, in Unicode scalars.
    public static let captionLimit = 2000
    /// The maximum length of a category.
    public static let categoryLimit = 64
    /// The maximum length of another text from a file.
    public static let attributeTextLimit = 8000
    /// The maximum number of texts from a file that a pin keeps.
    public static let attributeLimit = 64
    /// The maximum length of the name of a text from a file, in bytes.
    public static let attributeNameLimit = 128

    /// A text as a caption, normalized and cut; nil if nothing is left.
    public static func caption(_ text: String) -> String? { normalized(text, limit: captionLimit) }

    /// A text of a file, normalized and cut; nil if nothing is left.
    public static func attribute(_ text: String) -> String? { normalized(text, limit: attributeTextLimit) }

    /// A text as a category: in lower case on one line, normalized and cut; nil if nothing is left.
    public static func category(_ text: String) -> String? {
        normalized(text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " "), limit: categoryLimit)
    }

    /// A caption that somebody gives; nil if nothing is left, or if it is too long: only texts of files are cut.
    public static func givenCaption(_ text: String) -> String? {
        text.unicodeScalars.count <= captionLimit ? caption(text) : nil
    }

    /// A category that somebody gives; nil as for captions.
    public static func givenCategory(_ text: String) -> String? {
        text.unicodeScalars.count <= categoryLimit ? category(text) : nil
    }

    /// Removes white space at both ends, and replaces what XML cannot represent, so that every format stores the same
    /// text: exported and imported again, a pin is the same.
    private static func normalized(_ text: String, limit: Int) -> String? {
        var scalars = String.UnicodeScalarView()
        var count = 0
        var isStart = true
        var wasReturn = false
        for scalar in text.unicodeScalars {
            defer { wasReturn = scalar == "\r" }
            if isStart, scalar.properties.isWhitespace { continue }
            if scalar == "\n", wasReturn { continue }
            isStart = false
            guard count < limit else { break }
            scalars.append(replaced(scalar))
            count += 1
        }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return scalars.isEmpty ? nil : String(scalars)
    }

    private static func replaced(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "\r": "\n"
        case "\t", "\n": scalar
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
        default: scalar
        }
    }
}
