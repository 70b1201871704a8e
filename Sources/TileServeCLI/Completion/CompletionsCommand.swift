import Text

/// `tileserve completions`: prints what shells and `man` need to know about the commands.
struct CompletionsCommand: Command {
    static let name = "completions"
    static let operands = Operands.some("shell")

    enum Format: String, CaseIterable {
        case bash, zsh, fish
        /// The page for `man`.
        case man
    }

    static let screen = HelpScreen(
        usage: "bash|zsh|fish|man",
        summary: "prints completions for a shell, or the page for man",
        about: """
            Prints the script with which bash, zsh or fish completes commands, options and their values, or the page that \
            'man tileserve' shows. Packages install them; they are made from the same table as the help.
            """,
        options: [],
        examples: [
            (
                "tileserve completions bash",
                "for ~/.local/share/bash-completion/completions/tileserve"
            ),
            ("tileserve completions fish", "for ~/.config/fish/completions/tileserve.fish"),
            ("tileserve completions man", "for ~/.local/share/man/man1/tileserve.1"),
        ])

    let format: Format

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        let text = try given.onlyOperand()
        guard let format = Format(rawValue: text.lowercased()) else {
            throw .badOperand(text, expected: .oneOf(Format.allCases.map(\.rawValue)))
        }
        self.format = format
    }

    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let list = context.commands
        let text =
            switch format {
            case .bash: BashCompletion.text(list)
            case .zsh: ZshCompletion.text(list)
            case .fish: FishCompletion.text(list)
            case .man: ManPage.text(list)
            }
        try context.terminal.out(text)
        return .done
    }
}
