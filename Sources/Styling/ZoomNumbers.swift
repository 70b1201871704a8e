public import TileMath

/// A number by zoom level: interpolated linearly between stops, and constant beyond the first and the last stop.
public struct ZoomNumbers: Hashable, Sendable {
    /// The number at one zoom level.
    public struct Stop: Hashable, Sendable {
        /// 0–22.
        public let zoom: Int
        public let value: Double
    }

    /// At least one, ascending.
    public let stops: [Stop]

    /// The same number at every zoom level.
    public init(_ value: Double) {
        stops = [Stop(zoom: 0, value: value)]
    }

    /// `values` by zoom level; at least one.
    public init(_ values: [Int: Double]) {
        precondition(!values.isEmpty && values.keys.allSatisfy { ZoomLevel($0) != nil }, "valid zoom levels")
        stops = values.sorted { $0.key < $1.key }.map { Stop(zoom: $0.key, value: $0.value) }
    }

    public subscript(zoom: ZoomLevel) -> Double {
        guard let after = stops.firstIndex(where: { $0.zoom >= zoom.number }) else {
            return stops[stops.count - 1].value
        }
        guard after > 0 else { return stops[0].value }
        let (left, right) = (stops[after - 1], stops[after])
        let share = Double(zoom.number - left.zoom) / Double(right.zoom - left.zoom)
        return left.value + (right.value - left.value) * share
    }
}
