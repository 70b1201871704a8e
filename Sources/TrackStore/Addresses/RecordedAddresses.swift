import Database
import Digest
import Geocoding
import PrimaryStore
import TileMath
import Tracks

// Addresses that came with files: fields of points, in the cells that are wanted.

/// What a search for addresses in tracks has found.
struct RecordedAddresses: Sendable {
    struct Entry: Sendable {
        var address: PostalAddress
        var track: Int64
        var digest: ContentDigest
    }

    /// The revision up to which tracks were searched.
    var revision: Int64
    /// The numbers of all tracks that have addresses, in wanted cells or not.
    var tracks: Set<Int64> = []
    var found: [GeocodingCell: Entry] = [:]
    /// The wanted cells whose address came with a track that has been changed or removed.
    var lost: Set<GeocodingCell> = []

    /// Where the revision and the numbers of tracks are stored.
    fileprivate static let revisionName = "address_revision"
    fileprivate static let tracksName = "address_tracks"

    fileprivate static func tracks(in list: String) -> Set<Int64> {
        Set(list.split(separator: ",").compactMap { Int64($0) })
    }

    fileprivate static func list(of tracks: Set<Int64>) -> Value {
        .text(tracks.sorted().map(String.init).joined(separator: ","))
    }

    /// The track whose address a cell has, if several have one: the same in any order of imports.
    fileprivate static func isFirst(_ left: ContentDigest, _ right: ContentDigest) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension Library {
    /// The source of addresses that came with a file.
    package static let recordedSource = "recorded"

    /// Searches the tracks that have changed since the last search, and, for cells that are newly wanted, those that are
    /// known to have addresses and pass there. What is found does not depend on the order of imports.
    func recordedAddresses(in wanted: Set<GeocodingCell>, upTo revision: Int64) throws -> RecordedAddresses {
        var result = RecordedAddresses(revision: revision)
        let numbers = try database.read { snapshot -> Set<Int64> in
            let searched = try Meta.integer(RecordedAddresses.revisionName, snapshot.session)
            guard let searched, let list = try Meta.text(RecordedAddresses.tracksName, snapshot.session) else {
                return Set(try snapshot.trackNumbers())
            }
            // What a later revision adds is not wanted yet, and is searched with it.
            let changes = try snapshot.changes(since: searched).filter { $0.revision <= revision }
            let changed = Set(changes.flatMap { $0.added + $0.changed })
            result.lost = try snapshot.cells(wanted, withAddressOfTracks: changed)
            let known = Set(try snapshot.session.rows("SELECT cell FROM address") { $0.integer(0) })
            let new = wanted.filter { !known.contains($0.key) }.union(result.lost)
            let existing = Set(try snapshot.trackNumbers())
            result.tracks = RecordedAddresses.tracks(in: list).intersection(existing).subtracting(changed)
            let passing = try result.tracks.filter { number in
                guard let bounds = try snapshot.track(number: number)?.bounds else { return false }
                return new.contains { bounds.mayContain($0) }
            }
            return changed.union(passing)
        }
        for number in numbers.sorted() { try search(track: number, wanted, &result) }
        return result
    }

    /// Searches a track; in each cell its first address counts.
    private func search(track number: Int64, _ wanted: Set<GeocodingCell>, _ result: inout RecordedAddresses) throws {
        guard let track = try database.track(number: number) else { return }
        var own: [GeocodingCell: PostalAddress] = [:]
        try database.forEachChunk(ofTrack: number, fields: .only([FieldName.address])) { chunk in
            guard case .texts(let texts)? = chunk.column(FieldName.address)?.values else { return }
            result.tracks.insert(number)
            let unit = E7Converter(unit: chunk.unit)
            for index in texts.indices {
                guard let text = texts[index], !text.isEmpty,
                    let cell = GeocodingCell(
                        e7Longitude: unit.e7(chunk.longitudes[index]), latitude: unit.e7(chunk.latitudes[index])),
                    wanted.contains(cell), own[cell] == nil
                else { continue }
                own[cell] = PostalAddress(label: text, source: Self.recordedSource)
            }
        }
        for (cell, address) in own {
            if let other = result.found[cell], RecordedAddresses.isFirst(other.digest, track.digest) { continue }
            result.found[cell] = RecordedAddresses.Entry(address: address, track: number, digest: track.digest)
        }
    }
}

extension E7Bounds {
    /// Whether a point of a cell may be within the bounds; true where the bounds say nothing.
    fileprivate func mayContain(_ cell: GeocodingCell) -> Bool {
        guard west <= east else { return true }
        // More than half a cell.
        let margin = 0.000_2
        let degrees = (west: Double(west) * 1e-7, south: Double(south) * 1e-7)
        let opposite = (east: Double(east) * 1e-7, north: Double(north) * 1e-7)
        let longitudes = degrees.west - margin...opposite.east + margin
        // A cell at 180° has its centre on the other side of some of its points.
        return [-360, 0, 360].contains { longitudes.contains(cell.centre.longitude + $0) }
            && (degrees.south - margin...opposite.north + margin).contains(cell.centre.latitude)
    }
}

extension TrackSnapshot {
    /// Whether tracks are stored as those that have addresses.
    func hasTracksWithAddresses() throws -> Bool {
        try Meta.text(RecordedAddresses.tracksName, session).map { !$0.isEmpty } ?? false
    }

    /// The cells, of those wanted, whose address came with one of these tracks, or with one that does not exist any more.
    func cells(
        _ wanted: Set<GeocodingCell>, withAddressOfTracks numbers: Set<Int64>
    ) throws -> Set<GeocodingCell> {
        let tracks = try session.rows("SELECT DISTINCT track FROM address WHERE track IS NOT NULL") { $0.integer(0) }
        let lost = try tracks.filter { number in try numbers.contains(number) || track(number: number) == nil }
        var cells: Set<GeocodingCell> = []
        for number in lost {
            try session.forEach("SELECT cell FROM address WHERE track = $1", [.integer(number)]) { row in
                if let cell = GeocodingCell(key: row.integer(0)), wanted.contains(cell) { cells.insert(cell) }
            }
        }
        return cells
    }
}

extension TrackWriter {
    /// Removes the numbers of tracks that do not exist any more from the list of those that have addresses.
    func forgetRemovedTracksWithAddresses() throws {
        guard let list = try Meta.text(RecordedAddresses.tracksName, session) else { return }
        let listed = RecordedAddresses.tracks(in: list)
        let kept = listed.intersection(try TrackSnapshot(session: session).trackNumbers())
        guard kept != listed else { return }
        try Meta.set(RecordedAddresses.tracksName, to: RecordedAddresses.list(of: kept), session)
        try requestErasure()
    }

    /// Stores what was found, except where another track comes first.
    func store(_ search: RecordedAddresses) throws {
        let snapshot = TrackSnapshot(session: session)
        for (cell, entry) in search.found.sorted(by: { $0.key < $1.key }) {
            let known = try session.integer("SELECT track FROM address WHERE cell = $1", [.integer(cell.key)])
            if let known, known != entry.track, let other = try snapshot.track(number: known),
                RecordedAddresses.isFirst(other.digest, entry.digest)
            {
                continue
            }
            try store(entry.address, of: cell, track: entry.track)
        }
        try Meta.set(RecordedAddresses.revisionName, to: .integer(search.revision), session)
        try Meta.set(RecordedAddresses.tracksName, to: RecordedAddresses.list(of: search.tracks), session)
    }
}
