import HeatGrid
public import LineGrid
import SQLite
public import TileLog
public import TileMath

/// What the grid holds of a tile's lines; a pure function of the tile's log and of what its tracks are.
struct LineRow: Sendable, Equatable {
    /// What stands at its head.
    struct Head: Sendable, Equatable {
        /// The sum of all parts' digests: the same content has the same, whatever the numbers of tracks are.
        var digest: UInt64 = 0
        /// Bytes of all parts' runs, without what names the parts.
        var bytes = 0

        /// Takes a log's parts in (`sign` 1) or out (−1).
        mutating func add(_ log: [UInt8], tracks: GridTracks, sign: Int) {
            var reader = LogReader(log.span)
            while let part = reader.nextPart(in: log.span) {
                let digest = tracks.partDigest(part.order)
                self.digest = sign > 0 ? self.digest &+ digest : self.digest &- digest
                bytes += sign * part.content.count
            }
        }
    }

    var head: Head
    /// The log; empty where there are months.
    var log: [UInt8]
    /// Logs by month, ascending.
    var months: [Month]

    /// The log of one month.
    struct Month: Sendable, Equatable {
        var period: UInt16
        var log: [UInt8]
    }

    init(head: Head, log: [UInt8], months: [Month]) {
        self.head = head
        self.log = log
        self.months = months
    }

    /// The row of a tile's log.
    init(log: [UInt8], tracks: GridTracks, rule: SumRule) {
        head = Head()
        head.add(log, tracks: tracks, sign: 1)
        let isByMonth = head.bytes > rule.lineLogBytes
        months = isByMonth ? TileLog<LineRuns>.months(of: log).map { Month(period: $0.period, log: $0.log) } : []
        self.log = isByMonth ? [] : log
    }

    /// The whole log, whatever way it is stored.
    var wholeLog: [UInt8] { months.isEmpty ? log : TileLog<LineRuns>.merged(months.map(\.log)) }
}

extension GridReader {
    /// The digest of a tile's lines and of the long steps that come near it; 0 where it has none.
    public func lineDigest(of tile: TileKey, tracks: GridTracks) throws -> UInt64 {
        let stored = try connection.integer("SELECT digest FROM lines WHERE key = ?", [.integer(Int64(tile.packed))])
        var digest = UInt64(bitPattern: stored ?? 0)
        for steps in try longSteps(above: tile) {
            for part in steps.parts(near: tile) {
                digest &+= tracks.partDigest(FragmentOrder(day: part.day, person: 0, track: part.track))
            }
        }
        return digest
    }

    /// Whether a tile has lines, or a long step comes near it.
    public func hasLines(_ tile: TileKey) throws -> Bool {
        let key = Value.integer(Int64(tile.packed))
        if try connection.integer("SELECT 1 FROM lines WHERE key = ?", [key]) != nil { return true }
        return try longSteps(above: tile).contains { $0.comeNear(tile) }
    }

    /// The long steps of a window's days and a filter's tracks that are stored with the tiles that hold a tile, and are not
    /// drawn at its zoom level.
    func longSteps(
        above tile: TileKey, window: DayWindow = .allTime, filter: FragmentFilter = .all
    ) throws -> [LongSteps] {
        // Nearly all libraries have few or none.
        guard let first = try connection.integer(Self.firstOfLongSteps, [.integer(Int64(TileKey.firstOfLongSteps))])
        else { return [] }
        var found: [LongSteps] = []
        for holder in tile.ancestors where holder.packedLongSteps >= UInt64(first) {
            let steps = try longSteps(of: holder, window: window, filter: filter)
            if !steps.isEmpty { found.append(steps) }
        }
        return found
    }

    private static let firstOfLongSteps = "SELECT key FROM lines WHERE key >= ? ORDER BY key LIMIT 1"

    /// The long steps that are stored with a tile.
    func longSteps(
        of holder: TileKey, window: DayWindow = .allTime, filter: FragmentFilter = .all
    ) throws -> LongSteps {
        var stored = TileLines()
        try read(lines: holder.packedLongSteps, window: window, filter: filter, into: &stored)
        return LongSteps(stored, of: holder)
    }

    /// The most bytes of lines that any tile of a zoom level holds; 0 where there is no line.
    public func lineLoad(zoom: ZoomLevel) throws -> Int {
        Int(
            try connection.integer("SELECT max(bytes) FROM lines WHERE key >> 32 = ?", [.integer(zoom.number)]) ?? 0)
    }

    /// Bytes of all lines' runs, of every zoom level.
    package func lineBytes() throws -> Int {
        Int(try connection.integer("SELECT coalesce(sum(bytes), 0) FROM lines") ?? 0)
    }

    /// Puts the lines of a tile into `lines`, in place of what it holds: those of the window's days, of the tracks that the
    /// filter lets pass, with the long steps that come near the tile.
    ///
    /// Cost: some 10 ns a vertex and 1 ns for each byte passed over; where lines are many, only the window's months are read.
    public func lines(
        of tile: TileKey, window: DayWindow, filter: FragmentFilter, into lines: inout TileLines
    ) throws {
        lines.removeAll()
        try read(lines: tile.packed, window: window, filter: filter, into: &lines)
        for steps in try longSteps(above: tile, window: window, filter: filter) {
            lines.unite(steps.lines(near: tile))
        }
    }

