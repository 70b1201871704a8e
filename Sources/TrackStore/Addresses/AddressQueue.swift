import Database
import Geocoding
import Pins
import Statistics
import Stays
import TileMath
import Tracks

/// The state of the queue after an update.
package struct AddressQueueState: Sendable, Equatable {
    /// The revision of the grid that it corresponds to.
    package var revision: Int64
    /// When the queue has to be updated again although nothing has changed, in milliseconds since 1970; nil if never.
    package var nextUpdate: Int64?
}

/// Which addresses are wanted: those of the cells in which tracks begin and end, somebody stayed, or a point was marked.
extension Library {
    /// Where the revision is stored up to which files were searched for addresses.
    private static let searched = "address_revision"
    /// Where the revision is stored up to which the addresses of removed tracks were removed.
    private static let cleaned = "address_cleaned"
    /// A track that a device has recorded within this time may go on: where it ends is not known yet, and to ask for each
    /// of its last points would show its way to the service.
    private static let mayGoOnMilliseconds: Int64 = 3_600_000

    /// The cells whose addresses are wanted, in a state of the grid that has all changes.
    private struct WantedCells {
        var cells: Set<GeocodingCell> = []
        var queue: AddressQueueState
    }

    /// Updates the queue: adds cells that are wanted and not known, and removes those that are not wanted any more, with
    /// their addresses, as if they had never been. Addresses that files contain are stored at once. Returns nil, and does
    /// nothing, while the grid does not have all changes.
    ///
    /// Costs milliseconds for a library of thousands of tracks, besides reading the points of changed ones.
    @discardableResult
    package func updateAddressQueue() throws -> AddressQueueState? {
        guard let wanted = try wantedAddressCells() else { return nil }
        let searched = try database.read { try Meta.integer(Self.searched, $0.session) }
        let changed: [Int64]
        if let searched {
            // Up to the revision of the grid: what a later one brings is not wanted yet, and is searched with it.
            let changes = try database.changes(since: searched).filter { $0.revision <= wanted.queue.revision }
            changed = Set(changes.flatMap { $0.added + $0.changed }).sorted()
        } else {
            changed = try database.trackNumbers()
        }
        // A file's address belongs to a track: if that is gone, another one may still have it.
        let lost = try database.read { try $0.cellsOfLostTracks(wanted.cells) }
        let numbers = lost.isEmpty ? changed : try database.trackNumbers()
        let recorded = try recordedAddresses(ofTracks: numbers, in: wanted.cells)
        try database.write { writer in
            try writer.session.transaction {
                try writer.removeAddresses(except: wanted.cells, lost: lost)
                try writer.addAddressCells(wanted.cells)
                for (cell, entry) in recorded.sorted(by: { $0.key < $1.key }) {
                    try writer.store(entry.address, of: cell, track: entry.track)
                }
                let revision = Value.integer(wanted.queue.revision)
                try Meta.set(Self.searched, to: revision, writer.session)
                try Meta.set(Self.cleaned, to: revision, writer.session)
            }
        }
        return wanted.queue
    }

    /// Removes the addresses that are not wanted any more since tracks or pins were removed or changed, whichever process
    /// did that, and even if it was killed. Does nothing while the grid does not have all changes.
    func removeUnwantedAddresses() throws {
        let cleaned = try database.read { snapshot -> Int64? in
            guard try snapshot.hasAddressRows() else { return nil }
            return try Meta.integer(Self.cleaned, snapshot.session) ?? 0
        }
        guard let cleaned, try database.head().revision > cleaned else { return }
        let changes = try database.changes(since: cleaned)
        guard changes.contains(where: { !($0.removed.isEmpty && $0.changed.isEmpty && $0.pins.isEmpty) }),
            let wanted = try wantedAddressCells()
        else { return }
        let lost = try database.read { try $0.cellsOfLostTracks(wanted.cells) }
        try database.write { writer in
            try writer.session.transaction {
                try writer.removeAddresses(except: wanted.cells, lost: lost)
                try Meta.set(Self.cleaned, to: .integer(wanted.queue.revision), writer.session)
            }
        }
    }

