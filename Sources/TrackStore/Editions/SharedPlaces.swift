internal import Digest
internal import Editions
internal import GridStorage
internal import HeatGrid
internal import PrimaryStore
internal import Text
internal import TileLog
internal import TileMath
internal import Tracks

/// Derives an edition that shows a place only where several persons were in a month, from the library of the tracks that are cut.
///
/// What is published has no tracks: for each month, the cells of zoom level 12 with their person-days, if so many persons were
/// there. They are recordings of lone points at the centres of cells: of a cell with n person-days the first n of a month's list
/// of days and groups have a point. So whatever is asked, for whatever window, the answer has no more than these counts.
struct SharedPlaces {
    private let edition: Edition
    private let cut: Library
    private let target: Library

    /// Increased when the same tracks give other points.
    private static let version: Int64 = 1
    /// One of its cells is 16 by 16 cells of zoom level 16: 38 m at the equator.
    private static let zoom = 12
    private static let cellBits = 8
    private static let batchTiles = 1000
    private static let longestMonth = 31

    /// The update of `target`, the library of `edition`, from the library of its cut tracks, whose grid is up to date.
    init(of target: Library, edition: Edition, from cut: Library) {
        self.edition = edition
        self.cut = cut
        self.target = target
    }

    /// Brings the edition up to date; its grid is not updated.
    func update(isStopped: () -> Bool) throws {
        let lock = try target.database.lockForDeriving()
        defer { withExtendedLifetime(lock) {} }
        let calendar = try cut.calendar()
        var digester = Digester()
        digester.update(Self.version)
        digester.update(edition.rule.persons)
        digester.update(calendar.digest)
        // Only months that are over, and released as a whole: what a month grows by each day would tell the ways of that day.
        let now = cut.database.now()
        let end = min(now, edition.rule.times(at: now, in: calendar).upperBound)
        let open = StoredPeriod.month(ofDay: calendar.day(of: end))
        let wanted = EditionState(
            head: try cut.database.head(), visibleUntil: Int64(open), rule: digester.finish())
        guard try target.database.read({ try $0.editionState() }) != wanted else { return }
        let zone = try cut.database.zone()
        if try target.database.zone() != zone { try target.database.setZone(zone) }
        let (counts, gridRevision) = try counts(before: open, isStopped)
        let parts = parts(counts)
        let known = try target.database.read { try $0.editionSources() }
        try target.database.removeUnknownEditionTracks()
        let stale = known.values.filter { parts[$0.source]?.fingerprint != $0.fingerprint }.map(\.source).sorted()
        let removed = try target.database.removeEditionSources(stale)
        for key in parts.keys.sorted() where known[key] == nil || removed.contains(key) {
            guard let part = parts[key] else { continue }
            guard !isStopped() else { throw CancellationError() }
            try store(part, key, calendar)
        }
        // Another process may have changed the cut tracks, and not their grid yet: then the next update counts again.
        if gridRevision == wanted.head.revision { try target.database.setEditionState(wanted) }
    }

    // MARK: Counting

    /// A cell with its person-days in a month.
    private struct Count {
        /// The Morton code of zoom level 20.
        var cell: UInt64
        var days: Int
    }

    /// A recording: the part of a month's counts that a group of days has.
    private struct Part {
        var month: UInt16
        /// Subtracted from the counts.
        var group: Int
        var counts: [Count]
        var fingerprint: UInt64
    }

    /// The recordings by their keys.
    private func parts(_ months: [UInt16: [Count]]) -> [Int64: Part] {
        var parts: [Int64: Part] = [:]
        for (month, counts) in months {
            let days = StoredPeriod.days(ofMonth: month).count
            var group = 0
            var left = counts
            while !left.isEmpty {
                var digester = Digester()
                for count in left {
                    digester.update(Int64(bitPattern: count.cell))
                    digester.update(min(count.days - group * days, days))
                }
                parts[Int64(month) << 16 | Int64(group)] = Part(
                    month: month, group: group, counts: left, fingerprint: digester.finish().first64)
                group += 1
                left.removeAll { $0.days <= group * days }
            }
        }
        return parts
    }

