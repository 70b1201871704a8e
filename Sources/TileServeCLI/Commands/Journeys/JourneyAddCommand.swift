import JourneyService
import Journeys
import PrimaryStore
import Text
import TrackQuery
import TrackStore
import Tracks

/// `tileserve journeys add`: begins a journey along a route.
struct JourneyAddCommand: Command {
    static let name = "journeys add"
    static let operands = Operands.some("ROUTE")

    private enum Drive: String, CaseIterable {
        case focus, metres
    }
    private static let by = Option(
        "by", "DRIVE", "focus (the default), or metres: what moves it on", choices: Drive.allCases.map(\.rawValue))
    private static let factor = Option(
        "factor", "FACTOR=CONDITION",
        "how much the metres of some tracks count, for example '4=activity = swim'; repeatable")
    private static let since = Option("since", "DATE", "metres count from this day or instant on")
    private static let until = Option("until", "DATE", "the day or instant of arrival, to tell how far ahead it is")
    private static let person = Option("person", "NAME", "who takes part, the owner without it; repeatable for a team")

    static let screen = HelpScreen(
        usage: "[OPTION]… ROUTE",
        summary: "begins a journey along a route",
        about: """
            Begins a journey of a person or a team. By focus, sessions move it on, which are started on the page or over \
            HTTP. By metres, recorded tracks do: those that match --where, each minute of a person once.
            """,
        options: [LibraryOption.option, by, ConditionText.option, factor, since, until, person],
        examples: [
            ("tileserve journeys add taiwan", "begins a journey of the owner by focus"),
            (
                "tileserve journeys add --by metres --where activity=walk --since 2026-01-01 canada",
                "walks through Canada with what was recorded since then"
            ),
        ])

    let folder: String
    let route: String
    let drive: JourneyDrive
    let since: DateText?
    let until: DateText?
    let persons: [String?]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        route = try given.onlyOperand()
        let by: Drive = try given.choice(Self.by) ?? .focus
        let condition = try ConditionText.condition(given)
        let factors = try given.allValues(Self.factor, .factor, Self.factor)
        since = try given.value(Self.since, .date) { DateText($0) }
        until = try given.value(Self.until, .date) { DateText($0) }
        if by == .focus {
            for option in [ConditionText.option, Self.factor, Self.since] where given.has(option) {
                throw .onlyWith(option, "--by metres")
            }
        }
        drive = by == .focus ? .focus : .metres(condition, factors)
        let names = try given.allValues(Self.person, .notEmpty) { $0.isEmpty ? nil : $0 }
        persons = names.isEmpty ? [nil] : names.map { $0 == "owner" ? nil : $0 }
    }

    private static func factor(_ text: String) -> JourneyFactor? {
        guard let equals = text.firstIndex(of: "="), let factor = FixedDecimal(String(text[..<equals]))?.double,
            (0.001...1000).contains(factor),
            let condition = try? TrackCondition(parsing: String(text[text.index(after: equals)...]))
        else { return nil }
        return JourneyFactor(condition, factor: factor)
    }
}

extension JourneyAddCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        try library.addBuiltInRoutes()
        let calendar = try library.calendar()
        let (begin, end) = (since?.begin(in: calendar), until?.end(in: calendar))
        if let begin, let end, begin >= end { throw UsageError.emptyWindow }
        let journey = NewJourney(route: route, drive: drive, since: begin, until: end, members: persons)
        switch try library.database.add(journey) {
        case .added(let id): try context.terminal.say(id)
        case .noRoute:
            context.terminal.report(TextTable.noSuch("route", route))
            return .noInput
        case .tooMany:
            context.terminal.report(
                "tileserve journeys add: a person has at most \(StoredJourney.limit) journeys; remove some first")
            return .incomplete
        }
        return .done
    }
}