    /// Appends the lines that are stored under a key.
    private func read(
        lines key: UInt64, window: DayWindow, filter: FragmentFilter, into lines: inout TileLines
    ) throws {
        let isByMonth = try connection.first(
            Self.lineRow, [.integer(Int64(key))]
        ) { row in
            try row.withSealed(2, row.lineSeal(key)) { log in
                LineReader.read(log, window: window, filter: filter, into: &lines)
                return log.isEmpty
            }
        }
        guard isByMonth == true else { return }
        let periods = LogMonths.periods(of: window)
        try connection.forEach(
            "SELECT data, key FROM line_logs WHERE key >= ? AND key <= ? ORDER BY key",
            [
                GridSchema.logKey(key, period: periods.lowerBound),
                GridSchema.logKey(key, period: periods.upperBound),
            ]
        ) { row in
            try row.withSealed(0, GridRowChecksum(.lineLogs, key: row.integer(1))) {
                LineReader.read($0, window: window, filter: filter, into: &lines)
            }
        }
    }

    /// All that is stored of a tile's lines; nil where it has none.
    func lineRow(of tile: UInt64) throws -> LineRow? {
        guard let stored = try lineHead(of: tile) else { return nil }
        var row = LineRow(head: stored.head, log: stored.log, months: [])
        guard row.log.isEmpty else { return row }
        row.months = try connection.rows(
            "SELECT key, data FROM line_logs WHERE key >= ? AND key <= ? ORDER BY key",
            [GridSchema.logKey(tile, period: 0), GridSchema.logKey(tile, period: .max)]
        ) { row in
            LineRow.Month(
                period: UInt16(truncatingIfNeeded: row.integer(0)),
                log: try row.sealedBlob(1, GridRowChecksum(.lineLogs, key: row.integer(0))))
        }
        return row
    }

    /// The head of a tile's lines, and its log, which is empty where they stand by month; nil where it has no line.
    func lineHead(of tile: UInt64) throws -> (head: LineRow.Head, log: [UInt8])? {
        try connection.first(Self.lineRow, [.integer(Int64(tile))]) { row in
            (
                LineRow.Head(digest: UInt64(bitPattern: row.integer(0)), bytes: Int(row.integer(1))),
                try row.sealedBlob(2, row.lineSeal(tile))
            )
        }
    }

    /// The log of a month's lines; nil where there are none.
    func lineLog(of tile: UInt64, period: UInt16) throws -> [UInt8]? {
        let key = GridSchema.logNumber(tile, period: period)
        return try connection.first("SELECT data FROM line_logs WHERE key = ?", [.integer(key)]) {
            try $0.sealedBlob(0, GridRowChecksum(.lineLogs, key: key))
        }
    }

    private static let lineRow = "SELECT digest, bytes, data FROM lines WHERE key = ?"
}

extension Statement {
    /// The seal of a row of `GridReader.lineRow`.
    fileprivate func lineSeal(_ tile: UInt64) -> GridRowChecksum {
        GridRowChecksum(.lines, key: Int64(bitPattern: tile)).adding(integer(0)).adding(integer(1))
    }
}

extension GridWriter {
    /// Writes a tile's lines in place of what is stored of them; nothing where there are none any more.
    func write(_ row: LineRow, ofLinesIn tile: UInt64, replacingMonths: Bool) throws {
        if replacingMonths {
            try connection.run(
                "DELETE FROM line_logs WHERE key >= ? AND key <= ?",
                [GridSchema.logKey(tile, period: 0), GridSchema.logKey(tile, period: .max)])
        }
        guard row.head.bytes > 0 else {
            return try connection.run("DELETE FROM lines WHERE key = ?", [.integer(Int64(tile))])
        }
        try write(row.head, log: row.log, ofLinesIn: tile)
        for month in row.months { try write(month.log, ofLinesIn: tile, period: month.period) }
    }

    /// Writes the head of a tile's lines, with the log where they are not stored by month.
    func write(_ head: LineRow.Head, log: [UInt8], ofLinesIn tile: UInt64) throws {
        try connection.run(
            "INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?)",
            [
                .integer(Int64(tile)), .integer(Int64(bitPattern: head.digest)), .integer(head.bytes),
                GridRowChecksum(.lines, key: Int64(bitPattern: tile)).adding(Int64(bitPattern: head.digest))
                    .adding(Int64(head.bytes)).sealed(log),
            ])
    }

    /// Writes a month's lines; an empty log removes them.
    func write(_ log: [UInt8], ofLinesIn tile: UInt64, period: UInt16) throws {
        let key = GridSchema.logNumber(tile, period: period)
        try write(log.isEmpty ? nil : log, "line_logs", .lineLogs, key)
    }
}
