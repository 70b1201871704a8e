import Pins
import PrimaryStore
import Text
import TrackStore

/// `tileserve pins remove`: deletes pins.
struct PinRemoveCommand: Command {
    static let name = "pins remove"
    static let operands = Operands.any

    static let screen = HelpScreen(
        usage: "[OPTION]… [ID…]",
        summary: "deletes pins permanently",
        about: """
            Deletes the given pins, or all that the options select: from the library, the map and every running \
            server. There is no confirmation, and it cannot be undone. A marked point stays in its track. With \
            '--person' alone, the votes, reports and comments of the person are deleted, too.
            """,
        options: [LibraryOption.option] + PinSelection.options,
        examples: [
            ("tileserve pins remove 0f3c9a7be41d2268a5b0c1d2e3f40516", "deletes one pin"),
            ("tileserve pins remove --person bea --to 2024-12-31", "deletes the pins of a person and a time"),
        ])

    let folder: String
    let ids: [String]
    let selection: PinSelection

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        selection = try PinSelection(given)
        // Without both, all pins would be deleted.
        if ids.isEmpty, selection.isEmpty { throw .missingOperand("ID") }
    }
}

extension PinRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        let named = try library.pins(named: ids, terminal)
        var found = named.found.map(\.id)
        if !selection.isEmpty { found = try selected(found, library) }
        let person = ids.isEmpty ? selection.wholePerson : nil
        guard !found.isEmpty || person != nil else {
            if !selection.isEmpty { terminal.report("tileserve pins remove: no pin matches") }
            return selection.isEmpty ? named.code : .incomplete
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
        guard let message = removal.message("pins", in: library.name) else { return named.code }
        terminal.report(message)
        return removal.isPending ? .incomplete : named.code
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