    /// nil if the grid does not have all changes, or is changed meanwhile: what it lacks would be removed.
    private func wantedAddressCells() throws -> WantedCells? {
        guard try gridIsCurrent(), let state = try grid.read({ try $0.state() }) else { return nil }
        var wanted = WantedCells(queue: AddressQueueState(revision: state.revision))
        func insert(_ longitude: Int32, _ latitude: Int32) {
            if let cell = GeocodingCell(e7Longitude: longitude, latitude: latitude) { wanted.cells.insert(cell) }
        }
        let lastPoints = try database.read { try $0.lastPoints(since: database.now() - Self.mayGoOnMilliseconds) }
        wanted.queue.nextUpdate = lastPoints.values.min().map { $0 + Self.mayGoOnMilliseconds }
        try grid.read { reader in
            try reader.forEachTotals { number, totals in
                guard let ends = totals.ends else { return }
                insert(ends.startLongitude, ends.startLatitude)
                if lastPoints[number] == nil { insert(ends.endLongitude, ends.endLatitude) }
            }
        }
        for person in try stays(for: .owner) {
            for stay in person.stays { insert(stay.longitude, stay.latitude) }
        }
        try database.read { snapshot in
            try snapshot.session.forEach(
                """
                SELECT longitude, latitude FROM pin
                WHERE state = 0 AND number IN (SELECT pin FROM pin_origin WHERE origin < 0)
                """
            ) { row in insert(Int32(clamping: row.integer(0)), Int32(clamping: row.integer(1))) }
        }
        return try grid.read { try $0.state() } == state ? wanted : nil
    }

    /// The addresses that tracks contain, in wanted cells: the first one of the first track.
    private func recordedAddresses(
        ofTracks numbers: [Int64], in wanted: Set<GeocodingCell>
    ) throws -> [GeocodingCell: (track: Int64, address: PostalAddress)] {
        var found: [GeocodingCell: (track: Int64, address: PostalAddress)] = [:]
        for number in numbers {
            try database.forEachChunk(ofTrack: number, fields: .only([FieldName.address])) { chunk in
                guard let column = chunk.fields.first(where: { $0.name == FieldName.address }),
                    case .texts(let texts) = column.values
                else { return }
                let unit = E7Converter(unit: chunk.unit)
                for index in texts.indices {
                    guard let text = texts[index], !text.isEmpty,
                        let cell = GeocodingCell(
                            e7Longitude: unit.e7(chunk.longitudes[index]), latitude: unit.e7(chunk.latitudes[index])),
                        wanted.contains(cell), found[cell] == nil,
                        let address = PostalAddress(label: text, source: Self.recordedSource)
                    else { continue }
                    found[cell] = (number, address)
                }
            }
        }
        return found
    }

    /// The source of addresses that came with a file.
    package static let recordedSource = "recorded"
}

extension TrackSnapshot {
    /// The times of the last points of the tracks that devices have recorded after an instant, by track number.
    fileprivate func lastPoints(since instant: Int64) throws -> [Int64: Int64] {
        var times: [Int64: Int64] = [:]
        try session.forEach(
            "SELECT number, finish FROM track WHERE state = 0 AND stream IS NOT NULL AND finish > $1",
            [.integer(instant)]
        ) { times[$0.integer(0)] = $0.integer(1) }
        return times
    }

    /// The cells, of those wanted, whose address came with a track that does not exist any more.
    fileprivate func cellsOfLostTracks(_ wanted: Set<GeocodingCell>) throws -> Set<GeocodingCell> {
        var cells: Set<GeocodingCell> = []
        try session.forEach(
            """
            SELECT cell FROM address WHERE track IS NOT NULL
            AND track NOT IN (SELECT number FROM track WHERE state = 0)
            """
        ) { row in
            if let cell = GeocodingCell(key: row.integer(0)), wanted.contains(cell) { cells.insert(cell) }
        }
        return cells
    }
}

extension TrackWriter {
    /// Removes the rows of cells that are not wanted, or whose addresses came with tracks that are gone.
    fileprivate func removeAddresses(except wanted: Set<GeocodingCell>, lost: Set<GeocodingCell>) throws {
        let known = try session.rows("SELECT cell FROM address") { $0.integer(0) }
        let removed = known.filter { key in
            GeocodingCell(key: key).map { !wanted.contains($0) || lost.contains($0) } ?? true
        }
        guard !removed.isEmpty else { return }
        for key in removed { try session.run("DELETE FROM address WHERE cell = $1", [.integer(key)]) }
        try requestErasure()
    }

    fileprivate func addAddressCells(_ wanted: Set<GeocodingCell>) throws {
        let known = Set(try session.rows("SELECT cell FROM address") { $0.integer(0) })
        let due = now()
        for cell in wanted.sorted() where !known.contains(cell.key) {
            try session.run(
                "INSERT INTO address (cell, state, tries, due) VALUES ($1, 0, 0, $2)",
                [.integer(cell.key), .integer(due)])
        }
    }
}
