import Manual

/// The completions for fish.
enum FishCompletion {
    static func text(_ list: CommandList) -> String {
        var lines = [
            "# Completions of tileserve for fish, made from its table of commands by 'tileserve completions fish'.",
            "",
            "# Whether the words before the cursor begin with these.",
            "function __tileserve_is",
            "    set -l words (commandline -opc)",
            "    test (count $words) -gt (count $argv)",
            "    or return 1",
            "    set -l last (math 1 + (count $argv))",
            "    test \"$words[2..$last]\" = \"$argv\"",
            "end",
            "",
            "# Whether the next word is the command.",
            "function __tileserve_first",
            "    test (count (commandline -opc)) -eq 1",
            "end",
            "",
            "# Whether the next word is that after the name of a group.",
            "function __tileserve_second",
            "    set -l words (commandline -opc)",
            "    test (count $words) -eq 2; and test $words[2] = $argv[1]",
            "end",
            "",
            "complete -c tileserve -f",
            "complete -c tileserve -n __tileserve_first -l help -d 'shows help'",
            "complete -c tileserve -n __tileserve_first -l version -d 'shows the version'",
        ]
        for (word, about) in list.firstWords {
            lines.append("complete -c tileserve -n __tileserve_first -a \(word) -d \(quoted(about))")
        }
        for group in list.groups {
            for (word, about) in list.secondWords(of: group) {
                lines.append("complete -c tileserve -n '__tileserve_second \(group)' -a \(word) -d \(quoted(about))")
            }
        }
        for topic in list.firstWords.map(\.word) + Manual.pages.map(\.topic) {
            lines.append("complete -c tileserve -n '__tileserve_second help' -a \(topic)")
        }
        for command in list.commands {
            let condition = "-n '__tileserve_is \(command.name)'"
            for option in command.options {
                let value = option.completedValue.map { " " + flags(for: $0) } ?? ""
                lines.append("complete -c tileserve \(condition) -l \(option.name)\(value) -d \(quoted(option.text))")
            }
            switch command.completedOperand {
            case .nothing: break
            case .files: lines.append("complete -c tileserve \(condition) -F")
            case .folders: lines.append("complete -c tileserve \(condition) -a '(__fish_complete_directories)'")
            case .words(let words):
                lines.append("complete -c tileserve \(condition) -a \(quoted(words.joined(separator: " ")))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// How the value of an option is completed.
    private static func flags(for value: CompletedValue) -> String {
        switch value {
        case .nothing: "-x"
        case .words(let words): "-x -a \(quoted(words.joined(separator: " ")))"
        case .files: "-r -F"
        case .folders: "-x -a '(__fish_complete_directories)'"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
