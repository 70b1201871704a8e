import Countries
import Places
import Text
import TrackStore

/// `tileserve countries`: shows the countries or regions of the tracks.
struct CountriesCommand: Command {
    static let name = "countries"
    static let operands = Operands.none

    private static let grouping = Option("by", "country|region", "what a line shows (default: country)")
    private static let view = Option(
        "view", "iso|ne",
        "areas without a code of ISO 3166-1: ne lists them separately (default), iso adds them to a country")
    private static let layer = Option("layer", "NAME", "only tracks of this layer (default: all)")
    private static let person = Option(
        "person", "NAME", "only tracks of this person; empty for the owner of the library")
    private static let stay = Option(
        "stay", "DURATION", "minimum time at one place that counts as a visit (default: 1h)")
    private static let ground = Option(
        "ground", "DURATION", "minimum total time on the ground that counts as a visit (default: 4h)")
    private static let night = Option(
        "night", "HOUR",
        "the hour at which a night is counted: a country gets a night if the person is there at this hour (default: 3)")
    private static let airport = Option(
        "airport", "METRES",
        "between two flights, a stay counts as a visit only if it is farther than this from both airports (default: 5000)"
    )

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "shows the countries that the tracks have visited",
        about: """
            Shows for each country whether it was visited, transited or only overflown, when, on how many days and \
            nights, and the distance in and above it. Days and nights are those of the local time zone. At a border, \
            the country changes only after some minutes or kilometres on the other side. Regions are those of the nearest town \
            (GeoNames).
            """,
        options: [
            LibraryOption.option, LibraryOption.inbox, grouping, view, CommonOptions.from, CommonOptions.to, layer,
            person, stay, ground, night,
            airport,
            CommonOptions.json,
        ],
        examples: [
            ("tileserve countries", "shows the countries of all tracks"),
            ("tileserve countries --by region --from 2025-01-01", "shows the regions since that day"),
            ("tileserve countries --stay 30m --ground 2h --json", "counts shorter stays as visits, as JSON"),
        ])

    /// The largest distance from an airport in metres.
    private static let airports = 0...100_000

    let folder: String
    let window: DateWindow
    let isJSON: Bool
    private let query: CountriesQuery

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        window = try DateWindow(given)
        isJSON = given.has(CommonOptions.json)
        var query = CountriesQuery()
        query.grouping = try given.choice(Self.grouping) ?? query.grouping
        query.view = try given.choice(Self.view) ?? query.view
        query.tracks.layer = try given.text(Self.layer) ?? query.tracks.layer
        query.tracks.person = try given.value(Self.person, .name(characters: TokenName.characterLimit)) { $0 }
        query.rule.stayMilliseconds =
            try given.value(Self.stay, .duration) { Quantity.milliseconds($0) } ?? query.rule.stayMilliseconds
        query.rule.groundMilliseconds =
            try given.value(Self.ground, .duration) { Quantity.milliseconds($0) } ?? query.rule.groundMilliseconds
        query.rule.nightHour = try given.number(Self.night, in: StatusRule.nightHours) ?? query.rule.nightHour
        if let metres = try given.number(Self.airport, in: Self.airports) { query.rule.airportMetres = Double(metres) }
        self.query = query
    }
}

extension CountriesCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        var query = query
        (query.from, query.to) = try window.instants(in: calendar)
        guard try library.updateMap(context) else { return context.stopped() }
        let ledger = try library.countries(query)
        try context.terminal.out(isJSON ? String(decoding: ledger.json, as: UTF8.self) : ledger.table)
        return ledger.lines.isEmpty ? .incomplete : .done
    }
}

extension CountryLedger {
    /// A table of the countries, with the distances at sea and of unknown routes below.
    fileprivate var table: String {
        var rows = [["CODE", "COUNTRY", "STATUS", "FIRST", "LAST", "DAYS", "NIGHTS", "DISTANCE"]]
        if grouping == .region { rows[0].insert("REGION", at: 2) }
        for line in lines {
            var row = [
                countries.code(of: line.country), countries.name(of: line.country), line.status.rawValue,
                Self.date(line.dates?.lowerBound), Self.date(line.dates?.upperBound), DisplayText.count(line.days),
                DisplayText.count(line.nights),
                NumberText.metres(Double(line.millimetres) / 1000),
            ]
            if grouping == .region {
                row.insert(line.region.flatMap { Gazetteer.embedded.regionName($0) } ?? "-", at: 2)
            }
            rows.append(row)
        }
        let columns = rows[0].count
        var text = TextTable.text(rows, numbers: columns - 3..<columns)
        for (name, millimetres) in [("at sea", seaMillimetres), ("route unknown", unknownMillimetres)]
        where millimetres > 0 {
            text += "\(name): \(NumberText.metres(Double(millimetres) / 1000))\n"
        }
        return text
    }

    private static func date(_ day: Int32?) -> String {
        day.map { InstantFormatter.text(CivilDay(daysSince1970: $0)) } ?? "-"
    }
}
