import PrimaryStore
import Text
import TrackService
import TrackStore

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

extension ImportUndoCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        let imports = try library.imports(named: numbers, terminal)
        var code = imports.code
        for record in imports.found {
            if context.stop.isRequested { return context.stopped("repeat the command to continue") }
            let undone = try library.undoImport(importNumber: record.number) { try DiskCache.drop($0, of: library) }
            let removed = [DisplayText.count(undone.tracks, "track"), DisplayText.count(undone.points, "point")]
            try terminal.say(
                "import \(record.number): removed ("
                    + (undone.pins > 0
                        ? "\(removed[0]), \(removed[1]) and \(DisplayText.count(undone.pins, "pin"))"
                        : removed.joined(separator: " and "))
                    + ")")
            if let message = undone.removal.message("points", in: library.name) {
                terminal.report(message)
                if undone.removal.isPending { code = .incomplete }
            }
        }
        return code
    }
}
