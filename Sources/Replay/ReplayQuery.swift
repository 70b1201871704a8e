public import Digest
public import TileMath

/// What is to be played, and how; with the data it defines one sequence of events.
public struct ReplayQuery: Sendable, Equatable {
    /// Which tracks.
    public enum Scope: Sendable, Equatable {
        /// One track, by its id.
        case track(id: String)
        /// Every track of a layer that meets a stretch of time, `to` not counted in, in the order of (start, content digest);
        /// milliseconds since 1970. A track that reaches beyond is played within.
        case window(from: Int64?, to: Int64?, layer: String)
    }

    /// The layer of all tracks.
    public static let everyTrack = "all"

    /// How frames follow on each other.
    public enum Pace: Sendable, Equatable {
        /// One frame for every recorded point, as fast as the reader takes it.
        case max
        /// Frames at equal steps of the tracks' time.
        case steady(FrameRate)
    }

    /// What becomes of a gap. Nothing is ever shown in it.
    public enum Gaps: String, Sendable, CaseIterable {
        /// It takes no time.
        case skip
        /// It takes the time that it took.
        case hold
    }

    /// Which tracks.
    public var scope: Scope
    /// How frames follow on each other.
    public var pace: Pace
    /// What becomes of gaps.
    public var gaps: Gaps
    /// Milliseconds since 1970 at which to begin: within the first track that has not ended by then.
    public var seek: Int64?
    /// All tracks on one clock instead of one after the other; makes no difference to a single track.
    public var isTogether: Bool
    /// The zoom level whose tiles are named as the tracks change them; nil for none.
    public var tiles: ZoomLevel?

    /// A query; frames of `max`, gaps skipped, unless said.
    public init(
        _ scope: Scope, pace: Pace = .max, gaps: Gaps = .skip, seek: Int64? = nil, isTogether: Bool = false,
        tiles: ZoomLevel? = nil
    ) {
        self.scope = scope
        self.pace = pace
        self.gaps = gaps
        self.seek = seek
        self.isTogether = isTogether
        self.tiles = tiles
    }

    /// Tells queries apart: cursors carry its beginning.
    public var digest: ContentDigest {
        var digester = Digester()
        switch scope {
        case .track(let id):
            digester.update("track")
            digester.update(id)
        case .window(let from, let to, let layer):
            digester.update("window")
            Self.update(&digester, from)
            Self.update(&digester, to)
            digester.update(layer)
        }
        switch pace {
        case .max:
            digester.update("max")
        case .steady(let rate):
            digester.update(rate.speedThousandths)
            digester.update(rate.framesPerSecond)
        }
        digester.update(gaps.rawValue)
        Self.update(&digester, seek)
        digester.update(isTogether ? 1 : 0)
        if let tiles {
            digester.update("tiles")
            digester.update(tiles.number)
        }
        return digester.finish()
    }

    private static func update(_ digester: inout Digester, _ instant: Int64?) {
        digester.update(instant == nil ? 0 : 1)
        digester.update(instant ?? 0)
    }

    /// The stretch of time that is played, seeking aside.
    var window: (from: Int64, to: Int64) {
        let farthest = FileOrderReader.farthestTime
        guard case .window(let from, let to, _) = scope else { return (-farthest, farthest + 1) }
        return (max(from ?? -farthest, -farthest), min(to ?? farthest + 1, farthest + 1))
    }
}

/// How much of the tracks' time passes from frame to frame, and how many frames are in a second of the reader's.
public struct FrameRate: Sendable, Hashable {
    /// Thousandths of a second of the tracks' time in a second of the reader's: 60,000 is an hour a minute.
    public let speedThousandths: Int
    /// Frames in a second of the reader's time.
    public let framesPerSecond: Int

    /// 0.1–100,000 times as fast as it was.
    public static let speeds = 100...100_000_000
    /// What eyes tell apart, and what a browser draws.
    public static let rates = 1...60
    /// A minute a second, where nothing is said.
    public static let usualSpeedThousandths = 60_000
    /// Frames a second where nothing is said.
    public static let usualFramesPerSecond = 10

    /// nil unless speed and frames are within `speeds` and `rates`: so that steps are longer than a millisecond.
    public init?(speedThousandths: Int, framesPerSecond: Int = FrameRate.usualFramesPerSecond) {
        guard Self.speeds.contains(speedThousandths), Self.rates.contains(framesPerSecond) else { return nil }
        self.speedThousandths = speedThousandths
        self.framesPerSecond = framesPerSecond
    }

    /// A speed written as a decimal number with up to three places (`60`, `0.5`); nil for any other text.
    public static func speedThousandths(_ text: some StringProtocol) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }),
            parts[0].utf8.count <= 6, let whole = Int(parts[0])
        else { return nil }
        guard parts.count == 2 else { return whole * 1000 }
        guard parts[1].utf8.count <= 3, let fraction = Int(parts[1]) else { return nil }
        return whole * 1000 + fraction * [100, 10, 1][parts[1].utf8.count - 1]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
