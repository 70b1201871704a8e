/// What a shell offers for a value or an operand.
enum CompletedValue: Equatable {
    case nothing
    case words([String])
    case files
    case folders

    /// From a placeholder in the help, such as `FILE`, `DIR` or `skip|hold`.
    init(placeholder: String) {
        let name = placeholder.filter { $0.isLetter || $0 == "|" || $0 == "-" || $0.isNumber }
        let words = name.split(separator: "|").map(String.init)
        if words.count > 1, words.contains(where: { $0.contains(where: \.isLowercase) }) {
            self = .words(words)
        } else if ["DIR", "LIBRARY"].contains(name) {
            self = .folders
        } else if name.hasSuffix("FILE") || name == "PATH" {
            self = .files
        } else {
            self = .nothing
        }
    }
}

extension Option {
    /// What a shell offers for its value; nil if it takes none.
    var completedValue: CompletedValue? {
        value.map { choices.isEmpty ? CompletedValue(placeholder: $0) : .words(choices) }
    }
}
