import Database
import Geocoding
import Pins
import Statistics
import Stays
import TileMath
import Tracks

/// Which addresses are wanted: those of the cells in which tracks begin and end, somebody stayed, or a point was marked.
extension Library {
    /// Where the revision is stored up to which files were searched for addresses.
    private static let searched = "address_revision"

    /// Updates the queue: adds cells that are wanted and not known, and removes those that are not wanted any more, with
    /// their addresses, as if they had never been. Addresses that files contain are stored at once.
    ///
    /// Costs milliseconds for a library of thousands of tracks, besides reading the points of changed ones.
    package func updateAddressQueue() throws {
        let revision = try database.head().revision
        let wanted = try wantedAddressCells()
        let searched = try database.read { try Meta.integer(Self.searched, $0.session) }
        let changed: [Int64]
        if let searched {
            let changes = try database.changes(since: searched)
            changed = Set(changes.flatMap { $0.added + $0.changed }).sorted()
        } else {
            changed = try database.trackNumbers()
        }
        // A file's address belongs to a track: if that is gone, another one may still have it.
        let lost = try database.read { try $0.cellsOfLostTracks(wanted) }
        let numbers = lost.isEmpty ? changed : try database.trackNumbers()
        let recorded = try recordedAddresses(ofTracks: numbers, in: wanted)
        try database.write { writer in
            try writer.session.transaction {
                try writer.removeAddresses(except: wanted, lost: lost)
                try writer.addAddressCells(wanted)
                for (cell, entry) in recorded.sorted(by: { $0.key < $1.key }) {
                    try writer.store(entry.address, of: cell, track: entry.track)
                }
                try Meta.set(Self.searched, to: .integer(revision), writer.session)
            }
        }
    }

    /// Removes the addresses that are not wanted any more.
    package func removeUnwantedAddresses() throws {
        guard try database.read({ try $0.hasAddressRows() }) else { return }
        let wanted = try wantedAddressCells()
        let lost = try database.read { try $0.cellsOfLostTracks(wanted) }
        try database.write { writer in
            try writer.session.transaction { try writer.removeAddresses(except: wanted, lost: lost) }
        }
    }

    private func wantedAddressCells() throws -> Set<GeocodingCell> {
        var cells: Set<GeocodingCell> = []
        func insert(_ longitude: Int32, _ latitude: Int32) {
            if let cell = GeocodingCell(e7Longitude: longitude, latitude: latitude) { cells.insert(cell) }
        }
        try grid.read { reader in
            try reader.forEachTotals { _, totals in
                guard let ends = totals.ends else { return }
                insert(ends.startLongitude, ends.startLatitude)
                insert(ends.endLongitude, ends.endLatitude)
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
        return cells
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
