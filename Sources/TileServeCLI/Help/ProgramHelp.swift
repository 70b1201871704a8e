/// The help texts of the program and of groups of commands.
enum ProgramHelp {
    /// The help text of the program.
    static var text: String {
        let commands = Commands.all.map { ($0.name, $0.screen.summary) }
        return
            ([
                "tileserve draws heat maps of GPS tracks and serves them to any web map.", "",
                "Usage: tileserve COMMAND [OPTION]…", "", "To start:",
                "  tileserve import ~/tracks    imports all track files in a folder",
                "  tileserve serve              serves the map at http://127.0.0.1:8080/", "", "Commands:",
            ]
            + Layout.table(commands, columns: HelpScreen.columns)
            + [
                "", "'tileserve COMMAND --help' shows the help of a command, 'tileserve --version'",
                "shows the version.", "",
                "The library is the folder given by --library, else by $TILESERVE_LIBRARY, else",
                "$XDG_DATA_HOME/tileserve, else ~/.local/share/tileserve. It is created when first",
                "needed.", "",
                "Results are written to standard output, messages to standard error.",
                "Exit codes: 0 success, 1 some files failed or nothing matched, 64 usage error,",
                "65 invalid data, 66 no such input, 69 port in use, 70 internal error, 74 disk.",
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
}
