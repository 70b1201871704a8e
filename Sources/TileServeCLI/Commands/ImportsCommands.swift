import TrackStore

/// `tileserve imports list`: lists imports.
struct ImportsListCommand: Command {
    static let name = "imports list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists imports, newest first",
        about: """
            Lists imports, the newest first: number, time, files, the recordings and streams that have something of it, \
            and what was given. Import 0 stands for what was there before imports were kept, and for what was recorded.
            """,
        options: [LibraryFolder.option, ImportCommand.json],
        examples: [("tileserve imports list", "lists all imports")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        isJSON = given.has(ImportCommand.json)
    }
}

/// `tileserve imports show`: shows the receipts of an import.
struct ImportsShowCommand: Command {
    static let name = "imports show"
    static let operands = Operands.some("NUMBER")

    static let screen = HelpScreen(
        usage: "[OPTION]… NUMBER…",
        summary: "shows the receipts of imports",
        about:
            "Shows the receipts of an import's files, an object of JSON each, as 'tileserve import --json' gave them.",
        options: [LibraryFolder.option],
        examples: [("tileserve imports show 3", "shows what became of each file of import 3")])

    let folder: String
    let numbers: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        numbers = given.operands
    }
}

/// `tileserve imports undo`: removes what an import has stored.
struct ImportsUndoCommand: Command {
    static let name = "imports undo"
    static let operands = Operands.some("NUMBER")

    static let screen = HelpScreen(
        usage: "[OPTION]… NUMBER…",
        summary: "takes imports back, as if they had never been",
        about: """
            Takes imports back: what they brought, and no other import has brought too, is forgotten everywhere, as by \
            'tileserve tracks remove'. What another import also brought stays, with the fields that it had. One that was \
            broken off goes on when the command is repeated.
            """,
        options: [LibraryFolder.option],
        examples: [("tileserve imports undo 3", "takes back import 3, as 'tileserve imports list' numbers it")])

    let folder: String
    let numbers: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        numbers = given.operands
    }
}
