import Editions
import PrimaryStore
import Text
import TrackStore
import Tracks
import ZoneAttacks

/// `tileserve editions check`: tries to find the hidden places from what an edition publishes.
struct EditionCheckCommand: Command {
    static let name = "editions check"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME",
        summary: "tries to find the hidden places of an edition",
        about: """
            Attacks the zones of an edition: knowing only what is published, and how tileserve draws zones, it \
            looks for the places that are hidden, in several ways that are known from research. Prints for each \
            zone how far each attack is from the place. A place is found by an attack that comes within 100 m of it; \
            use a larger radius then.
            An attack that fails today may succeed with more tracks, or with knowledge that nobody has published.
            """,
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve editions check public", "attacks the zones of one edition")])

    let folder: String
    let edition: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        edition = try given.onlyOperand()
        isJSON = given.has(CommonOptions.json)
    }
}

extension EditionCheckCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let known = try library.knownEdition(edition)
        guard !known.rule.zones.isEmpty else {
            throw Failure(.usage, "\(edition.singleLine): the edition has no zone, so there is nothing to find")
        }
        let published = try Self.published(in: library.edition(edition, context))
        let radii = known.rule.zones.map { Double($0.radiusMetres) }
        let reach = max(AttackerKnowledge.reachMetres, (radii.max() ?? 0) * Self.reachShare)
        let knowledge = AttackerKnowledge(
            offsetShare: PrivacyZone.offsetShare, radii: 100...max(2000, (radii.max() ?? 0) * 1.2), reachMetres: reach)
        let estimates = ZoneAttacker(published, knowing: knowledge).estimates()
        var isFound = false
        for zone in known.rule.zones {
            let place = PublishedPlace(longitude: zone.longitude, latitude: zone.latitude)
            let errors = AttackError.errors(of: estimates, at: place, within: reach)
            isFound = isFound || errors.contains(where: \.isFound)
            try context.terminal.say(isJSON ? Self.json(zone, errors).text : Self.text(zone, errors))
        }
        return isFound ? .incomplete : .done
    }

    /// Ends of one zone are in one cluster if its reach is a bit more than the diameter.
    private static let reachShare = 2.3

    /// The tracks of the edition as everybody can export them.
    private static func published(in library: Library) throws -> [PublishedTrack] {
        let calendar = try library.calendar()
        return try library.database.trackNumbers().compactMap { number -> PublishedTrack? in
            guard let track = try library.database.track(number: number) else { return nil }
            var published = PublishedTrack(
                segments: [], metres: track.metres, day: track.start.map { calendar.day(of: $0) })
            try library.database.forEachChunk(ofTrack: number, fields: .none) { chunk in
                let converter = E7Converter(unit: chunk.unit)
                let starts = Set(chunk.segmentStarts)
                for index in 0..<chunk.count {
                    if starts.contains(index) || published.segments.isEmpty { published.segments.append([]) }
                    published.segments[published.segments.count - 1].append(
                        PublishedPlace(
                            longitude: converter.e7(chunk.longitudes[index]),
                            latitude: converter.e7(chunk.latitudes[index])))
                }
            }
            return published
        }
    }

    private static func text(_ zone: PrivacyZone, _ errors: [AttackError]) -> String {
        let rows = errors.filter { $0.attack != .comparison }.map { error in
            let distance = error.metres.map { NumberText.metres($0) + " away" } ?? "finds nothing"
            return ["  \(error.attack.rawValue)", distance, error.isFound ? "found" : ""]
        }
        let found = errors.filter(\.isFound).map(\.attack.rawValue)
        let result =
            found.isEmpty
            ? "not found within \(Int(AttackError.foundMetres)) m"
            : "FOUND by \(DisplayText.list(found, "and")); use a radius above \(zone.radiusMetres) m"
        return "zone at \(zone.sentence): \(result)\n" + TextTable.text(rows).dropLast()
    }

    private static func json(_ zone: PrivacyZone, _ errors: [AttackError]) -> JSONObject {
        var object = zone.json
        object.add(
            "attacks",
            objects: errors.filter { $0.attack != .comparison }.map { error in
                var attack = JSONObject()
                attack.add("name", error.attack.rawValue)
                attack.add("metres", number: error.metres?.rounded())
                attack.add("found", error.isFound)
                return attack
            })
        return object
    }
}
