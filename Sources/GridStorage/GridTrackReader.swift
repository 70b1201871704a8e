import Database
public import TileLog
public import TileMath

/// The rows of tracks.
extension GridReader {
    /// The properties of all tracks of the grid.
    public func tracks() throws -> GridTracks {
        var tracks = GridTracks()
        try session.forEach(
            "SELECT number, seed, activity, start, first_day, last_day, months FROM tracks ORDER BY number"
        ) { row in
            _ = try row.checkedMonths(6, number: row.integer(0), from: 1)
            tracks.set(
                row.integer(0), digest: UInt64(bitPattern: row.integer(1)),
                activity: UInt8(truncatingIfNeeded: row.integer(2)))
        }
        tracks.layers = try members()
        return tracks
    }

    /// A window of whole months that contains all fragments of some tracks; all time if one has points without a day.
    public func months(of tracks: TrackSet) throws -> DayWindow {
        var first = Int32.max
        var last = Int32.min
        for number in tracks.numbers {
            for period in try tilesAndMonths(ofTrack: number)?.months ?? [] {
                guard let days = LogMonths.days(ofPeriod: period) else { return .allTime }
                first = min(first, days.lowerBound)
                last = max(last, days.upperBound)
            }
        }
        return DayWindow(from: first, to: last)
    }

    /// The tiles of all zoom levels (packed keys, ascending) and the months of a track; nil if the track is unknown.
    func tilesAndMonths(ofTrack number: Int64) throws -> (tiles: [UInt64], months: [UInt16])? {
        try session.first(
            "SELECT seed, activity, start, first_day, last_day, months, tiles FROM tracks WHERE number = $1",
            [.integer(number)]
        ) { row in
            let months = GridSchema.decoded(ascending: try row.checkedMonths(5, number: number, from: 0))
            let tiles = try row.checkedBlob(6, GridRowChecksum(.trackTiles, key: number))
            return (GridSchema.decoded(ascending: tiles), months.map { UInt16(truncatingIfNeeded: $0) })
        }
    }

    /// The tiles of a zoom level in which some tracks have cells or lines, as Morton codes, ascending: the ancestors of
    /// their tiles of zoom level 16, and the tiles of their long steps.
    public func tiles(of tracks: TrackSet, zoom: ZoomLevel) throws -> [UInt64] {
        var codes: [UInt64] = []
        let shift = UInt64(2 * (ZoomLevel.deepestGrid.number - zoom.number))
        for number in tracks.numbers {
            let stored = try session.first("SELECT tiles FROM tracks WHERE number = $1", [.integer(number)]) {
                try $0.checkedBlob(0, GridRowChecksum(.trackTiles, key: number))
            }
            let keys = GridSchema.decoded(ascending: stored ?? [])
            codes += keys.filter { $0 >> 32 == UInt64(ZoomLevel.deepestGrid.number) }.map {
                ($0 & 0xFFFF_FFFF) >> shift
            }
            guard let last = keys.last, last >= TileKey.firstOfLongSteps else { continue }
            codes += keys.filter { $0 >> 32 == UInt64(zoom.number) }.map { $0 & 0xFFFF_FFFF }
        }
        var sorter = CodeSorter()
        sorter.sortDistinct(&codes)
        return codes
    }

    /// The first and the last day of all tracks; nil if no track has a time.
    public func dayBounds() throws -> ClosedRange<Int32>? {
        guard let first = try session.integer("SELECT min(first_day) FROM tracks"),
            let last = try session.integer("SELECT max(last_day) FROM tracks"), first <= last
        else { return nil }
        return Int32(clamping: first)...Int32(clamping: last)
    }
}

extension Row {
    /// The months of a row of `tracks`; the checksum covers the columns from digest (`first`) to last day.
    fileprivate func checkedMonths(_ column: Int, number: Int64, from first: Int) throws -> [UInt8] {
        try checkedBlob(
            column,
            GridRowChecksum.track(
                number, digest: integer(first), activity: integer(first + 1), start: integerOrNil(first + 2),
                days: (integerOrNil(first + 3), integerOrNil(first + 4))))
    }
}
