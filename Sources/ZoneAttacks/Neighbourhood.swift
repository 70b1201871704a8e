/// An end in the plane of a neighbourhood.
struct LocalEnd: Sendable {
    var point: Vector
    /// The direction of the last metres, out of the visible line, with the length 1; zero if there is none.
    var direction: Vector
    var end: TrackEnd
    var day: Int32?
}

/// A place where one or more lines end: a street that leads into a hidden area.
struct Terminal: Sendable {
    /// The point that is farthest in the direction of the hidden area: the others are up to a step of their track before.
    var point: Vector
    /// The mean direction, with the length 1.
    var direction: Vector
    /// Indices of the ends.
    var ends: [Int]
    /// The number of different days, or of tracks without a day.
    var days: Int
}

/// The published lines around a cluster of ends, in a plane.
struct Neighbourhood: Sendable {
    let plane: TangentPlane
    let ends: [LocalEnd]
    /// The most used first.
    let terminals: [Terminal]
    /// The visible lines, with about `stepMetres` between their points.
    let lines: [Line]
    let visible: VisibleCells
    let streets: StreetAxes

    /// A visible line, and the index of its track.
    struct Line: Sendable {
        var track: Int
        var points: [Vector]
    }

    static let stepMetres = 10.0
    /// Ends on the same street are as far apart as a fast rider gets from one point to the next.
    private static let mergeMetres = 30.0
    /// The way that tells the direction of a line: longer than the noise of GPS, shorter than a block of houses.
    private static let directionMetres = 60.0

    /// The ends of a cluster, and all lines within twice the reach of its middle.
    init(_ cluster: EndClusters.Cluster, of ends: [TrackEnd], in tracks: [PublishedTrack], reach: Double) {
        let plane = TangentPlane(at: cluster.middle)
        self.plane = plane
        self.ends = cluster.members.map { index in
            let end = ends[index]
            let line = tracks[end.track].segments[end.segment]
            return LocalEnd(
                point: plane.vector(to: end.place),
                direction: Self.direction(
                    of: end.isFirst ? Array(line.prefix(200)) : line.suffix(200).reversed(), plane),
                end: end, day: tracks[end.track].day)
        }
        terminals = Self.terminals(of: self.ends)
        var lines: [Line] = []
        for (number, track) in tracks.enumerated() {
            for segment in track.segments {
                lines += Self.parts(of: segment, plane, within: 2 * reach).map { Line(track: number, points: $0) }
            }
        }
        self.lines = lines
        visible = VisibleCells(lines.lazy.map(\.points))
        streets = StreetAxes(lines.lazy.map(\.points))
    }

    /// The direction in which a line, given from its end backwards, goes on beyond its end.
    private static func direction(of places: [PublishedPlace], _ plane: TangentPlane) -> Vector {
        guard let first = places.first else { return .zero }
        let end = plane.vector(to: first)
        // The mean of the near points against that of the far ones: a single point has the noise of GPS.
        var (near, far) = (Vector.zero, Vector.zero)
        var (nearCount, farCount) = (0.0, 0.0)
        for place in places {
            let point = plane.vector(to: place)
            let metres = point.distance(to: end)
            guard metres <= directionMetres else { break }
            if metres <= directionMetres / 3 {
                near += point
                nearCount += 1
            } else if metres >= directionMetres / 2 {
                far += point
                farCount += 1
            }
        }
        if nearCount > 0, farCount > 0 { return (near / nearCount - far / farCount).unit ?? .zero }
        guard let second = places.dropFirst().first else { return .zero }
        return (end - plane.vector(to: second)).unit ?? .zero
    }

    private static func terminals(of ends: [LocalEnd]) -> [Terminal] {
        var groups: [(sum: Vector, ends: [Int])] = []
        for (index, end) in ends.enumerated() {
            let near = groups.firstIndex { group in
                end.point.distance(to: group.sum / Double(group.ends.count)) <= mergeMetres
                    && end.direction.dot(ends[group.ends[0]].direction) >= 0
            }
            if let near {
                groups[near].sum += end.point
                groups[near].ends.append(index)
            } else {
                groups.append((end.point, [index]))
            }
        }
        let terminals = groups.map { group in
            let members = group.ends.map { ends[$0] }
            let direction = members.reduce(Vector.zero) { $0 + $1.direction }.unit ?? .zero
            let innermost = members.map(\.point).max { $0.dot(direction) < $1.dot(direction) }
            return Terminal(
                point: innermost ?? .zero, direction: direction, ends: group.ends,
                days: Set(members.map { $0.day ?? Int32(clamping: $0.end.track) }).count)
        }
        return terminals.enumerated().sorted { ($1.element.ends.count, $0.offset) < ($0.element.ends.count, $1.offset) }
            .map(\.element)
    }

    /// The parts of a line within a distance of the middle, without most of its points.
    private static func parts(
        of segment: [PublishedPlace], _ plane: TangentPlane, within metres: Double
    ) -> [[Vector]] {
        var parts: [[Vector]] = []
        var part: [Vector] = []
        for (index, place) in segment.enumerated() {
            let point = plane.vector(to: place)
            guard abs(point.x) <= metres, abs(point.y) <= metres else {
                if part.count > 1 { parts.append(part) }
                part = []
                continue
            }
            if let last = part.last, index < segment.count - 1, last.distance(to: point) < stepMetres { continue }
            part.append(point)
        }
        if part.count > 1 { parts.append(part) }
        return parts
    }
}

/// The squares of a grid through which lines pass.
struct VisibleCells: Sendable {
    /// The middles of the squares.
    let middles: [Vector]

    static let cellMetres = 20.0

    init(_ lines: some Sequence<[Vector]>) {
        var cells: Set<SIMD2<Int32>> = []
        for line in lines {
            for point in line { cells.insert(SIMD2<Int32>((point / Self.cellMetres).rounded(.down))) }
        }
        middles = cells.sorted { ($0.x, $0.y) < ($1.x, $1.y) }.map { (Vector($0) + 0.5) * Self.cellMetres }
    }

    /// The number of squares in a circle, at most `limit`.
    func count(around centre: Vector, within radius: Double, limit: Int) -> Int {
        var count = 0
        for middle in middles where middle.distance(to: centre) < radius {
            count += 1
            if count >= limit { return limit }
        }
        return count
    }
}
