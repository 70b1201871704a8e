import Database
package import HeatGrid
public import LineGrid
import PrimaryStore
public import TileLog
public import TileMath

/// The stored lines of a tile; a pure function of the tile's log and the properties of its tracks.
package struct LineRow: Sendable, Equatable {
    /// The columns besides the log.
    struct Head: Sendable, Equatable {
        /// The sum of all fragments' digests: it does not depend on the numbers of tracks.
        var digest: UInt64 = 0
        /// Bytes of all fragments' runs, without their headers.
        var bytes = 0

        /// Adds (`sign` 1) or subtracts (−1) the fragments of a log.
        mutating func add(_ log: [UInt8], tracks: GridTracks, sign: Int) {
            var reader = LogReader(log.span)
            while let fragment = reader.nextFragment(in: log.span) {
                let digest = tracks.fragmentDigest(fragment.order)
                self.digest = sign > 0 ? self.digest &+ digest : self.digest &- digest
                bytes += sign * fragment.content.count
            }
        }
    }

    var head: Head
    /// The log; empty if it is stored by month.
    var log: [UInt8]
    /// Logs by month, ascending.
    var months: [MonthLog]

    init(head: Head, log: [UInt8], months: [MonthLog]) {
        self.head = head
        self.log = log
        self.months = months
    }

    /// The row for a tile's log.
    package init(log: [UInt8], tracks: GridTracks, rule: SumRule) {
        head = Head()
        head.add(log, tracks: tracks, sign: 1)
        let isByMonth = head.bytes > rule.lineLogBytes
        months = isByMonth ? TileLog<LineRuns>.months(of: log) : []
        self.log = isByMonth ? [] : log
    }

    /// The whole log, however it is stored.
    package var wholeLog: [UInt8] { months.isEmpty ? log : TileLog<LineRuns>.merged(months.map(\.log)) }
}

extension GridReader {
    /// The digest of a tile's lines and of the long steps near it; 0 if it has none.
    public func lineDigest(of tile: TileKey, tracks: GridTracks) throws -> UInt64 {
        // The statement with which the lines are read: a remote database is asked once.
        var digest: UInt64 = 0
        try session.forEach(Self.lineRow, [.integer(Int64(tile.packed))]) { digest = UInt64(bitPattern: $0.integer(0)) }
        for steps in try longSteps(above: tile) {
            for fragment in steps.fragments(near: tile) {
                // The digest of a fragment depends on its track and day only, so any person will do.
                digest &+= tracks.fragmentDigest(FragmentOrder(day: fragment.day, person: 0, track: fragment.track))
            }
        }
        return digest
    }

    /// Whether a tile has lines or a long step is near it.
    public func hasLines(_ tile: TileKey) throws -> Bool {
        let key = Value.integer(Int64(tile.packed))
        if try session.integer("SELECT 1 FROM lines WHERE key = $1", [key]) != nil { return true }
        return try longSteps(above: tile).contains { $0.areNear(tile) }
    }

    /// Bytes of the lines of all zoom levels.
    package func lineBytes() throws -> Int {
        Int(try session.integer("SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM lines") ?? 0)
    }

    /// Replaces the content of `lines` with the lines of a tile: those of the window's days and of tracks that pass the
    /// filter, with the long steps near the tile.
    ///
    /// Cost: about 10 ns a vertex and 1 ns for each byte skipped; if the lines are stored by month, only the window's
    /// months are read.
    public func lines(
        of tile: TileKey, window: DayWindow, filter: FragmentFilter, into lines: inout TileLines
    ) throws {
        lines.removeAll()
        try read(
            lines: tile.packed, window: window, filter: filter, months: [LogMonths.periods(of: window)], into: &lines)
        for steps in try longSteps(above: tile, window: window, filter: filter) {
            lines.merge(steps.lines(near: tile))
        }
    }

    /// Appends the lines stored under a key; of lines stored by month only those of the ranges of months.
    func read(
        lines key: UInt64, window: DayWindow, filter: FragmentFilter, months: [ClosedRange<UInt16>],
        into lines: inout TileLines
    ) throws {
        var isByMonth = false
        try session.forEach(Self.lineRow, [.integer(Int64(key))]) { row in
            isByMonth = try read(lineLogIn: row, key, window: window, filter: filter, into: &lines)
        }
        if isByMonth { try read(lineMonths: months, of: key, window: window, filter: filter, into: &lines) }
    }

