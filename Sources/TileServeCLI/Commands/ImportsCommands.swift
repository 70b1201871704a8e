/// `tileserve imports list`: lists imports.
struct ImportListCommand: Command {
    static let name = "imports list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists imports, newest first",
        about: """
            Lists imports, newest first, with number, time, number of files, number of tracks and streams that \
            contain their data, and the paths that were given. Import 0 contains all recorded points and the data \
            that older versions imported.
            """,
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve imports list", "lists all imports")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        isJSON = given.has(CommonOptions.json)
    }
}

/// `tileserve imports show`: shows the receipts of an import.
struct ImportShowCommand: Command {
    static let name = "imports show"
    static let operands = Operands.some("NUMBER")

    static let screen = HelpScreen(
        usage: "[OPTION]… NUMBER…",
        summary: "shows the receipts of imports",
        about:
            "Shows the receipts of an import, one JSON object per file, as 'tileserve import --json' printed them.",
        options: [LibraryOption.option],
        examples: [("tileserve imports show 3", "shows the result for each file of import 3")])

    let folder: String
    let numbers: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        numbers = given.operands
    }
}

/// `tileserve imports undo`: removes what an import has stored.
struct ImportUndoCommand: Command {
    static let name = "imports undo"
    static let operands = Operands.some("NUMBER")

    static let screen = HelpScreen(
        usage: "[OPTION]… NUMBER…",
        summary: "removes what imports have stored",
        about: """
            Removes the data that an import stored, as 'tileserve tracks remove' does. Data that another import \
            also contains is kept, with its fields. If the command is interrupted, repeat it to continue.
            """,
        options: [LibraryOption.option],
        examples: [("tileserve imports undo 3", "removes the data of import 3 (see 'tileserve imports list')")])

    let folder: String
    let numbers: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        numbers = given.operands
    }
}
