internal import Digest
public import TileMath

/// What is drawn of a route on the levels of a scene.
public struct FloorRoute: Sendable {
    /// Lines on these levels; lines of fewer than two places are left out.
    public let lines: [[GeoPoint]]
    /// Where the route begins; nil if that is on another level.
    public let start: GeoPoint?
    /// Where it ends; nil if that is on another level.
    public let end: GeoPoint?

    public init(lines: [[GeoPoint]], start: GeoPoint? = nil, end: GeoPoint? = nil) {
        self.lines = lines.filter { $0.count > 1 }
        self.start = start
        self.end = end
    }

    func add(to digester: inout Digester) {
        digester.update(lines.count)
        for line in lines {
            digester.update(line.count)
            for place in line { Self.add(place, to: &digester) }
        }
        for end in [start, end] {
            digester.update(end == nil ? 0 : 1)
            if let end { Self.add(end, to: &digester) }
        }
    }

    private static func add(_ place: GeoPoint, to digester: inout Digester) {
        digester.update(place.longitude.bitPattern)
        digester.update(place.latitude.bitPattern)
    }
}
