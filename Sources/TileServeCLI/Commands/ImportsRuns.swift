import Text
import TileService
import TrackImport
import TrackStore
import Tracks

extension ImportsListCommand {
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
        if imports.isEmpty { context.terminal.note("tileserve imports list: no imports yet") }
        return .done
    }
}

extension ImportsShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        var code = ExitCode.done
        for number in numbers {
            guard let record = try library.database.importRecord(named: number) else {
                context.terminal.note(noSuchImport(number))
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

extension ImportsUndoCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        var code = ExitCode.done
        for number in numbers {
            guard let record = try library.database.importRecord(named: number) else {
                terminal.note(noSuchImport(number))
                code = .noInput
                continue
            }
            let before = try library.database.totals()
            let pinsBefore = try library.database.read { try $0.pinCount() }
            let removal = try library.undoImport(importNumber: record.number) { try DiskCache.drop($0, in: folder) }
            let after = try library.database.totals()
            let pins = try pinsBefore - library.database.read { try $0.pinCount() }
            let removed = [
                NumberText.count(before.tracks - after.tracks, "track"),
                NumberText.count(before.points - after.points, "point"),
            ]
            try terminal.say(
                "import \(number): removed ("
                    + (pins > 0
                        ? "\(removed[0]), \(removed[1]) and \(NumberText.count(pins, "pin"))"
                        : removed.joined(separator: " and "))
                    + ")")
            if removal != .complete {
                terminal.note(
                    "\(folder): a reader prevented the points from being overwritten on disk; this is done when the library is next opened"
                )
                code = code == .done ? .incomplete : code
            }
        }
        return code
    }
}

private func noSuchImport(_ number: String) -> String {
    "\(number.singleLine): no such import; see 'tileserve imports list'"
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
            "\(number)", InstantFormatter.local(time, calendar), NumberText.count(files), NumberText.count(recordings),
            NumberText.count(streams), given.map(\.singleLine).joined(separator: " "))
    }
}
