import TileService
import TrackImport
import TrackStore
import Tracks

extension ImportsListCommand {
    func run(_ surroundings: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        let imports = try library.truth.imports()
        if !isJSON, !imports.isEmpty {
            try surroundings.terminal.say(ImportRecord.row("IMPORT", "TIME", "FILES", "TRACKS", "STREAMS", "GIVEN"))
        }
        for record in imports {
            try surroundings.terminal.say(isJSON ? record.json.text : record.line(calendar))
        }
        if imports.isEmpty { surroundings.terminal.note("tileserve imports list: no imports yet") }
        return .done
    }
}

extension ImportsShowCommand {
    func run(_ surroundings: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        var code = ExitCode.done
        for number in numbers {
            guard let record = try library.truth.importRecord(named: number) else {
                surroundings.terminal.note(noSuchImport(number))
                code = .noInput
                continue
            }
            for receipt in try library.truth.receipts(ofImport: record.number) {
                try surroundings.terminal.say(receipt)
            }
        }
        return code
    }
}

extension ImportsUndoCommand {
    func run(_ surroundings: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = surroundings.terminal
        var code = ExitCode.done
        for number in numbers {
            guard let record = try library.truth.importRecord(named: number) else {
                terminal.note(noSuchImport(number))
                code = .noInput
                continue
            }
            let before = try library.truth.totals()
            let removal = try library.takeBack(importNumber: record.number) { try DiskCache.drop($0, in: folder) }
            let after = try library.truth.totals()
            try terminal.say(
                "import \(number): removed (\(NumberText.count(before.tracks - after.tracks, "track")) and "
                    + "\(NumberText.count(before.points - after.points, "point")))")
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
    "\(number.asOneLine): no such import; see 'tileserve imports list'"
}

extension ImportRecord {
    fileprivate static func row(
        _ number: String, _ time: String, _ files: String, _ tracks: String, _ streams: String, _ given: String
    ) -> String {
        [
            number.padded(to: 6), time.padded(to: 16), files.aligned(to: 7), tracks.aligned(to: 7),
            streams.aligned(to: 7), given,
        ].joined(separator: "  ")
    }

    fileprivate func line(_ calendar: DayCalendar) -> String {
        Self.row(
            "\(number)", InstantTexts.local(time, calendar), NumberText.count(files), NumberText.count(recordings),
            NumberText.count(streams), given.map(\.asOneLine).joined(separator: " "))
    }
}
