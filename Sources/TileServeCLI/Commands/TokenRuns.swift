import Foundation
import Text
import Tokens
import TrackImport
internal import TrackStore
import Tracks

extension TokenAddCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.made(in: folder, environment: context.environment)
        let (record, token) = try OpenedLibrary.tokens(in: library.folder).add(
            role: role, name: self.token, device: device, person: person, now: Int64(Date().timeIntervalSince1970))
        // Only the token goes to the standard output, so that scripts can use it.
        try context.terminal.say(token.text)
        context.terminal.report(
            "\(record.name): the token above is permitted to \(record.description); it is not shown again; to remove it: 'tileserve tokens remove "
                + "\(record.name)'")
        return .done
    }
}

extension TokenListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let records = try OpenedLibrary.tokens(in: library.folder).all()
        let calendar = try library.calendar()
        for record in records { try context.terminal.say(isJSON ? record.json.text : record.line(calendar)) }
        if records.isEmpty { context.terminal.report("tileserve tokens list: there are no tokens") }
        return .done
    }
}

extension TokenRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let store = OpenedLibrary.tokens(in: try OpenedLibrary.existing(in: folder).folder)
        var removed = 0
        for name in tokens {
            guard let record = try store.remove(name) else {
                context.terminal.report(TextTable.noSuch("token", name))
                continue
            }
            removed += 1
            try context.terminal.say("\(record.name): removed")
        }
        guard removed > 0 else { return .noInput }
        return removed == tokens.count ? .done : .incomplete
    }
}

extension TokenRecord {
    /// What the token's holder may do.
    fileprivate var description: String {
        switch role {
        case .owner: "do everything"
        case .recorder:
            "read, and record for \(device.map { "the device '\($0)'" } ?? "any device")"
                + (person.map { " of '\($0)'" } ?? "")
        case .member: "read, record as '\(person ?? "")', and add pins, votes and comments"
        case .viewer: "read"
        }
    }

    /// The token as a line of the list.
    fileprivate func line(_ calendar: DayCalendar) -> String {
        let made = InstantFormatter.local(created * 1000, calendar)
        return "\(id)  \(made)  \(name.padded(to: 20))  may \(description)"
    }

    fileprivate var json: JSONObject {
        var object = JSONObject()
        object.add("id", id)
        object.add("name", name)
        object.add("role", role.rawValue)
        object.add("device", device)
        object.add("person", person)
        object.add("created", InstantFormatter.utc(created * 1000))
        return object
    }
}
