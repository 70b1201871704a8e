import Manual
import Text

/// The help texts of the program, of groups of commands, and of topics.
enum ProgramHelp {
    /// The help text of the program.
    static var text: String {
        let commands = Commands.all.map { ($0.name, $0.screen.summary) }
        let topics = Manual.pages.map { ($0.topic, ManualText.title(of: $0)) }
        return
            ([
                "tileserve draws heat maps of GPS tracks and serves them to any web map.", "",
                "Usage: tileserve COMMAND [OPTION]…", "", "To start:",
                "  tileserve import ~/tracks    imports all track files in a folder",
                "  tileserve serve              serves the map at http://127.0.0.1:8080/", "", "Commands:",
            ]
            + Layout.table(commands, columns: HelpScreen.columns)
            + ["", "Topics of the manual:"] + Layout.table(topics, columns: HelpScreen.columns)
            + [
                "", "'tileserve COMMAND --help' shows the help of a command, 'tileserve help TOPIC' a",
                "page of the manual. 'tileserve help NAME' shows both if a command and a topic",
                "have this name. 'tileserve --version' shows the version.", "",
                "The library is the folder given by --library, else by $TILESERVE_LIBRARY, else",
                "$XDG_DATA_HOME/tileserve, else ~/.local/share/tileserve. It is created when",
                "first needed.", "",
                "Results are written to standard output, messages to standard error.",
                "Exit codes: 0 success, 1 some files failed, some ids do not exist, nothing",
                "matched, or the command was stopped by SIGINT or SIGTERM, 64 usage error,",
                "65 invalid data, 66 no such input (no file or id that was given exists), 69 port",
                "in use, 70 internal error, 74 disk, 128 + N if a second signal, number N, ended",
                "the program at once.",
            ]).joined(separator: "\n") + "\n"
    }

    /// The help text of a group of commands.
    static func text(group: String) -> String {
        let commands = Commands.all.filter { $0.name.hasPrefix(group + " ") }.map { ($0.name, $0.screen.summary) }
        let meaning = Commands.groupDefaults[group].map { ["'tileserve \(group)' is the same as 'tileserve \($0)'."] }
        return
            (["Usage: tileserve \(group) COMMAND [OPTION]…", "", "Commands:"]
            + Layout.table(commands, columns: HelpScreen.columns)
            + ["", "'tileserve \(group) COMMAND --help' shows the help of a command."] + (meaning ?? []))
            .joined(separator: "\n") + "\n"
    }

    /// The help of a command or of a group, if `words` begin with its name.
    static func text(for words: [String]) -> String? {
        guard let first = words.first else { return text }
        if words.count == 1, let group = Commands.group(named: first) { return text(group: group) }
        return (try? Commands.find(words)).map { $0.command.screen.text(name: $0.command.name) }
    }

    /// The topic about a command, by the command's first word, if the topic has another name.
    private static let topics = [
        "addresses": "geocoding", "backup": "library", "cleaning": "import", "completions": "library",
        "explorer": "statistics", "export": "formats", "imports": "import",
        "layers": "tiles", "migrate": "library", "prerender": "tiles", "rebuild": "library", "restore": "library",
        "serve": "access",
        "stats": "statistics", "tokens": "access", "verify": "library",
    ]

    /// What `--help` shows: the help of a command or a group, and the topic about it.
    static func usage(of words: [String]) -> String? {
        guard let text = text(for: words), let first = words.first else { return text(for: words) }
        let name = Commands.group(named: first) ?? first
        return text + "\n'tileserve help \(topics[name] ?? name)' shows the page of the manual.\n"
    }

    /// What `tileserve help` shows: the help of a command or a group, and below it the page of the manual with this name.
    static func text(about words: [String], columns: Int) throws(UsageError) -> String {
        guard let first = words.first else { return text }
        let name = words.count == 1 ? Commands.group(named: first) ?? first : nil
        let page = name.flatMap(Manual.page(about:)).map { ManualText.text(of: $0, columns: columns) }
        let parts = [text(for: words), page].compactMap { $0 }
        guard parts.isEmpty else { return parts.joined(separator: "\n") }
        // The first word may be a group whose command is wrong.
        guard Commands.group(named: first) == nil else { _ = try Commands.find(words); return text }
        let known = Commands.firstWords + Manual.pages.map(\.topic)
        throw .unknownTopic(first, suggestion: SpellingSuggestion.nearest(to: first, of: known))
    }
}
