/// An option of a command: what is typed, and what help says of it.
struct Option: Sendable, Hashable {
    /// Without the dashes.
    let name: String
    /// What stands for its value in help; nil for an option that takes none.
    let value: String?
    /// What it does, in a clause.
    let text: String

    /// `--name`.
    var typed: String { "--\(name)" }
    /// `--name VALUE`.
    var shown: String { value.map { "--\(name) \($0)" } ?? typed }

    /// An option with a value.
    init(_ name: String, _ value: String, _ text: String) {
        self.name = name
        self.value = value
        self.text = text
    }

    /// An option that takes no value.
    init(_ name: String, _ text: String) {
        self.name = name
        self.value = nil
        self.text = text
    }
}

/// What a command takes besides options.
enum Operands: Sendable, Equatable {
    case none
    /// One or none.
    case perhaps
    /// One or more, called this in help.
    case some(String)
    /// Any number of them.
    case any
}
