import Database
public import Editions
public import TileMath
import Tracks

// The tables `edition` and `privacy_zone` of the primary store: what is published of the library, and where nothing is.

/// A published edition of the library, with its rule.
public struct Edition: Sendable, Equatable {
    public let number: Int64
    /// Names the library of the edition; unlike the name, it is never used again.
    public let id: String
    public let name: String
    public let rule: EditionRule
    /// A secret of the edition, from which the ids of its tracks and the names of its persons are made.
    public let key: [UInt8]
    /// Milliseconds since 1970 when it was added.
    public let time: Int64

    static let linkPrefix = "link-"
    /// Short, because names of schemas in PostgreSQL have a limit.
    private static let idDigits = 5

    /// What follows the id in the name of the library with the cut tracks of an edition that shows none of them.
    private static let cutSuffix = "cut"

    /// The ids of its libraries.
    package var libraryIDs: [String] { rule.persons > 1 ? [id, id + Self.cutSuffix] : [id] }

    /// The edition with all tracks that are cut, from which one is derived that shows places where several persons were; nil for
    /// one that shows tracks.
    package var cutTracks: Edition? {
        guard rule.persons > 1 else { return nil }
        var rule = rule
        rule.persons = 1
        return Edition(number: number, id: id + Self.cutSuffix, name: name, rule: rule, key: key, time: time)
    }

    /// Whether a text can be the id of a library of an edition.
    package static func isLibraryID(_ text: String) -> Bool {
        let id = text.hasSuffix(cutSuffix) ? text.dropLast(cutSuffix.count) : text[...]
        return id.utf8.count == idDigits && id.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }

    /// An id, which may be in use.
    static func randomID() -> String {
        let digits = String(UInt32.random(in: 0..<1 << UInt32(4 * idDigits)), radix: 16)
        return String(repeating: "0", count: idDigits - digits.count) + digits
    }

    /// Whether it was made for a link.
    public var isOfLink: Bool { name.hasPrefix(Self.linkPrefix) }

    /// Whether a text is a valid name: as for layers, but not that of an edition of a link.
    public static func isName(_ text: String) -> Bool {
        LayerDefinition.isName(text) && !text.hasPrefix(linkPrefix)
    }
}

/// A zone as the owner asks for it: a place and the radius of the disc around it.
public struct RequestedZone: Sendable, Equatable {
    public var longitude: Int32
    public var latitude: Int32
    public var radiusMetres: Int

    /// A place in 1e-7°.
    public init(longitude: Int32, latitude: Int32, radiusMetres: Int) {
        self.longitude = longitude
        self.latitude = latitude
        self.radiusMetres = radiusMetres
    }

    /// nil if the radius is not within `PrivacyZone.radii`.
    public init?(at place: GeoPoint, radiusMetres: Int) {
        guard PrivacyZone.radii.contains(radiusMetres) else { return nil }
        let (longitude, latitude) = place.e7
        self.init(longitude: longitude, latitude: latitude, radiusMetres: radiusMetres)
    }
}

/// Why an edition cannot be added, as one sentence: where: what; what to do.
public enum EditionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name contains characters that are not allowed.
    case badName(String)
    /// There is an edition with this name.
    case exists(String)
    /// A place of which a zone was drawn before is too near to the edge of the disc.
    case radiusTooSmall(metres: Int, needed: Int)

    public var description: String {
        switch self {
        case .badName(let name):
            "'\(name)': is not a valid name of an edition; use up to \(TrackEdit.tagCharacters) letters, digits, spaces and -_."
        case .exists(let name):
            "'\(name)': an edition with this name exists; use another name, or remove that edition first"
        case .radiusTooSmall(let metres, let needed):
            """
            zone of \(metres) m: too small around a place that has a zone already, whose centre must stay the same so that \
            two editions tell no more than one; \
            \(PrivacyZone.radii.contains(needed) ? "use at least \(needed) m" : "use the place of that zone")
            """
        }
    }
}

extension TrackSnapshot {
    /// The editions, by name.
    public func editions() throws -> [Edition] {
        try session.rows("SELECT number, id, name, rule, key, time FROM edition ORDER BY name") { row in
            guard let rule = EditionRule(decoding: row.text(3).utf8) else {
                throw LibraryError.damaged(
                    path: session.databaseName, what: "the rule of the edition '\(row.text(2))' cannot be read")
            }
            return Edition(
                number: row.integer(0), id: row.text(1), name: row.text(2), rule: rule, key: row.blob(4),
                time: row.integer(5))
        }
    }

    /// The number of places that zones were ever drawn around.
    public func hiddenPlaceCount() throws -> Int {
        let centres = "SELECT DISTINCT centre_longitude, centre_latitude FROM privacy_zone"
        return Int(try session.integer("SELECT count(*) FROM (\(centres)) AS centre") ?? 0)
    }

    /// The edition with a name; nil if there is none.
    public func edition(named name: String) throws -> Edition? {
        try editions().first { $0.name == name }
    }
}

extension TrackDatabase {
    /// The editions, by name.
    public func editions() throws -> [Edition] { try read { try $0.editions() } }

    /// The edition with a name; nil if there is none.
    public func edition(named name: String) throws -> Edition? { try read { try $0.edition(named: name) } }

