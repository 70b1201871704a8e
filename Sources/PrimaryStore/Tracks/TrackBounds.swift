import Database
import TileMath
public import Tracks

extension TrackDatabase {
    /// Boxes that together enclose the tracks that pass a filter.
    public func bounds(_ filter: TrackFilter) throws -> [E7Bounds] {
        try read { try $0.bounds(filter) }
    }
}

extension TrackSnapshot {
    /// Boxes that together enclose the tracks that pass a filter: at most one for each degree of longitude, unless the
    /// filter has a condition or a box.
    ///
    /// A box encloses all tracks that begin in the same degree, so gaps between tracks that are wider than a degree remain.
    /// Throws `CancellationError` if the filter says that nobody needs the result.
    func bounds(_ filter: TrackFilter) throws -> [E7Bounds] {
        guard filter.condition == nil, filter.bounds == nil else { return try listedBounds(filter) }
        let hasWindow = filter.from != nil || filter.to != nil
        var boxes: [Int64: UnwrappedBox] = [:]
        try session.forEachWhile(
            """
            SELECT min(t.west), max(CASE WHEN t.east < t.west THEN t.east + 3600000000 ELSE t.east END), min(t.south),
            max(t.north), (t.west + 1800000000) / 10000000, coalesce(e.activity, t.activity) FROM track t LEFT JOIN edit e ON e.track = t.number
            WHERE t.state = 0 AND t.west IS NOT NULL AND coalesce(t.finish, $1) >= $2 AND coalesce(t.start, $3) < $4
            AND t.person = coalesce($5, t.person)
            GROUP BY (t.west + 1800000000) / 10000000, coalesce(e.activity, t.activity)
            """,
            [
                // The times that tracks without times are given: they are in no window.
                .integer(hasWindow ? Int64.min : .max), .integer(filter.from ?? Int64.min),
                .integer(hasWindow ? Int64.max : .min), .integer(filter.to ?? Int64.max),
                .integer(orNull: filter.person),
            ]
        ) { row in
            try filter.checkCancellation()
            guard filter.activity?.admits(row.textOrNil(5)) ?? true else { return true }
            let box = UnwrappedBox(
                west: row.integer(0), east: row.integer(1), south: row.integer(2), north: row.integer(3))
            boxes[row.integer(4)] = boxes[row.integer(4)]?.union(box) ?? box
            return true
        }
        return boxes.sorted { $0.key < $1.key }.map { E7Bounds($0.value) }
    }

    private func listedBounds(_ filter: TrackFilter) throws -> [E7Bounds] {
        var boxes: [E7Bounds] = []
        try session.forEachWhile("SELECT \(Track.columns(session)) FROM \(Track.tables) WHERE t.state = 0", []) { row in
            try filter.checkCancellation()
            let track = Track(row: row)
            if let box = track.bounds, filter.admits(track) { boxes.append(box) }
            return true
        }
        return boxes
    }
}

/// A box in 1e-7°, whose east edge is not less than its west edge and may be beyond 180°.
private struct UnwrappedBox {
    var west: Int64
    var east: Int64
    var south: Int64
    var north: Int64

    func union(_ other: UnwrappedBox) -> UnwrappedBox {
        UnwrappedBox(
            west: min(west, other.west), east: max(east, other.east), south: min(south, other.south),
            north: max(north, other.north))
    }
}

extension E7Bounds {
    fileprivate init(_ box: UnwrappedBox) {
        let (halfTurn, turn) = (E7Longitude.halfTurn, E7Longitude.turn)
        let isWorld = box.east - box.west >= turn
        self.init(
            west: Int32(clamping: isWorld ? -halfTurn : box.west), south: Int32(clamping: box.south),
            east: Int32(clamping: isWorld ? halfTurn : box.east > halfTurn ? box.east - turn : box.east),
            north: Int32(clamping: box.north))
    }
}
