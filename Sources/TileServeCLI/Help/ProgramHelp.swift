/// The help texts of the program and of groups of commands.
enum ProgramHelp {
    /// The help text of the program.
    static var text: String {
        let commands = Commands.all.map { ($0.name, $0.screen.summary) }
        return
            ([
                "tileserve draws heat maps of GPS tracks and serves them to any web map.", "",
                "Usage: tileserve COMMAND [OPTION]…", "", "Begin with these two:",
                "  tileserve import ~/tracks    reads every track file in a folder",
                "  tileserve serve              shows the map at http://127.0.0.1:8080/", "", "Commands:",
            ]
            + Layout.table(commands, columns: HelpScreen.columns)
            + [
                "", "'tileserve COMMAND --help' says more about one of them; 'tileserve --version'",
                "says which version this is.", "",
                "The library, a folder, is what --library names, else $TILESERVE_LIBRARY, else",
                "$XDG_DATA_HOME/tileserve, else ~/.local/share/tileserve. It is made when first",
                "needed.", "",
                "Results go to the standard output, everything else to the standard error.",
                "Exit codes: 0 all well, 1 some files failed or nothing matched, 64 wrong usage,",
                "65 bad data, 66 no such input, 69 port taken, 74 disk.",
            ]).joined(separator: "\n") + "\n"
    }

    /// The help text of a group of commands.
    static func text(group: String) -> String {
        let commands = Commands.all.filter { $0.name.hasPrefix(group + " ") }.map { ($0.name, $0.screen.summary) }
        return
            (["Usage: tileserve \(group) COMMAND [OPTION]…", "", "Commands:"]
            + Layout.table(commands, columns: HelpScreen.columns)
            + ["", "'tileserve \(group) COMMAND --help' says more about one of them."])
            .joined(separator: "\n") + "\n"
    }
}
