import Database
internal import Pins
internal import Tracks

/// Waypoints of tracks as pins. They are derived from the tracks, as the grid is: whoever finds tracks changed reads
/// the waypoints of these tracks again.
extension TrackDatabase {
    /// Updates the pins to the newest revision; returns quickly if there is nothing to do.
    package func updateWaypointPins() throws {
        guard var update = try WaypointPinUpdate(self) else { return }
        try update.addPins()
        // Afterwards, so that a point that has moved to another track keeps its pin, with votes and comments.
        try update.removePins()
        try update.storeRevision()
    }
}

/// An update of the pins of waypoints to a revision, in short transactions. Other threads and processes may change the
/// tracks, and update the pins to a later revision, between any two of them.
struct WaypointPinUpdate {
    private let database: TrackDatabase
    /// The tracks that changed since the last update, except new ones that are known to have no waypoints.
    private let tracks: [Int64]
    /// The revision to which the pins are updated.
    private let revision: Int64
    /// The pins of each track.
    private var pins: [Int64: Set<PinID>] = [:]

    /// Number of tracks of one transaction: others may write between any two.
    private static let batchTracks = 50

    /// nil if the pins are of the newest revision.
    init?(_ database: TrackDatabase) throws {
        // Asked first without the writer, for which others may have to wait long.
        let isDue = try database.read {
            try Meta.integer("marked", $0.session) != $0.head().revision
        }
        guard isDue else { return nil }
        let known = try database.write { $0.tracksWithoutWaypoints }
        let due = try database.read { snapshot -> (tracks: [Int64], revision: Int64)? in
            let head = try snapshot.head().revision
            let done = try Meta.integer("marked", snapshot.session)
            guard done != head else { return nil }
            let changed = try done.map { try snapshot.tracksChanged(since: $0).sorted() } ?? snapshot.trackNumbers()
            let unchanged = try snapshot.unchangedTracks(of: known)
            return (changed.filter { !unchanged.contains($0) }, head)
        }
        guard let due else { return nil }
        self.database = database
        (tracks, revision) = due
    }

    /// Adds the pins of the tracks.
    mutating func addPins() throws {
        for batch in batches {
            let read = try batch.map { number in (number, try database.read { try $0.waypoints(ofTrack: number) }) }
            let added = try database.write { writer in
                try writer.session.transaction {
                    let snapshot = TrackSnapshot(session: writer.session)
                    let changed = try snapshot.tracksChanged(since: revision)
                    return try read.map { number, points in
                        // What was read of a track that has changed since may be outdated.
                        let current = try changed.contains(number) ? snapshot.waypoints(ofTrack: number) : points
                        try writer.addWaypointPins(ofTrack: number, current)
                        return (number, Set(current.map(\.id)))
                    }
                }
            }
            for (number, ids) in added { pins[number] = ids }
        }
    }

    /// Removes the pins that the tracks no longer have. A track that has changed since the revision keeps its pins
    /// until the update to a later revision, which adds those of all other tracks first.
    func removePins() throws {
        for batch in batches {
            try database.write { writer in
                try writer.session.transaction {
                    let changed = try TrackSnapshot(session: writer.session).tracksChanged(since: revision)
                    for number in batch where !changed.contains(number) {
                        try writer.removeWaypointPins(ofTrack: number, except: pins[number] ?? [])
                    }
                }
            }
        }
    }

    /// Records that the pins are of the revision.
    func storeRevision() throws {
        try database.write { writer in
            try writer.session.transaction {
                // Another process may have got further.
                guard try Meta.integer("marked", writer.session) ?? -1 < revision else { return }
                try Meta.set("marked", to: .integer(revision), writer.session)
            }
            writer.forgetTracksWithoutWaypoints(addedUpTo: revision)
        }
    }

    private var batches: [ArraySlice<Int64>] {
        stride(from: 0, to: tracks.count, by: Self.batchTracks).map {
            tracks[$0..<min($0 + Self.batchTracks, tracks.count)]
        }
    }
}

extension PointColumns {
    /// The indices of the waypoints.
    var waypointIndices: [Int] {
        guard let numbers = column(FieldName.waypoint)?.numbers?.numbers else { return [] }
        return numbers.indices.filter { numbers[$0] != FieldColumn.absent && numbers[$0] != 0 }
    }
}

