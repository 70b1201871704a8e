internal import PrimaryStore
import TrackService
import TrackStore

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

extension Library {
    /// The imports that have some numbers.
    func imports(named numbers: [String], _ terminal: Terminal) throws -> NamedItems<ImportRecord> {
        try NamedItems(numbers, "import", id: \.number, terminal) { try database.importRecord(named: $0) }
    }
}

extension ImportShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let imports = try library.imports(named: numbers, context.terminal)
        for record in imports.found {
            for receipt in try library.database.receipts(ofImport: record.number) {
                if context.stop.isRequested { return context.stopped() }
                try context.terminal.say(receipt)
            }
        }
        return imports.code
    }
}
