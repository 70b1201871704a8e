/// By which exit of a zone tracks leave or reach it, and where to.
struct ExitWays: Sendable {
    let exits: [Vector]
    let ways: [OffsetPosterior.Way]

    /// Part of a shortest way is a shortest way itself; farther away, the streets between are less well known.
    private static let viaMetres = 1000.0
    private static let mergeMetres = 150.0

    init(_ circle: CircleFit, _ neighbourhood: Neighbourhood, _ tracks: [PublishedTrack]) {
        let terminals = circle.terminals.map { neighbourhood.terminals[$0] }
        exits = terminals.map(\.point)
        var ways: [OffsetPosterior.Way] = []
        for (exit, terminal) in terminals.enumerated() {
            for index in terminal.ends {
                let end = neighbourhood.ends[index]
                guard end.end.role != .gap,
                    let via = Self.via(of: end.end, in: tracks[end.end.track], neighbourhood.plane)
                else { continue }
                let same = ways.firstIndex { $0.exit == exit && $0.via.distance(to: via) <= Self.mergeMetres }
                if let same { ways[same].count += 1 } else { ways.append(.init(exit: exit, via: via, count: 1)) }
            }
        }
        self.ways = ways
    }

    /// The place of a track that is as far as that along its line; nil if the line is much shorter.
    private static func via(of end: TrackEnd, in track: PublishedTrack, _ plane: TangentPlane) -> Vector? {
        let line = track.segments[end.segment]
        var sum = 0.0
        var last = plane.vector(to: end.place)
        // A zone in between ends the line: whether the track goes on straight is not known.
        for offset in 1..<max(line.count, 1) {
            let point = plane.vector(to: line[end.isFirst ? offset : line.count - 1 - offset])
            sum += point.distance(to: last)
            last = point
            if sum >= viaMetres { break }
        }
        return sum >= viaMetres / 4 ? last : nil
    }
}
