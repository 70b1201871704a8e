internal import PrimaryStore
import Text
import TileService
import TrackService
import TrackStore
import Tracks

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
            that older versions imported. Files whose format this version reads differently than the one that \
            imported them are named below.
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

extension ImportListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        let imports = try library.database.imports()
        if !isJSON, !imports.isEmpty {
            try context.terminal.say(ImportRecord.columns.heading)
        }
        let outdated = try imports.map { try library.database.outdatedFiles(of: $0) }
        for (record, files) in zip(imports, outdated) {
            try context.terminal.say(isJSON ? record.json(outdated: files).text : record.line(calendar))
        }
        let count = outdated.reduce(0) { $0 + $1.count }
        if !isJSON, count > 0 {
            try context.terminal.say(
                "\n\(DisplayText.count(count, "file")) of formats that this version reads differently; "
                    + "'tileserve import --again FILE…' reads them again:")
            for (record, files) in zip(imports, outdated) {
                for name in files.names {
                    try context.terminal.say("\(record.number)".padded(to: 6) + "  " + name.singleLine)
                }
            }
        }
        if imports.isEmpty { context.terminal.report("tileserve imports list: no imports yet") }
        return .done
    }
}

extension ImportRecord {
    fileprivate static let columns = ListColumns(columns: [
        .init(title: "IMPORT", width: 6), .init(title: "TIME", width: 16),
        .init(title: "FILES", width: 7, isNumber: true), .init(title: "TRACKS", width: 7, isNumber: true),
        .init(title: "STREAMS", width: 7, isNumber: true), .init(title: "GIVEN"),
    ])

    fileprivate func line(_ calendar: DayCalendar) -> String {
        Self.columns.line([
            "\(number)", InstantFormatter.local(time, calendar), DisplayText.count(files),
            DisplayText.count(recordings), DisplayText.count(streams), given.joined(separator: " "),
        ])
    }
}
