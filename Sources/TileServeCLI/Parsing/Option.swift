/// An option of a command, with its help text.
struct Option: Sendable, Hashable {
    /// The name without the dashes.
    let name: String
    /// The placeholder of its value in help; nil for an option without a value.
    let value: String?
    /// A short description.
    let text: String
    /// The name that earlier versions had, which is accepted but not shown; nil if it has not changed.
    var formerName: String?
    /// The values that a shell offers; empty if the placeholder says enough, or any text is a value.
    var choices: [String] = []

    /// `--name`.
    var flag: String { "--\(name)" }
    /// `--name VALUE`.
    var shown: String { value.map { "--\(name) \($0)" } ?? flag }

    init(_ name: String, _ value: String, _ text: String, choices: [String] = []) {
        self.name = name
        self.value = value
        self.text = text
        self.choices = choices
    }

    /// An option without a value.
    init(_ name: String, _ text: String, formerName: String? = nil) {
        self.name = name
        self.value = nil
        self.text = text
        self.formerName = formerName
    }

    /// Whether a word with dashes names this option.
    func isNamed(_ word: String) -> Bool { word == flag || word == formerName.map { "--\($0)" } }
}

/// The operands that a command accepts.
enum Operands: Sendable, Equatable {
    case none
    /// One or none.
    case atMostOne
    /// One or more; the name is shown in help.
    case some(String)
    /// Any number.
    case any
}
