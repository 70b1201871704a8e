import Editions
import PrimaryStore
import Text
import TileMath
import TrackQuery
import TrackStore

/// `tileserve editions add`: defines what others see of the library.
struct EditionAddCommand: Command {
    static let name = "editions add"
    static let operands = Operands.some("NAME")

    private static let zone = Option(
        "zone", "LON,LAT,RADIUS",
        "publishes nothing within RADIUS metres of a hidden centre near this place; may be given several times")
    private static let delay = Option(
        "delay", "DAYS", "publishes points after so many whole days (default: \(EditionRule.defaultDelayDays))")
    private static let persons = Option(
        "k", "N", "shows places where at least N persons were in a month, without tracks (default: 1, with tracks)")
    private static let live = Option("live", "shows points while they are recorded; excludes --delay")
    private static let until = Option("until", "DATE", "the last day on which the edition can be seen")
    private static let names = Option("names", "keeps the names of tracks, which may tell where they began")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME",
        summary: "adds an edition: what others may see of the library",
        about: """
            Adds an edition: a copy of the tracks without what is not to be published. It has tracks, tiles, statistics \
            and ids of its own, in which every number is computed from published points only; pins, photos, devices, \
            tags and descriptions are not in it. 'tileserve serve --public-edition NAME' shows it to everybody, \
            'tileserve links add' to whoever has the link, and 'tileserve prerender --edition NAME' writes its tiles.
            A zone hides a place, such as a home: nothing is published in a disc around it, whose centre is drawn at \
            random so that the disc does not point to the place. Use 1500 m or more: \
            with 600 m, the exits that tracks take still tell much. 'tileserve editions check' tries to find the places.
            Of the tracks of a club, '--k 5' publishes only where five persons or more were in a month: a heat map of \
            cells of 38 m, for months, without any track.
            The edition is made when it is first looked at, and follows the library from then on: what is removed \
            from the library is removed from it.
            """,
        options: [
            LibraryOption.option, ConditionText.option, zone, persons, delay, CommonOptions.from, CommonOptions.to,
            until, live, names,
        ],
        examples: [
            (
                "tileserve editions add public --zone 8.5417,47.3769,1500",
                "publishes everything but the surroundings of a home"
            ),
            ("tileserve editions add city --k 5", "publishes only where five persons were in a month"),
            (
                "tileserve editions add club --where activity=ride --delay 7",
                "publishes rides after a week"
            ),
        ])

    let folder: String
    let edition: String
    let rule: EditionRule
    let zones: [RequestedZone]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        edition = try given.onlyOperand()
        var rule = EditionRule()
        rule.condition = try ConditionText.condition(given)
        rule.isLive = given.has(Self.live)
        if rule.isLive, given.has(Self.delay) { throw .conflict(Self.live, Self.delay) }
        rule.delayDays =
            try given.number(Self.delay, in: EditionRule.delayDays) ?? (rule.isLive ? 0 : EditionRule.defaultDelayDays)
        rule.from = try given.value(CommonOptions.from, .day) { DateText.day(in: $0) }
        rule.to = try given.value(CommonOptions.to, .day) { DateText.day(in: $0) }
        rule.until = try given.value(Self.until, .day) { DateText.day(in: $0) }
        if let from = rule.from, let to = rule.to, from.daysSince1970 > to.daysSince1970 { throw .emptyWindow }
        rule.keepsNames = given.has(Self.names)
        rule.persons = try given.number(Self.persons, in: EditionRule.persons) ?? 1
        if rule.persons > 1 {
            if rule.isLive { throw .conflict(Self.persons, Self.live) }
            if rule.keepsNames { throw .conflict(Self.persons, Self.names) }
        }
        self.rule = rule
        zones = try given.allValues(Self.zone, .zoneOfPlace) { RequestedZone(text: $0) }
    }
}

extension EditionAddCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let made = try library.database.addEdition(name: edition, rule: rule, zones: zones)
        try context.terminal.say("\(made.name): added; \(made.rule.sentence)")
        if zones.isEmpty {
            context.terminal.report(
                "\(context.command): \(made.name) has no zone, so it shows where its tracks begin and end; "
                    + "'--zone LON,LAT,RADIUS' hides a home")
        }
        if zones.contains(where: { $0.radiusMetres < PrivacyZone.recommendedMetres }) {
            context.terminal.report(
                "\(context.command): a place in a zone of less than \(PrivacyZone.recommendedMetres) m can be found more easily; "
                    + "see 'tileserve editions check \(made.name)'")
        }
        return .done
    }
}

extension RequestedZone {
    /// Parses `LON,LAT,RADIUS`: degrees, and metres within `PrivacyZone.radii`; nil for anything else.
    fileprivate init?(text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, let place = GeoPoint(text: parts[0...1].joined(separator: ",")),
            parts[2].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let radius = Int(parts[2])
        else { return nil }
        self.init(at: place, radiusMetres: radius)
    }
}
