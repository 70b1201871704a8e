/// Where somebody was at an instant, as far as it was recorded.
public struct PositionAtInstant: Sendable, Equatable {
    /// How it is known.
    public enum Method: String, Sendable {
        /// A point was recorded then.
        case recorded
        /// Between two points without a gap.
        case interpolated
        /// Where one was last before a gap.
        case held
    }

    /// How it is known.
    public let method: Method
    /// The track's id.
    public let track: String
    /// In 1e-7°.
    public let longitude: Int32
    /// In 1e-7°.
    public let latitude: Int32
    /// Tenths of a metre, where both ends have one.
    public let elevation: Int64?
    /// To the nearest point that it rests on; of a held one, since it was recorded.
    public let milliseconds: Int64
    /// Within so many metres one was, most likely.
    public let uncertaintyMetres: Double

    /// What receivers under open sky are off by.
    private static let receiverMetres = 10.0
    /// Whoever seemed to stand may have walked.
    private static let walkingMetresPerSecond = 1.5
    /// Half round the Earth: nobody is farther off.
    private static let mostMetres = 20_037_508.0

    /// The place at an instant: of several tracks under way, the one that was recorded then, else the one that is between
    /// points, else the one whose last point is the latest. nil before everything. Reads the tracks under way then.
    public init?(at instant: Int64, source: any ReplaySource) throws {
        var best: PositionAtInstant?
        var order: ReplayOrder?
        while let track = try source.track(behind: order, from: instant, to: instant.addingClamped(1)) {
            order = track.order
            guard let place = try Self.place(at: instant, on: track, source) else { continue }
            if let found = best, found.rank <= place.rank { continue }
            best = place
        }
        if best?.method != .recorded, best?.method != .interpolated,
            let track = try source.track(endingBefore: instant),
            let place = try Self.place(at: instant, on: track, source)
        {
            if best.map({ place.rank < $0.rank }) ?? true { best = place }
        }
        guard let best else { return nil }
        self = best
    }

    /// Recorded before interpolated before held, nearer before farther.
    private var rank: (Int, Int64) {
        switch method {
        case .recorded: (0, 0)
        case .interpolated: (1, milliseconds)
        case .held: (2, milliseconds)
        }
    }

    private static func place(
        at instant: Int64, on track: ReplayTrack, _ source: any ReplaySource
    ) throws -> PositionAtInstant? {
        do {
            var points = try PlayablePoints(of: track, from: source)
            var previous: PlayablePoint?
            while let point = try points.next() {
                if point.time == instant {
                    return PositionAtInstant(
                        .recorded, track, Frame(recorded: point, metres: 0), milliseconds: 0, speed: 0)
                }
                guard point.time < instant else {
                    return previous.map { between($0, point, at: instant, on: track) }
                }
                previous = point
            }
            return previous.map { held($0, at: instant, on: track) }
        } catch is TrackChanged {
            return nil
        }
    }

    private static func between(
        _ start: PlayablePoint, _ end: PlayablePoint, at instant: Int64, on track: ReplayTrack
    ) -> PositionAtInstant {
        guard !end.begins else { return held(start, at: instant, on: track) }
        let leg = Edge(from: start, to: end, startMetres: 0)
        let speed = leg.metres * 1000 / Double(end.time - start.time)
        return PositionAtInstant(
            .interpolated, track, leg.frame(at: instant),
            milliseconds: min(instant - start.time, end.time - instant), speed: speed)
    }

    private static func held(_ point: PlayablePoint, at instant: Int64, on track: ReplayTrack) -> PositionAtInstant {
        PositionAtInstant(
            .held, track, Frame(recorded: point, metres: 0), milliseconds: instant - point.time, speed: 0)
    }

    private init(_ method: Method, _ track: ReplayTrack, _ frame: Frame, milliseconds: Int64, speed: Double) {
        self.method = method
        self.track = track.id
        longitude = frame.longitude
        latitude = frame.latitude
        elevation = frame.elevation
        self.milliseconds = milliseconds
        let drift = Double(milliseconds) / 1000 * max(speed, Self.walkingMetresPerSecond)
        uncertaintyMetres = min(Self.receiverMetres + drift, Self.mostMetres)
    }

    /// As `application/json`; `dt` in milliseconds, `uncertainty` in metres.
    public var json: [UInt8] {
        var json = JSONBytes()
        json.raw("{\"method\":")
        json.add(method.rawValue)
        json.raw(",\"track\":")
        json.add(track)
        json.raw(",\"p\":")
        json.add(degrees: [longitude, latitude], elevation: elevation)
        json.raw(",\"dt\":")
        json.add(milliseconds)
        json.raw(",\"uncertainty\":")
        json.add(metres: uncertaintyMetres)
        json.raw("}\n")
        return json.bytes
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
