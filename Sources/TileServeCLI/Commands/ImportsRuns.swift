import PrimaryStore
import Text
import TileService
import TrackImport
internal import TrackStore
import Tracks

extension ImportListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        let imports = try library.database.imports()
        if !isJSON, !imports.isEmpty {
            try context.terminal.say(ImportRecord.row("IMPORT", "TIME", "FILES", "TRACKS", "STREAMS", "GIVEN"))
        }
        for record in imports {
            try context.terminal.say(isJSON ? record.json.text : record.line(calendar))
        }
        if imports.isEmpty { context.terminal.report("tileserve imports list: no imports yet") }
        return .done
    }
}

extension ImportShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        var code = ExitCode.done
        for number in numbers {
            guard let record = try library.database.importRecord(named: number) else {
                context.terminal.report(TextTable.noSuch("import", number))
                code = .noInput
                continue
            }
            for receipt in try library.database.receipts(ofImport: record.number) {
                try context.terminal.say(receipt)
            }
        }
        return code
    }
}

extension ImportUndoCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        var code = ExitCode.done
        for number in numbers {
            guard let record = try library.database.importRecord(named: number) else {
                terminal.report(TextTable.noSuch("import", number))
                code = .noInput
                continue
            }
            let undone = try library.undoImport(importNumber: record.number) { try DiskCache.drop($0, in: folder) }
            let removed = [DisplayText.count(undone.tracks, "track"), DisplayText.count(undone.points, "point")]
            try terminal.say(
                "import \(number): removed ("
                    + (undone.pins > 0
                        ? "\(removed[0]), \(removed[1]) and \(DisplayText.count(undone.pins, "pin"))"
                        : removed.joined(separator: " and "))
                    + ")")
            if let message = undone.removal.message("points", in: folder) {
                terminal.report(message)
                code = code == .done ? .incomplete : code
            }
        }
        return code
    }
}

extension ImportRecord {
    fileprivate static func row(
        _ number: String, _ time: String, _ files: String, _ tracks: String, _ streams: String, _ given: String
    ) -> String {
        [
            number.padded(to: 6), time.padded(to: 16), files.leftPadded(to: 7), tracks.leftPadded(to: 7),
            streams.leftPadded(to: 7), given,
        ].joined(separator: "  ")
    }

    fileprivate func line(_ calendar: DayCalendar) -> String {
        Self.row(
            "\(number)", InstantFormatter.local(time, calendar), DisplayText.count(files),
            DisplayText.count(recordings),
            DisplayText.count(streams), given.map(\.singleLine).joined(separator: " "))
    }
}
