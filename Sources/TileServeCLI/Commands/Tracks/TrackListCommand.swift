import PrimaryStore
import Text
import TrackQuery
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
        let terminal = context.terminal
        var after: String?
        var count = 0
        if let filter = try filter(library, calendar) {
            let table = TrackListing(calendar)
            repeat {
                // Page by page, so that no read transaction stays open while the output blocks.
                guard let page = try library.database.tracks(filter, limit: Self.pageTracks, after: after)
                else { break }
                var lines = page.tracks.map { isJSON ? $0.json.text : table.line($0) }
                if count == 0, !isJSON, !lines.isEmpty { lines.insert(table.heading, at: 0) }
                if !lines.isEmpty { try terminal.out(lines.joined(separator: "\n") + "\n") }
                count += page.tracks.count
                after = page.next
            } while after != nil && !context.stop.isRequested
        }
        guard count == 0 else { return .done }
        terminal.report("tileserve tracks list: no track matches")
        return isFiltered ? .incomplete : .done
    }

    /// Fills several screens and needs little memory.
    private static let pageTracks = 500

    private var isFiltered: Bool {
        !window.isEverything || activity != nil || person != nil || condition != nil
    }

    /// The filter of the options; nil if nothing can match.
    private func filter(_ library: Library, _ calendar: DayCalendar) throws -> TrackFilter? {
        var filter = TrackFilter()
        (filter.from, filter.to) = try window.instants(in: calendar)
        if let activity { filter.limit(toActivity: activity) }
        filter.condition = condition
        filter.calendar = calendar
        if let person {
            guard let number = try library.database.personNumber(named: person) else { return nil }
            filter.person = number
        }
        return filter
    }
}