    /// Adds an edition with zones around places: `rule` without zones, which get their centres here. Throws `EditionError`.
    public func addEdition(name: String, rule: EditionRule, zones: [RequestedZone]) throws -> Edition {
        guard Edition.isName(name) else { throw EditionError.badName(name) }
        return try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> Edition in
                let snapshot = TrackSnapshot(session: writer.session)
                guard try snapshot.edition(named: name) == nil else { throw EditionError.exists(name) }
                var rule = rule
                rule.zones = try zones.map { try writer.zone($0) }
                return try writer.insertEdition(name: name, rule: rule)
            }
        }
    }

    /// Adds an edition for a link, with a name that no other has. It hides every place that ever had a zone, and those of `zones`:
    /// whoever makes a link in a hurry does not think of them.
    public func addLinkEdition(rule: EditionRule, zones: [RequestedZone]) throws -> Edition {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> Edition in
                var rule = rule
                for zone in zones { _ = try writer.zone(zone) }
                rule.zones = try writer.knownZones()
                var name: String
                repeat {
                    name = Edition.linkPrefix + "\(UInt32.random(in: 0...UInt32.max))"
                } while try TrackSnapshot(session: writer.session).edition(named: name) != nil
                return try writer.insertEdition(name: name, rule: rule)
            }
        }
    }

    /// Removes an edition; returns it, or nil if there is none with the name. Positions of zones are kept: an edition that is
    /// added later must not have another centre around the same place.
    public func removeEdition(name: String) throws -> Edition? {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> Edition? in
                guard let edition = try TrackSnapshot(session: writer.session).edition(named: name) else { return nil }
                try writer.session.run("DELETE FROM edition WHERE number = $1", [.integer(edition.number)])
                return edition
            }
        }
    }
}

extension TrackWriter {
    fileprivate func insertEdition(name: String, rule: EditionRule) throws -> Edition {
        let key = (0..<Self.keyBytes).map { _ in UInt8.random(in: 0...255) }
        let id = try freeEditionID()
        let time = now()
        let text = String(decoding: try rule.encoded(), as: UTF8.self)
        let number = try session.inserted(
            "INSERT INTO edition (id, name, rule, key, time) VALUES ($1, $2, $3, $4, $5) RETURNING number",
            [.text(id), .text(name), .text(text), .blob(key), .integer(time)])
        return Edition(number: number, id: id, name: name, rule: rule, key: key, time: time)
    }

    private static let keyBytes = 32

    private func freeEditionID() throws -> String {
        while true {
            let id = Edition.randomID()
            if try session.integer("SELECT 1 FROM edition WHERE id = $1", [.text(id)]) == nil { return id }
        }
    }

    /// Every zone that was ever drawn.
    fileprivate func knownZones() throws -> [PrivacyZone] {
        try session.rows(
            "SELECT longitude, latitude, radius, centre_longitude, centre_latitude FROM privacy_zone ORDER BY number"
        ) { row in
            PrivacyZone(
                longitude: Int32(truncatingIfNeeded: row.integer(0)),
                latitude: Int32(truncatingIfNeeded: row.integer(1)),
                centreLongitude: Int32(truncatingIfNeeded: row.integer(3)),
                centreLatitude: Int32(truncatingIfNeeded: row.integer(4)), radiusMetres: Int(row.integer(2)))
        }
    }

    /// The zone around a place, which is stored: with the centre of an earlier one if the place was in its disc.
    fileprivate func zone(_ requested: RequestedZone) throws -> PrivacyZone {
        let known = try knownZones()
        let zone = try zone(requested, besides: known)
        guard !known.contains(zone) else { return zone }
        // Also with the centre of another: links hide every place that ever had a zone, with its greatest radius.
        try session.run(
            """
            INSERT INTO privacy_zone (longitude, latitude, radius, centre_longitude, centre_latitude)
            VALUES ($1, $2, $3, $4, $5)
            """,
            [
                .integer(Int64(zone.longitude)), .integer(Int64(zone.latitude)), .integer(zone.radiusMetres),
                .integer(Int64(zone.centreLongitude)), .integer(Int64(zone.centreLatitude)),
            ])
        return zone
    }

    private func zone(_ requested: RequestedZone, besides known: [PrivacyZone]) throws -> PrivacyZone {
        let near = known.filter {
            $0.metres(to: requested) <= Double(max($0.radiusMetres, requested.radiusMetres))
        }
        if let zone = near.min(by: { $0.metres(to: requested) < $1.metres(to: requested) }) {
            let needed = Int((zone.centreMetres(to: requested) / PrivacyZone.offsetShare).rounded(.up))
            guard requested.radiusMetres >= needed else {
                throw EditionError.radiusTooSmall(metres: requested.radiusMetres, needed: needed)
            }
            return PrivacyZone(
                longitude: requested.longitude, latitude: requested.latitude, centreLongitude: zone.centreLongitude,
                centreLatitude: zone.centreLatitude, radiusMetres: requested.radiusMetres)
        }
        return PrivacyZone(
            around: requested.longitude, requested.latitude, radiusMetres: requested.radiusMetres,
            area: .random(in: 0...1), course: .random(in: 0..<2 * .pi))
    }
}

extension PrivacyZone {
    fileprivate func metres(to place: RequestedZone) -> Double {
        Geodesy.metres(longitude, latitude, place.longitude, place.latitude)
    }

    fileprivate func centreMetres(to place: RequestedZone) -> Double {
        Geodesy.metres(centreLongitude, centreLatitude, place.longitude, place.latitude)
    }
}