    /// By month before `end`, the cells where enough persons were, in their order; and the revision that the grid shows.
    private func counts(
        before end: UInt16, _ isStopped: () -> Bool
    ) throws -> (months: [UInt16: [Count]], revision: Int64?) {
        var counts: [UInt16: [Count]] = [:]
        var revision: Int64?
        guard let zoom = ZoomLevel(Self.zoom) else { return ([:], nil) }
        try cut.grid.read { reader in
            revision = try reader.state()?.revision
            var last: TileKey?
            while true {
                let tiles = try reader.occupiedTiles(zoom: zoom, after: last, limit: Self.batchTiles)
                for tile in tiles {
                    guard !isStopped() else { throw CancellationError() }
                    guard let log = try reader.log(of: tile.packed) else { continue }
                    add(log, of: tile, before: end, to: &counts)
                }
                guard let reached = tiles.last else { return }
                last = reached
            }
        }
        return (counts, revision)
    }

    /// Adds the cells of a tile. Everything of a cell is in one tile.
    private func add(_ log: [UInt8], of tile: TileKey, before end: UInt16, to counts: inout [UInt16: [Count]]) {
        var cells: [UInt16: [UInt16: (persons: Set<Int64>, days: Int)]] = [:]
        var fragments = FragmentReader(bytes: log)
        var day: (day: Int32, person: Int64)?
        var seen: Set<UInt16> = []
        while let order = fragments.order {
            if day?.day != order.day || day?.person != order.person {
                day = (order.day, order.person)
                seen = []
            }
            if order.day != FragmentOrder.untimedDay {
                let month = StoredPeriod.month(ofDay: order.day)
                // The first and the last month have all days before and after.
                guard month < end, StoredPeriod.days(ofMonth: month).count <= Self.longestMonth else {
                    fragments.advance()
                    continue
                }
                for cell in CellDeltas.decoded(log.span, fragments.content) where seen.insert(cell).inserted {
                    cells[month, default: [:]][cell, default: ([], 0)].persons.insert(order.person)
                    cells[month]?[cell]?.days += 1
                }
            }
            fragments.advance()
        }
        for (month, found) in cells {
            let shown = found.filter { $0.value.persons.count >= edition.rule.persons }
            guard !shown.isEmpty else { continue }
            counts[month, default: []] += shown.sorted { $0.key < $1.key }.map {
                Count(cell: tile.morton << UInt64(2 * Self.cellBits) | UInt64($0.key), days: $0.value.days)
            }
        }
    }

    // MARK: Storing

    private func store(_ part: Part, _ key: Int64, _ calendar: DayCalendar) throws {
        let days = StoredPeriod.days(ofMonth: part.month)
        let session = try target.database.beginImport()
        let recording = try session.open()
        for (index, day) in days.enumerated() {
            let shown = part.counts.filter { $0.days > part.group * days.count + index }
            guard !shown.isEmpty else { break }
            let points = points(shown, from: calendar.start(ofDay: day))
            for start in stride(from: 0, to: points.count, by: PointChunk.capacity) {
                let range = start..<min(start + PointChunk.capacity, points.count)
                try session.append(points.gathered(range), to: recording)
            }
        }
        let outcome = OutcomeCollector()
        // A person for each group, because a person counts once a day.
        let header = RecordingHeader(person: "group-\(part.group + 1)", source: "")
        try session.end(recording, header: header)?.store(outcome)
        try target.database.flush()
        try target.database.add([
            EditionSource(
                source: key, fingerprint: part.fingerprint,
                track: outcome.tracks.union(outcome.knownTracks).first)
        ])
    }

    /// Points at the centres of cells, each a segment of its own, a millisecond apart.
    private func points(_ counts: [Count], from start: Int64) -> PointColumns {
        var (longitudes, latitudes): ([Int64], [Int64]) = ([], [])
        for count in counts {
            guard let level = ZoomLevel(Self.zoom + Self.cellBits),
                let cell = TileCoordinate(zoom: level, morton: count.cell)
            else { continue }
            let box = BoundingBox(of: cell)
            longitudes.append(Int64(((box.west + box.east) / 2 * 1e7).rounded()))
            latitudes.append(Int64(((box.south + box.north) / 2 * 1e7).rounded()))
        }
        return PointColumns(
            unit: .decimal(places: 7), longitudes: longitudes, latitudes: latitudes,
            times: longitudes.indices.map { start + Int64($0) }, segmentStarts: Array(longitudes.indices), fields: [])
    }
}
