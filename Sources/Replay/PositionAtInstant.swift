import Text

/// The position of a person at an instant, if it is known.
public struct PositionAtInstant: Sendable, Equatable {
    /// How the position was derived.
    public enum Method: String, Sendable {
        /// A point was recorded at the instant.
        case recorded
        /// Interpolated between two points without a gap.
        case interpolated
        /// The last position before a gap.
        case held
    }

    public let method: Method
    /// The track's id.
    public let track: String
    /// The longitude in 1e-7°.
    public let longitude: Int32
    /// The latitude in 1e-7°.
    public let latitude: Int32
    /// The elevation in tenths of a metre; nil unless both points have one.
    public let elevation: Int64?
    /// Milliseconds to the nearest point used; for a held position, the time since it was recorded.
    public let milliseconds: Int64
    /// The radius within which the person probably was, in metres.
    public let uncertaintyMetres: Double

    /// The typical error of a receiver under open sky.
    private static let receiverMetres = 10.0
    /// Walking speed: a person who seemed to stand still may have walked.
    private static let walkingMetresPerSecond = 1.5
    /// Half the circumference of the Earth: the greatest possible distance.
    private static let maxMetres = 20_037_508.0

    /// The position at an instant; nil before all recorded points. Reads the tracks that are active at the instant.
    ///
    /// Of several tracks a recorded position is preferred, then an interpolated one, then the held one with the latest
    /// point.
    public init?(at instant: Int64, source: any ReplaySource) throws {
        var best: PositionAtInstant?
        var order: ReplayOrder?
        while let track = try source.track(after: order, from: instant, to: instant.addingClamped(1)) {
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

    /// Recorded before interpolated before held; nearer points first.
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
        let edge = Edge(from: start, to: end, startMetres: 0)
        let speed = edge.metres * 1000 / Double(end.time - start.time)
        return PositionAtInstant(
            .interpolated, track, edge.frame(at: instant),
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
        uncertaintyMetres = min(Self.receiverMetres + drift, Self.maxMetres)
    }

    /// The `application/json` body; `dt` is in milliseconds, `uncertainty` in metres.
    public var json: [UInt8] {
        var json = JSONWriter()
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
