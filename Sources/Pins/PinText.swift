/// Checks and cleans the texts of pins.
public enum PinText {
    /// The maximum length of a caption, in Unicode scalars.
    public static let captionLimit = 2000
    /// The maximum length of a category.
    public static let categoryLimit = 64
    /// The maximum length of another text from a file.
    public static let noteTextLimit = 8000
    /// The maximum number of texts from a file that a pin keeps.
    public static let noteLimit = 64
    /// The maximum length of the name of a text from a file, in bytes.
    public static let noteNameLimit = 128

    /// A text as a caption, cleaned and cut; nil if nothing is left.
    public static func caption(_ text: String) -> String? { cleaned(text, limit: captionLimit) }

    /// A text of a file, cleaned and cut; nil if nothing is left.
    public static func note(_ text: String) -> String? { cleaned(text, limit: noteTextLimit) }

    /// A text as a category: in lower case on one line, cleaned and cut; nil if nothing is left.
    public static func category(_ text: String) -> String? {
        cleaned(text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " "), limit: categoryLimit)
    }

    /// Removes white space at both ends, and replaces what XML cannot represent, so that every format stores the same
    /// text: exported and imported again, a pin is the same.
    private static func cleaned(_ text: String, limit: Int) -> String? {
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
