/// A command as the completions and the manual page show it.
struct DescribedCommand: Sendable {
    let name: String
    let screen: HelpScreen
    let takesOperands: Bool

    /// The options, with the one that every command has.
    var options: [Option] { screen.options + [Option("help", "shows this help")] }

    /// What a shell offers for the operands: by the last word of the usage.
    var completedOperand: CompletedValue {
        guard takesOperands, let last = screen.usage.split(separator: " ").last else { return .nothing }
        return CompletedValue(placeholder: String(last))
    }

    /// The words of the name: one, or a group and one.
    var words: [String] { name.split(separator: " ").map(String.init) }
}

/// All commands, as the completions and the manual page show them.
struct CommandList: Sendable {
    /// In the order of the help.
    let commands: [DescribedCommand]
    /// First words of commands that have two words.
    let groups: [String]

    /// The first words of command lines, with descriptions.
    var firstWords: [(word: String, about: String)] {
        let single = commands.filter { $0.words.count == 1 }.map { ($0.name, $0.screen.summary) }
        let grouped = groups.map { group in
            (group, secondWords(of: group).map(\.word).joined(separator: ", "))
        }
        return single + grouped + [("help", "shows help about a command or a topic of the manual")]
    }

    /// The words after the name of a group, with descriptions.
    func secondWords(of group: String) -> [(word: String, about: String)] {
        commands.filter { $0.words.count == 2 && $0.words[0] == group }.map { ($0.words[1], $0.screen.summary) }
    }
}