extension TrackSnapshot {
    /// Fields of waypoints that become attributes of pins, by the names of the attributes.
    private static let attributeFields: [(field: String, attribute: String)] = [
        (FieldName.pointName, PinAttribute.name), (FieldName.elevation, PinAttribute.elevation),
        ("cmt", PinAttribute.comment),
        ("desc", PinAttribute.description), ("sym", PinAttribute.symbol), ("type", PinAttribute.type),
        (FieldName.address, FieldName.address),
    ]

    /// Those of the tracks that have not changed since the revisions that added them.
    fileprivate func unchangedTracks(of added: [Int64: Int64]) throws -> Set<Int64> {
        guard let first = added.values.min() else { return [] }
        var unchanged: Set<Int64> = []
        for change in try changes(since: first - 1) {
            unchanged.subtract(change.added + change.changed + change.removed + change.metadataChanged)
            unchanged.formUnion(change.added.filter { added[$0] == change.revision })
        }
        return unchanged
    }

    /// The tracks that were added, changed or removed after a revision.
    fileprivate func tracksChanged(since revision: Int64) throws -> Set<Int64> {
        try changes(since: revision).reduce(into: []) {
            $0.formUnion($1.added + $1.changed + $1.removed + $1.metadataChanged)
        }
    }

    /// The waypoints of a track; none if the track does not exist.
    fileprivate func waypoints(ofTrack number: Int64) throws -> [PinContent] {
        guard let track = try track(number: number) else { return [] }
        var found: [PinContent] = []
        let fields = WantedFields.only(([FieldName.waypoint] + Self.attributeFields.map(\.field)).sorted())
        try forEachChunk(ofTrack: number, fields: fields) { chunk in
            for index in chunk.waypointIndices {
                if let pin = Self.pin(chunk, index, person: track.personName) { found.append(pin) }
            }
        }
        return found
    }

    /// The pin of a waypoint as it was recorded; nil if its place is invalid.
    static func pin(_ chunk: PointColumns, _ index: Int, person: String?) -> PinContent? {
        let unit = E7Converter(unit: chunk.unit)
        let place = PinPlace(
            e7Longitude: Int64(unit.e7(chunk.longitudes[index])), latitude: Int64(unit.e7(chunk.latitudes[index])))
        guard let place else { return nil }
        var pin = PinContent(place, source: .recordedWaypoint, located: .recorded)
        pin.time = chunk.times[index] == PointColumns.untimed ? nil : chunk.times[index]
        pin.person = person
        for (field, attribute) in attributeFields {
            if let value = chunk.column(field)?.value(at: index) { pin.addAttribute(attribute, value.description) }
        }
        return pin
    }
}

extension TrackWriter {
    /// Stores the waypoints of a track, unless it has been removed since it was read.
    fileprivate func addWaypointPins(ofTrack number: Int64, _ points: [PinContent]) throws {
        guard !points.isEmpty, try isLive(number) else { return }
        // Waypoints are not in the log: they follow from the tracks.
        var draft = ChangeLog.Draft()
        for point in points { _ = try put(point, origin: PinOrigin.track(number), &draft) }
        try countPinChange()
    }

    /// Removes the pins of a track, except these; everything if the track was removed.
    fileprivate func removeWaypointPins(ofTrack number: Int64, except ids: Set<PinID>) throws {
        let origin = PinOrigin.track(number)
        let stored = try session.rows(
            "SELECT o.pin, p.id FROM pin_origin o JOIN pin p ON p.number = o.pin WHERE o.origin = $1",
            [.integer(origin)]
        ) { (pin: $0.integer(0), id: PinID(bytes: $0.blob(1))) }
        guard !stored.isEmpty else { return }
        let kept = try isLive(number) ? ids : []
        var draft = ChangeLog.Draft()
        for (pin, id) in stored where id.map({ !kept.contains($0) }) ?? true {
            try removeOrigin(origin, ofPin: pin, &draft)
        }
        try countPinChange()
    }

    private func isLive(_ track: Int64) throws -> Bool {
        try session.integer("SELECT 1 FROM track WHERE number = $1 AND state = 0", [.integer(track)]) != nil
    }
}
