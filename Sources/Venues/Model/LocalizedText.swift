/// A text in several languages, as IMDF's LABELS: at least one.
public struct LocalizedText: Sendable, Equatable {
    /// The texts by language tag (BCP 47), ordered by tag; the tag is empty if the source names none.
    public let texts: [(language: String, text: String)]

    /// nil if all texts are empty.
    public init?(_ texts: [(language: String, text: String)]) {
        var seen: Set<String> = []
        let kept = texts.filter { !$0.text.isEmpty && seen.insert($0.language).inserted }
        guard !kept.isEmpty else { return nil }
        self.texts = kept.sorted { $0.language < $1.language }
    }

    /// A text without a language; nil if it is empty.
    public init?(_ text: String?) {
        self.init([("", text ?? "")])
    }

    /// The text in the language, else in English, else without a language, else the first.
    public func text(in language: String? = nil) -> String {
        for wanted in [language, "en", ""].compactMap(\.self) {
            if let found = texts.first(where: { $0.language == wanted }) { return found.text }
            let prefix = wanted + "-"
            if !wanted.isEmpty, let found = texts.first(where: { $0.language.hasPrefix(prefix) }) { return found.text }
        }
        return texts.first?.text ?? ""
    }

    public static func == (one: LocalizedText, other: LocalizedText) -> Bool {
        one.texts.elementsEqual(other.texts) { $0 == $1 }
    }
}
