import Foundation
public import TileMath
public import Tracks

/// A stylised view of tracks in three dimensions: what is drawn where.
///
/// A pure function of tracks, view and calendar; equal input gives equal scenes.
public struct Scene: Sendable {
    /// A corner of a track.
    public struct Vertex: Sendable {
        public let place: WorldPoint
        /// Above the lowest of the scene, in units of the map, stretched.
        public let height: Double
        /// What the height stands for, as recorded: metres, seconds or metres per second; nil if it is not known.
        public let value: Double?
        public let time: Int64?
    }

    /// A track with its corners.
    public struct Track: Sendable {
        public let id: String
        public let name: String?
        public let segments: [[Vertex]]
    }

    /// A full hour along a track.
    public struct HourMark: Sendable {
        public let track: Int
        public let vertex: Vertex
        /// The hour of the clock, 0 to 23.
        public let hour: Int
    }

    /// A post with its foot and its head.
    public struct Post: Sendable {
        public let post: ScenePost
        public let height: Double
    }

    public let tracks: [Track]
    public let hours: [HourMark]
    public let posts: [Post]
    public let view: SceneView
    /// How many times as high as wide heights are drawn.
    public let stretch: Double
    public let projection: SceneProjection
    /// The least and the greatest of the values that heights stand for; nil if none is known.
    public let range: ClosedRange<Double>?

    /// The part of the picture's width that a relief has, if the view does not say otherwise.
    private static let relief = 1.0 / 8
    /// Of the picture's sides, around what is shown.
    private static let margin = 0.06
    /// Metres around the world at the equator, in Web Mercator.
    private static let equator = 40_075_016.685_578_5

    /// Makes the scene of tracks; nil if they have no points. `hasCommonStart` counts the time of each track from its own
    /// beginning.
    public init?(
        _ given: [SceneTrack], posts: [ScenePost] = [], height: SceneHeight, view: SceneView,
        hasCommonStart: Bool = false,
        calendar: DayCalendar
    ) {
        let tracks = SceneThinning.thinned(given, to: SceneLimits.vertices)
        let places = tracks.flatMap { $0.segments.joined() }.map(\.place)
        guard let first = places.first else { return nil }
        let box = Self.box(places, around: first)
        let centre = WorldPoint(
            x: first.x + Int64((box.west + box.east) / 2), y: Int64((box.north + box.south) / 2))
        let values = tracks.map { Self.values($0, height, start: Self.start(of: $0, tracks, hasCommonStart)) }
        let known = values.joined().joined().compactMap { $0 }
        range = known.min().flatMap { low in known.max().map { low...max(low, $0) } }
        let low = range?.lowerBound ?? 0

        // A metre is more units of the map the farther it is from the equator.
        let metre = Double(WorldPoint.side) / Self.equator / max(0.01, cos(centre.latitude * .pi / 180))
        let flat = Self.fitted(view, centre, places.map { ($0, 0.0) })
        let span = (range?.upperBound ?? 0) - low
        stretch =
            view.stretch
            ?? (span > 0 ? Double(view.width) * Self.relief / (span * metre * flat.scale) : 1)
        let factor = metre * stretch
        var made: [Track] = []
        for (track, values) in zip(tracks, values) {
            let segments = zip(track.segments, values).map { points, values in
                zip(points, values).map { point, value in
                    Vertex(
                        place: point.place, height: value.map { ($0 - low) * factor } ?? 0, value: value,
                        time: point.time)
                }
            }
            made.append(Track(id: track.id, name: track.name, segments: segments))
        }
        self.tracks = made
        self.view = view
        hours = Self.hours(made, calendar)
        let vertices = made.flatMap { $0.segments.joined() }
        self.posts = posts.prefix(SceneLimits.posts).map { post in
            Post(post: post, height: Self.height(at: post, vertices))
        }
        let shown =
            vertices.flatMap { [($0.place, 0.0), ($0.place, $0.height)] }
            + self.posts.map { ($0.post.place, $0.height) }
        projection = Self.fitted(view, centre, shown)
    }

    // MARK: Heights

    private static func start(of track: SceneTrack, _ tracks: [SceneTrack], _ hasCommonStart: Bool) -> Int64 {
        let counted = hasCommonStart ? [track] : tracks
        return counted.flatMap { $0.segments.joined() }.compactMap(\.time).min() ?? 0
    }

    /// What heights stand for; what is not known between two that are is interpolated.
    private static func values(_ track: SceneTrack, _ height: SceneHeight, start: Int64) -> [[Double?]] {
        track.segments.map { points in
            var values: [Double?] = points.map { point in
                switch height {
                case .elevation: point.elevation
                case .time: point.time.map { Double($0 - start) / 1000 }
                case .speed: point.speed
                }
            }
            if height == .speed { values = filledSpeeds(points, values) }
            var last: Int?
            for index in values.indices where values[index] != nil {
                if let last, index - last > 1, let from = values[last], let to = values[index] {
                    for between in (last + 1)..<index {
                        values[between] = from + (to - from) * Double(between - last) / Double(index - last)
                    }
                }
                last = index
            }
            return values
        }
    }

