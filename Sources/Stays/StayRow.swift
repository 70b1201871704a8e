import Text

/// The row of a track in the grid: its first and last instant, its runs if no other track of the person is near in
/// time, and its cells.
///
/// The runs follow from the cells. They are there because most tracks are alone at their time; then cells are not read.
struct StayRow {
    /// The first and the last instant, in milliseconds since 1970.
    let first: Int64
    let last: Int64
    /// The runs, in the row.
    let runs: Range<Int>

    /// Reads the head of a row; nil if it has no bytes.
    init?(_ row: borrowing Span<UInt8>) {
        var cursor = VarintCursor(offset: 0, end: row.count)
        guard !cursor.isAtEnd else { return nil }
        first = Varint.unzigzag(cursor.next(in: row))
        last = first &+ Int64(bitPattern: cursor.next(in: row))
        let count = cursor.nextCount(in: row)
        runs = cursor.offset..<cursor.offset + count
    }

    /// The row of encoded cells; no bytes without cells.
    static func encoded(cells: [UInt8]) -> [UInt8] {
        guard !cells.isEmpty else { return [] }
        var sum = StayCellSum()
        sum.add(cells)
        var devices = StayDevices()
        var span: ClosedRange<Int64>?
        sum.forEachMinute { cells in
            for cell in cells {
                span = min(span?.lowerBound ?? cell.arrive, cell.arrive)...max(span?.upperBound ?? .min, cell.leave)
            }
            devices.add(&cells)
        }
        devices.finish()
        guard let span else { return [] }
        let runs = StayRuns.encoded(devices.runs)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(runs.count + cells.count + 4 * Varint.longest)
        Varint.append(Varint.zigzag(span.lowerBound), to: &bytes)
        Varint.append(UInt64(bitPattern: span.upperBound &- span.lowerBound), to: &bytes)
        Varint.append(UInt64(runs.count), to: &bytes)
        return bytes + runs + cells
    }
}

/// The rows of the tracks of a person, and the stays in them. The order of the tracks does not matter.
public struct StayRows: Sendable {
    private struct Track {
        var number: Int64
        var first: Int64
        var last: Int64
        /// In `runs`.
        var runs: Range<Int>
        /// Where the cells begin in the row.
        var cells: Int
    }

    private var tracks: [Track] = []
    private var runs: [UInt8] = []

    /// Creates the rows of a person without tracks.
    public init() {}

    /// Adds the row of a track. Its cells are not kept.
    public mutating func add(_ row: borrowing Span<UInt8>, ofTrack number: Int64) {
        guard let head = StayRow(row) else { return }
        let start = runs.count
        for offset in head.runs { runs.append(row[offset]) }
        tracks.append(
            Track(
                number: number, first: head.first, last: head.last, runs: start..<runs.count,
                cells: head.runs.upperBound))
    }

    /// The stays, by arrival. `row` returns the row of a track; it is called for tracks that overlap in time, or follow
    /// each other within `StayRule.pauseMilliseconds`.
    public func stays(row: (_ number: Int64) throws -> [UInt8]) rethrows -> [Stay] {
        let sorted = tracks.sorted { ($0.first, $0.last, $0.number) < ($1.first, $1.last, $1.number) }
        var found: [StayRun] = []
        var start = 0
        while start < sorted.count {
            var last = sorted[start].last
            var end = start + 1
            // A longer pause ends the runs of all devices.
            while end < sorted.count, sorted[end].first &- last <= StayRule.pauseMilliseconds {
                last = max(last, sorted[end].last)
                end += 1
            }
            if end == start + 1 {
                StayRuns.forEach(in: runs.span.extracting(sorted[start].runs)) { found.append($0) }
            } else {
                var sum = StayCellSum()
                for track in sorted[start..<end] { sum.add(try row(track.number), from: track.cells) }
                found += sum.runs
            }
            start = end
        }
        return StayMerger.stays(found)
    }
}
