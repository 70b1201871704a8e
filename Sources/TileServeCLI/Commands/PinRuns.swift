import Pins
internal import PrimaryStore
import Text
import TileService
import TrackExport
import TrackStore
import Tracks

extension PinListCommand {
    /// Fills several screens and needs little memory.
    private static let pagePins = 500

    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        let terminal = context.terminal
        let filter = try selection.filter(of: library)
        var after: String?
        var count = 0
        repeat {
            // Page by page, so that no read transaction stays open while the output blocks.
            let cursor = after
            guard let page = try library.database.read({ try $0.pins(filter, limit: Self.pagePins, after: cursor) })
            else { break }
            var lines = page.pins.map { isJSON ? $0.fullJSON().text : $0.line(calendar) }
            if count == 0, !isJSON, !lines.isEmpty { lines.insert(Pin.heading, at: 0) }
            if !lines.isEmpty { try terminal.out(lines.joined(separator: "\n") + "\n") }
            count += page.pins.count
            after = page.next
        } while after != nil && !context.stop.isRequested
        guard count == 0 else { return .done }
        terminal.report("tileserve pins list: no pin matches")
        return selection.isEmpty ? .done : .incomplete
    }
}

extension PinShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        var code = ExitCode.done
        for (index, id) in ids.enumerated() {
            guard let pin = try PinID(id).flatMap({ try library.database.pin($0) }) else {
                context.terminal.report(TextTable.noSuch("pin", id))
                code = .noInput
                continue
            }
            let lines = (index == 0 ? [] : [""]) + pin.lines(calendar)
            let picture = try PinPictureDetails(pin, library)
            try context.terminal.say(isJSON ? pin.fullJSON(picture: picture).text : lines.joined(separator: "\n"))
        }
        return code
    }
}

extension PinAddCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.made(in: folder, environment: context.environment)
        let pin = try library.database.addPin(content)
        try context.terminal.say(isJSON ? pin.fullJSON().text : pin.id.description)
        return .done
    }
}

extension PinRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        var code = ExitCode.done
        var found: [PinID] = []
        for id in ids {
            if let pin = try PinID(id).flatMap({ try library.database.pin($0) }) {
                if !found.contains(pin.id) { found.append(pin.id) }
            } else {
                terminal.report(TextTable.noSuch("pin", id))
                code = .incomplete
            }
        }
        if !selection.isEmpty { found = try selected(found, library) }
        let person = ids.isEmpty ? selection.wholePerson : nil
        guard !found.isEmpty || person != nil else {
            if !selection.isEmpty { terminal.report("tileserve pins remove: no pin matches") }
            return selection.isEmpty ? .noInput : .incomplete
        }
        let removal: Library.Removal
        if let person {
            // An empty name is the owner.
            let removed = try library.removePins(found, andFeedbackOf: person.isEmpty ? nil : person)
            removal = removed.removal
            guard !found.isEmpty || removed.feedback > 0 else {
                terminal.report("tileserve pins remove: no pin matches")
                return .incomplete
            }
            let feedback = removed.feedback > 0 ? ", and \(removed.feedback) votes, reports and comments" : ""
            try terminal.say("deleted \(DisplayText.count(found.count, "pin"))\(feedback)")
        } else {
            removal = try library.removePins(found)
            try terminal.say("deleted \(DisplayText.count(found.count, "pin"))")
        }
        guard let message = removal.message("pins", in: folder) else { return code }
        terminal.report(message)
        return .incomplete
    }

    /// All pins that the options select; of the given ones, if there are any.
    private func selected(_ given: [PinID], _ library: Library) throws -> [PinID] {
        let filter = try selection.filter(of: library)
        let wanted = Set(given)
        let isAny = ids.isEmpty
        return try library.database.read { snapshot in
            try snapshot.pins(filter, limit: .max) { isAny || wanted.contains($0.id) }?.pins.map(\.id) ?? []
        }
    }
}

extension PinExportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let filter = try selection.filter(of: library)
        let source = try TrackExportSource(library, pins: filter, for: .owner)
        guard source.hasPins else {
            context.terminal.report("tileserve pins export: no pin matches")
            return .incomplete
        }
        var export = Export(source, as: format)
        while !context.stop.isRequested, let bytes = try export.next() {
            if !bytes.isEmpty { try context.terminal.write(bytes) }
        }
        return context.stop.isRequested ? .incomplete : .done
    }
}

extension Pin {
    fileprivate static let heading = row(["ID", "TIME", "PLACE", "CATEGORY", "SOURCE", "CAPTION"])

    fileprivate func line(_ calendar: DayCalendar) -> String {
        let owner = person.map { " (\($0))" } ?? ""
        return Self.row([
            id.description, time.map { InstantFormatter.local($0, calendar) } ?? "-", placeText,
            category?.singleLine.clipped(to: 12) ?? "-", source.rawValue, (caption ?? "-").singleLine + owner,
        ])
    }

    private var placeText: String { "\(place.degrees.longitude),\(place.degrees.latitude)" }

    private static func row(_ cells: [String]) -> String {
        [
            cells[0].padded(to: 32), cells[1].padded(to: 16), cells[2].padded(to: 22), cells[3].padded(to: 12),
            cells[4].padded(to: 8), cells[5],
        ].joined(separator: "  ")
    }

    /// All details, line by line.
    fileprivate func lines(_ calendar: DayCalendar) -> [String] {
        var rows: [(name: String, text: String)] = [("id", id.description), ("place", placeText)]
        func add(_ name: String, _ text: String?) {
            if let text { rows.append((name, text.singleLine)) }
        }
        func instant(_ time: Int64) -> String {
            "\(InstantFormatter.utc(time)) (\(InstantFormatter.local(time, calendar)) \(calendar.zone))"
        }
        add("time", time.map(instant))
        add("person", person)
        add("category", category)
        add("caption", caption)
        add("source", source.rawValue)
        add("located", located.rawValue)
        add("visibility", visibility.rawValue)
        add("expires", expires.map(instant))
        add("stored", instant(created))
        for (name, text) in attributes.sorted(by: { $0.key < $1.key }) { add("\(name) (file)", text) }
        return TextTable.details(rows)
    }
}
