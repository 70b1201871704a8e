import TileMath

/// Leaves out corners that change the picture least.
enum SceneThinning {
    /// Tracks with at most a number of points together; each keeps the ends of its segments.
    static func thinned(_ tracks: [SceneTrack], to limit: Int) -> [SceneTrack] {
        let count = tracks.reduce(0) { $0 + $1.segments.reduce(0) { $0 + $1.count } }
        guard count > limit else { return tracks }
        // The weight of each point is the area that it adds to the line (Visvalingam and Whyatt), here with its neighbours
        // as recorded: one pass instead of a queue.
        var weights: [Double] = []
        weights.reserveCapacity(count)
        for track in tracks {
            for segment in track.segments {
                for index in segment.indices { weights.append(weight(index, segment)) }
            }
        }
        let least = weights.sorted(by: >)[limit - 1]
        // Of points with the least weight that fits, the first.
        var left = limit - weights.count { $0 > least }
        var position = 0
        return tracks.map { track in
            SceneTrack(
                id: track.id, name: track.name,
                segments: track.segments.map { segment in
                    segment.filter { _ in
                        defer { position += 1 }
                        if weights[position] > least { return true }
                        guard weights[position] == least, left > 0 else { return false }
                        left -= 1
                        return true
                    }
                }.filter { !$0.isEmpty })
        }
    }

    private static func weight(_ index: Int, _ points: [ScenePoint]) -> Double {
        guard index > 0, index < points.count - 1 else { return .infinity }
        let (before, here, after) = (points[index - 1], points[index], points[index + 1])
        let (ax, ay) = (Double(before.place.eastwards(to: here.place)), Double(here.place.y - before.place.y))
        let (bx, by) = (Double(before.place.eastwards(to: after.place)), Double(after.place.y - before.place.y))
        return abs(ax * by - ay * bx)
    }
}
