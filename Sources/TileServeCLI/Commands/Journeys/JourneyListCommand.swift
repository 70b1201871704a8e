import HTTPCore
import JourneyService
import Journeys
import PrimaryStore
import Text
import TrackQuery
import TrackStore

/// `tileserve journeys list`: lists journeys.
struct JourneyListCommand: Command {
    static let name = "journeys list"
    static let operands = Operands.none

    private static let person = Option("person", "NAME", "only those of a person; owner for the owner")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists journeys",
        about: "Lists the journeys of all persons, the newest first, with how far they are.",
        options: [LibraryOption.option, person, CommonOptions.json],
        examples: [("tileserve journeys list", "lists all journeys")])

    let folder: String
    let person: String?
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        person = try given.text(Self.person)
        isJSON = given.has(CommonOptions.json)
    }
}

extension JourneyListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let book = JourneyBook(library)
        let now = TrackDatabase.systemClock()
        let journeys = try library.database.read { snapshot in
            try person.map { try snapshot.journeys(of: $0 == "owner" ? nil : $0) } ?? snapshot.journeys()
        }
        if isJSON {
            for journey in journeys {
                try context.terminal.say(try book.json(journey, for: .owner, at: now).text)
            }
            return .done
        }
        guard !journeys.isEmpty else {
            context.terminal.report("tileserve journeys list: no journeys; see 'tileserve journeys add'")
            return .done
        }
        let rows = try journeys.map { journey in
            let summary = try book.summary(of: journey, at: now)
            return [
                journey.id, journey.name.singleLine,
                DisplayText.list(journey.members.map { $0.name ?? "owner" }, "and").singleLine,
                RouteText.kilometres(summary.done), "of " + RouteText.kilometres(summary.metres),
                "\(summary.reached)/\(summary.places)",
            ]
        }
        try context.terminal.out(TextTable.text(rows, numbers: 3..<6))
        return .done
    }
}

/// `tileserve journeys show`: shows journeys.
struct JourneyShowCommand: Command {
    static let name = "journeys show"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "shows how far journeys are",
        about: "Shows what moves journeys on, how far they are, and which places they have reached.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve journeys show 5f2dd97f41d2268a5b0c1d2e3f405160", "shows one journey")])

    let folder: String
    let ids: [String]
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        isJSON = given.has(CommonOptions.json)
    }
}

extension JourneyShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let book = JourneyBook(library)
        let now = TrackDatabase.systemClock()
        let named = try NamedItems(ids, "journey", id: \StoredJourney.id, context.terminal) { id in
            try library.database.read { try $0.journey(id: id) }
        }
        for journey in named.found {
            if isJSON {
                try context.terminal.say(try book.json(journey, for: .owner, at: now).text)
                continue
            }
            let summary = try book.summary(of: journey, at: now)
            var details: [(String, String?)] = [
                ("id", journey.id), ("route", journey.name.singleLine),
                ("persons", DisplayText.list(journey.members.map { $0.name ?? "owner" }, "and").singleLine),
            ]
            switch journey.drive {
            case .focus: details.append(("by", "focus"))
            case .metres(let condition, let factors):
                details.append(("by", "metres" + (condition.map { " of \($0.text)" } ?? "").singleLine))
                for factor in factors { details.append(("factor", "\(factor.factor) for \(factor.condition.text)")) }
            }
            let calendar = try library.calendar()
            details.append(("since", journey.since.map { TextTable.instant($0, calendar) }))
            details.append(("until", journey.until.map { TextTable.instant($0, calendar) }))
            details.append(
                ("done", "\(RouteText.kilometres(summary.done)) of \(RouteText.kilometres(summary.metres))"))
            if let ahead = summary.ahead {
                let distance = RouteText.kilometres(abs(ahead))
                details.append(("pace", ahead < 0 ? "\(distance) behind" : "\(distance) ahead"))
            }
            for place in summary.reachedNames { details.append(("reached", place.singleLine)) }
            details.append(("next", summary.next?.singleLine))
            try context.terminal.say(TextTable.details(details).joined(separator: "\n"))
        }
        return named.code
    }
}

/// `tileserve journeys remove`: removes journeys.
struct JourneyRemoveCommand: Command {
    static let name = "journeys remove"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "removes journeys permanently",
        about: """
            Removes journeys with their sessions. Rewards that these have brought are kept. There is no confirmation, and \
            it cannot be undone.
            """,
        options: [LibraryOption.option],
        examples: [("tileserve journeys remove 5f2dd97f41d2268a5b0c1d2e3f405160", "removes one journey")])

    let folder: String
    let ids: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
    }
}

extension JourneyRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let named = try NamedItems(ids, "journey", id: \String.self, context.terminal) { id in
            try library.database.removeJourney(id, at: TrackDatabase.systemClock()) ? id : nil
        }
        for id in named.found { try context.terminal.say("\(id): removed") }
        return named.code
    }
}