    /// Appends the lines of a row of `lineRow`; returns whether they are stored by month instead.
    func read(
        lineLogIn row: any Row, _ key: UInt64, window: DayWindow, filter: FragmentFilter, into lines: inout TileLines
    ) throws -> Bool {
        try row.withCheckedBlob(2, row.lineChecksum(key)) { log in
            LineReader.read(log, window: window, filter: filter, into: &lines)
            return log.isEmpty
        }
    }

    /// Appends the lines of ranges of months of lines that are stored by month.
    func read(
        lineMonths months: [ClosedRange<UInt16>], of key: UInt64, window: DayWindow, filter: FragmentFilter,
        into lines: inout TileLines
    ) throws {
        for query in months.map({ Self.lineMonths($0, of: key) }) {
            try session.forEach(query.sql, query.values) { row in
                try row.withCheckedBlob(0, GridRowChecksum(.lineLogs, key: row.integer(1))) {
                    LineReader.read($0, window: window, filter: filter, into: &lines)
                }
            }
        }
    }

    /// The stored lines of a tile; nil if it has none.
    package func lineRow(of tile: UInt64) throws -> LineRow? {
        guard let stored = try lineHead(of: tile) else { return nil }
        var row = LineRow(head: stored.head, log: stored.log, months: [])
        if row.log.isEmpty { row.months = try monthLogs(of: tile, in: .lineLogs) }
        return row
    }

    /// The header of a tile's lines and its log, which is empty if it is stored by month; nil if there are no lines.
    func lineHead(of tile: UInt64) throws -> (head: LineRow.Head, log: [UInt8])? {
        try session.first(Self.lineRow, [.integer(Int64(tile))]) { row in
            (
                LineRow.Head(digest: UInt64(bitPattern: row.integer(0)), bytes: Int(row.integer(1))),
                try row.checkedBlob(2, row.lineChecksum(tile))
            )
        }
    }

    /// The log of one month's lines; nil if there are none.
    func lineLog(of tile: UInt64, period: UInt16) throws -> [UInt8]? {
        let key = GridSchema.logNumber(tile, period: period)
        return try session.first("SELECT data FROM line_logs WHERE key = $1", [.integer(key)]) {
            try $0.checkedBlob(0, GridRowChecksum(.lineLogs, key: key))
        }
    }

    static let lineRow = "SELECT digest, bytes, data FROM lines WHERE key = $1"

    /// The query for the logs of a range of months.
    static func lineMonths(_ periods: ClosedRange<UInt16>, of key: UInt64) -> Query {
        Query(
            "SELECT data, key FROM line_logs WHERE key >= $1 AND key <= $2 ORDER BY key",
            [
                GridSchema.logKey(key, period: periods.lowerBound), GridSchema.logKey(key, period: periods.upperBound),
            ])
    }
}

extension Row {
    /// The checksum of a row of `GridReader.lineRow`.
    fileprivate func lineChecksum(_ tile: UInt64) -> GridRowChecksum {
        GridRowChecksum(.lines, key: Int64(bitPattern: tile)).adding(integer(0)).adding(integer(1))
    }
}

extension GridWriter {
    /// Replaces the stored lines of a tile; deletes them if the row is empty.
    func write(_ row: LineRow, ofLinesIn tile: UInt64, replacingMonths: Bool) throws {
        if replacingMonths {
            try session.run(
                "DELETE FROM line_logs WHERE key >= $1 AND key <= $2",
                [GridSchema.logKey(tile, period: 0), GridSchema.logKey(tile, period: .max)])
        }
        guard row.head.bytes > 0 else {
            return try session.run("DELETE FROM lines WHERE key = $1", [.integer(Int64(tile))])
        }
        try write(row.head, log: row.log, ofLinesIn: tile)
        for month in row.months { try write(month.log, ofLinesIn: tile, period: month.period) }
    }

    /// Writes the header of a tile's lines, with the log if it is not stored by month.
    func write(_ head: LineRow.Head, log: [UInt8], ofLinesIn tile: UInt64) throws {
        try insert(
            [
                .integer(Int64(tile)), .integer(Int64(bitPattern: head.digest)), .integer(head.bytes),
                GridRowChecksum(.lines, key: Int64(bitPattern: tile)).adding(Int64(bitPattern: head.digest))
                    .adding(Int64(head.bytes)).blobWithChecksum(log),
            ], into: "lines",
            """
            INSERT INTO lines VALUES ($1, $2, $3, $4)
            ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, bytes = excluded.bytes, data = excluded.data
            """)
    }

    /// Writes a month's lines; an empty log removes them.
    func write(_ log: [UInt8], ofLinesIn tile: UInt64, period: UInt16) throws {
        let key = GridSchema.logNumber(tile, period: period)
        try write(log.isEmpty ? nil : log, .lineLogs, key)
    }
}
