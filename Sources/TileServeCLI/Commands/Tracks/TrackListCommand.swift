import PrimaryStore
import Text
import TrackQuery
import TrackService
import TrackStore
import Tracks

/// `tileserve tracks list`: lists tracks.
struct TrackListCommand: Command {
    static let name = "tracks list"
    static let operands = Operands.none

    private static let activity = Option("activity", "NAME", "only tracks of this activity")
    private static let person = Option("person", "NAME", "only tracks of this person")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists tracks, newest first",
        about: """
            Lists tracks, newest first; tracks without times are at the end. A DATE is a whole day in the library's \
            time zone, or an instant such as 2025-03-30T08:00:00Z.
            """,
        options: [
            LibraryOption.option, LibraryOption.inbox, CommonOptions.from, CommonOptions.to, activity, person,
            ConditionText.option,
            CommonOptions.json,
        ],
        examples: [
            ("tileserve tracks list --from 2025-01-01", "lists tracks since that day"),
            ("tileserve tracks list --where tag=race", "lists the tracks with this tag"),
            ("tileserve tracks list --json | wc -l", "counts tracks (one object per line)"),
        ])

    let folder: String
    let window: DateWindow
    let activity: String?
    let person: String?
    let condition: TrackCondition?
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        window = try DateWindow(given)
        activity = try given.text(Self.activity)?.lowercased()
        person = try given.text(Self.person)
        condition = try ConditionText.condition(given)
        isJSON = given.has(CommonOptions.json)
    }
}

extension TrackListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        let filter = try filter(library, calendar)
        let table = TrackListing(calendar: calendar)
        return try context.printList(
            isJSON ? nil : TrackListing.columns.heading, isFiltered: isFiltered,
            none: "tileserve tracks list: no track matches"
        ) { after in
            let page = try library.database.tracks(filter, limit: CommandEnvironment.pageItems, after: after)
            return page.map { ($0.tracks, $0.next) }
        } lines: { tracks in
            isJSON ? library.entries(of: tracks).map(\.json.text) : tracks.map(table.line)
        }
    }

    private var isFiltered: Bool {
        !window.isEverything || activity != nil || person != nil || condition != nil
    }

    private func filter(_ library: Library, _ calendar: DayCalendar) throws -> TrackFilter {
        var filter = TrackFilter()
        (filter.from, filter.to) = try window.instants(in: calendar)
        if let activity { filter.limit(toActivity: activity) }
        filter.condition = condition
        filter.calendar = calendar
        if let person {
            guard let number = try library.database.personNumber(named: person) else {
                throw SelectionError.noSuchPerson(person)
            }
            filter.person = number
        }
        return filter
    }
}
