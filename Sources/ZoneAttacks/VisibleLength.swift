import TileMath

/// The length of what is visible of a track.
enum VisibleLength {
    /// In metres, on a sphere: up to 0.6 % off.
    static func metres(of track: PublishedTrack) -> Double {
        track.segments.reduce(0) { $0 + metres(along: $1) }
    }

    static func metres(along line: [PublishedPlace]) -> Double {
        guard let first = line.first else { return 0 }
        var plane = TangentPlane(at: first)
        var last = Vector.zero
        var sum = 0.0
        for place in line.dropFirst() {
            let point = plane.vector(to: place)
            sum += point.distance(to: last)
            last = point
            if point.length > planeMetres {
                plane = TangentPlane(at: place)
                last = .zero
            }
        }
        return sum
    }

    /// Farther away, the plane is another one.
    private static let planeMetres = 5000.0
}
