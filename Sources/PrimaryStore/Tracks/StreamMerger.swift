internal import Database
internal import Tracks

/// Inserts points into the ordered chunks of a stream, as into the leaves of a tree.
struct StreamMerger {
    let session: any Session
    let stream: Int64
    /// Whether the repeat count of a point is increased when it is received again.
    var countsRepeats = false

    /// A range of times in which chunks have changed.
    struct ChangedRange {
        var first: Int64
        var last: Int64
        /// Whether points were added; if not, only fields have changed.
        var hasNewPoints: Bool
        /// Whether the fields that pictures show, or that say that somebody stood still, have changed for points that
        /// were stored before.
        var isDrawnDifferently: Bool

        /// The ranges in which tracks have to be found again. Those near each other are joined: what is found in one
        /// depends on the points around it, which would be read for each of them.
        static func joined(_ ranges: [ChangedRange]) -> [ChangedRange] {
            var joined: [ChangedRange] = []
            for range in ranges where range.hasNewPoints || range.isDrawnDifferently {
                guard let last = joined.last, range.first <= last.last.plus(2 * OutlierSearch.contextMilliseconds)
                else {
                    joined.append(range)
                    continue
                }
                joined[joined.count - 1] = ChangedRange(
                    first: min(last.first, range.first), last: max(last.last, range.last),
                    hasNewPoints: last.hasNewPoints || range.hasNewPoints,
                    isDrawnDifferently: last.isDrawnDifferently || range.isDrawnDifferently)
            }
            return joined
        }
    }

    /// The key of a point in a stream, which also defines the order.
    private struct Leaf {
        var number: Int64
        var first: PointKey
    }

    /// Merges points that all have a time and are in decimal degrees.
    func merge(_ points: PointColumns) throws -> (newPoints: Int, changedRanges: [ChangedRange]) {
        let keys = points.keys
        let order = keys.indices.sorted { keys[$0] < keys[$1] }
        guard let first = order.first, let last = order.last else { return (0, []) }
        let leaves = try leaves(from: keys[first].time, to: keys[last].time)
        var newPoints = 0
        var changedRanges: [ChangedRange] = []
        var position = 0
        var leaf = 0
        while position < order.count {
            while leaf + 1 < leaves.count, leaves[leaf + 1].first <= keys[order[position]] { leaf += 1 }
            var end = order.count
            if leaf + 1 < leaves.count {
                end = order[position...].firstIndex { keys[$0] >= leaves[leaf + 1].first } ?? order.count
            }
            let part = points.gathered(Array(order[position..<end]))
            let old = leaf < leaves.count ? leaves[leaf].number : nil
            if let insertion = try insert(part, into: old) {
                newPoints += insertion.newPoints
                changedRanges.append(
                    ChangedRange(
                        first: keys[order[position]].time, last: keys[order[end - 1]].time,
                        hasNewPoints: insertion.newPoints > 0, isDrawnDifferently: insertion.isDrawnDifferently))
            }
            position = end
        }
        return (newPoints, changedRanges)
    }

    /// The chunks whose key ranges overlap these times, where a range extends to the first key of the next chunk. The
    /// first one is the preceding chunk, if there is one.
    private func leaves(from start: Int64, to end: Int64) throws -> [Leaf] {
        let columns = "number, first_time, first_east, first_north"
        func leaf(_ row: any Row) -> Leaf {
            Leaf(
                number: row.integer(0),
                first: PointKey(
                    time: row.integer(1), longitude: Int32(clamping: row.integer(2)),
                    latitude: Int32(clamping: row.integer(3))))
        }
        var leaves: [Leaf] = []
        let before = try session.first(
            """
            SELECT \(columns) FROM stream_chunk WHERE stream = $1 AND last_time < $2
            ORDER BY last_time DESC, first_time DESC, first_east DESC, first_north DESC LIMIT 1
            """,
            [.integer(stream), .integer(start)], leaf)
        if let before { leaves.append(before) }
        try session.forEachWhile(
            """
            SELECT \(columns) FROM stream_chunk WHERE stream = $1 AND last_time >= $2
            ORDER BY last_time, first_time, first_east, first_north
            """,
            [.integer(stream), .integer(start)]
        ) { row in
            let found = leaf(row)
            // Without a preceding chunk, points before the first chunk are added to the first chunk.
            guard found.first.time <= end || leaves.isEmpty else { return false }
            leaves.append(found)
            return true
        }
        return leaves
    }

    private struct Insertion {
        var newPoints: Int
        var isDrawnDifferently = false
    }

    /// Merges ordered points with a chunk, or creates chunks; nil if nothing has changed.
    private func insert(_ part: PointColumns, into number: Int64?) throws -> Insertion? {
        let old = try number.map { try StreamChunks.read(session, number: $0) }
        var all = old ?? PointColumns()
        all.append(part)
        all.limitFields(to: PointChunk.fieldLimit, after: old)
        // A stream has no segments.
        all.segmentStarts = []
        var insertion = Insertion(newPoints: part.count)
        let keys = all.keys
        // Usually a device records one point after the other, and there is nothing to merge.
        if !zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) {
            let groups = Self.groups(of: keys)
            all = countsRepeats ? all.mergedCountingRepeats(groups) : all.merged(groups)
            insertion.newPoints = all.count - (old?.count ?? 0)
            if let old {
                // Nothing new: no row is written, so that importing a file again changes nothing.
                if insertion.newPoints == 0, all.gathered(0..<all.count) == old { return nil }
                if all.count < old.count + part.count {
                    let known = all.gathered(groups.indices.filter { groups[$0][0] < old.count })
                    insertion.isDrawnDifferently =
                        known.isDrawnDifferently(than: old) || known.isMeasuredDifferently(than: old)
                }
            }
        }
        if let number { try StreamChunks.delete(session, number: number) }
        let isAppended = old.map { ($0.times.last ?? .min) < (part.times.first ?? .min) } ?? true
        for range in Self.chunkRanges(of: all.count, isAppended: isAppended) {
            try StreamChunks.insert(session, stream: stream, all.gathered(range))
        }
        return insertion
    }

    /// The indices of the points of each key, by key.
    private static func groups(of keys: [PointKey]) -> [[Int]] {
        var groups: [[Int]] = []
        for index in keys.indices.sorted(by: { (keys[$0], $0) < (keys[$1], $1) }) {
            if let last = groups.last?.first, keys[last] == keys[index] {
                groups[groups.count - 1].append(index)
            } else {
                groups.append([index])
            }
        }
        return groups
    }

    /// Full chunks if points are appended in order of time; chunks of equal size, with free space, if points are
    /// inserted between others.
    private static func chunkRanges(of count: Int, isAppended: Bool) -> [Range<Int>] {
        let chunkCount = (count + PointChunk.capacity - 1) / PointChunk.capacity
        let size = isAppended ? PointChunk.capacity : (count + chunkCount - 1) / chunkCount
        return stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
    }
}