    /// Speeds that were not recorded, from the points before and after.
    private static func filledSpeeds(_ points: [ScenePoint], _ values: [Double?]) -> [Double?] {
        values.indices.map { index in
            if let value = values[index] { return value }
            let (before, after) = (points[max(0, index - 1)], points[min(points.count - 1, index + 1)])
            guard let from = before.time, let to = after.time, to > from else { return nil }
            let metres = hypot(Double(before.place.eastwards(to: after.place)), Double(after.place.y - before.place.y))
            let unit = equator / Double(WorldPoint.side) * cos(points[index].place.latitude * .pi / 180)
            return metres * unit / (Double(to - from) / 1000)
        }
    }

    /// The height of the nearest corner of a track: the one of the same time if both have one.
    private static func height(at post: ScenePost, _ vertices: [Vertex]) -> Double {
        var best: (rank: Double, height: Double) = (.infinity, 0)
        for vertex in vertices {
            let apart = hypot(
                Double(vertex.place.eastwards(to: post.place)), Double(post.place.y - vertex.place.y))
            var rank = apart
            // A minute counts as much as ten metres at the equator.
            if let time = post.time, let other = vertex.time { rank += Double(abs(time - other)) / 60_000 * 1072 }
            if rank < best.rank { best = (rank, vertex.height) }
        }
        return best.height
    }

    // MARK: Hours

    private static func hours(_ tracks: [Track], _ calendar: DayCalendar) -> [HourMark] {
        var marks: [HourMark] = []
        for (number, track) in tracks.enumerated() {
            for segment in track.segments {
                for (one, other) in zip(segment, segment.dropFirst()) {
                    guard let from = one.time, let to = other.time, to > from, to - from < 6 * 3_600_000 else {
                        continue
                    }
                    let offset = calendar.offsetMilliseconds(at: from)
                    var hour = ((from + offset) / 3_600_000 + 1) * 3_600_000 - offset
                    while hour <= to {
                        let part = Double(hour - from) / Double(to - from)
                        let east = Double(one.place.eastwards(to: other.place)) * part
                        let place = WorldPoint(
                            x: one.place.x + Int64(east),
                            y: one.place.y + Int64(Double(other.place.y - one.place.y) * part))
                        let height = one.height + (other.height - one.height) * part
                        let local = (hour + calendar.offsetMilliseconds(at: hour)) / 3_600_000
                        marks.append(
                            HourMark(
                                track: number, vertex: Vertex(place: place, height: height, value: nil, time: hour),
                                hour: Int(((local % 24) + 24) % 24)))
                        hour += 3_600_000
                    }
                }
            }
        }
        return marks
    }

    // MARK: The picture

    /// The box of places: eastwards from the first, and southwards on the map.
    private static func box(
        _ places: [WorldPoint], around first: WorldPoint
    ) -> (west: Double, east: Double, north: Double, south: Double) {
        var box = (west: 0.0, east: 0.0, north: Double(first.y), south: Double(first.y))
        for place in places {
            let east = Double(first.eastwards(to: place))
            box.west = min(box.west, east)
            box.east = max(box.east, east)
            box.north = min(box.north, Double(place.y))
            box.south = max(box.south, Double(place.y))
        }
        return box
    }

    /// The projection in which all is within the picture's margins.
    private static func fitted(
        _ view: SceneView, _ centre: WorldPoint, _ shown: [(WorldPoint, Double)]
    ) -> SceneProjection {
        let unit = SceneProjection(view, centre: centre, scale: 1, origin: SceneProjection.Pixel(x: 0, y: 0))
        var (left, right, top, bottom) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
        for (place, height) in shown {
            let pixel = unit.pixel(place, height: height)
            (left, right) = (min(left, pixel.x), max(right, pixel.x))
            (top, bottom) = (min(top, pixel.y), max(bottom, pixel.y))
        }
        let (width, height) = (Double(view.width), Double(view.height))
        let inner = 1 - 2 * margin
        // A single point is shown with some 500 m around it.
        let least = Double(WorldPoint.side) / equator * 500
        let scale = min(width * inner / max(right - left, least), height * inner / max(bottom - top, least))
        return SceneProjection(
            view, centre: centre, scale: scale,
            origin: SceneProjection.Pixel(
                x: width / 2 - (left + right) / 2 * scale, y: height / 2 - (top + bottom) / 2 * scale))
    }
}
