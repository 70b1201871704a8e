public import Digest
import Text
public import TileMath

/// What is played, and how. A query and the data define one sequence of events.
public struct ReplayQuery: Sendable, Equatable {
    /// The tracks to play.
    public enum Scope: Sendable, Equatable {
        /// One track, by its id.
        case track(id: String)
        /// All tracks of a layer that overlap the window `from`..<`to` in milliseconds since 1970, in the order of
        /// (start, content digest). Tracks are clipped to the window.
        case window(from: Int64?, to: Int64?, layer: String)
    }

    /// The layer of all tracks.
    public static let everyTrack = "all"

    /// Which frames are sent.
    public enum Pace: Sendable, Equatable {
        /// One frame for every recorded point, as fast as the reader accepts them.
        case max
        /// Frames at equal intervals of track time.
        case steady(FrameRate)
    }

    /// How gaps are played. No frame is ever shown within a gap.
    public enum Gaps: String, Sendable, CaseIterable {
        /// The gap is skipped.
        case skip
        /// The gap takes its real time.
        case hold
    }

    public var scope: Scope
    public var pace: Pace
    public var gaps: Gaps
    /// Milliseconds since 1970 at which to begin, within the first track that has not ended by then.
    public var seek: Int64?
    /// Whether all tracks are played on one clock instead of one after another; irrelevant for a single track.
    public var isTogether: Bool
    /// The zoom level whose changed tiles are listed; nil for none.
    public var tiles: ZoomLevel?
    /// The zoom level of explorer tiles whose growing figures are sent, at most that of visits; nil for none.
    public var explorer: Int?

    public init(
        _ scope: Scope, pace: Pace = .max, gaps: Gaps = .skip, seek: Int64? = nil, isTogether: Bool = false,
        tiles: ZoomLevel? = nil, explorer: Int? = nil
    ) {
        self.scope = scope
        self.pace = pace
        self.gaps = gaps
        self.seek = seek
        self.isTogether = isTogether
        self.tiles = tiles
        self.explorer = explorer
    }

    /// Identifies the query; cursors contain its first bytes.
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
        if let explorer {
            digester.update("explorer")
            digester.update(explorer)
        }
        return digester.finish()
    }

    private static func update(_ digester: inout Digester, _ instant: Int64?) {
        digester.update(instant == nil ? 0 : 1)
        digester.update(instant ?? 0)
    }

    /// The window that is played, apart from `seek`.
    var window: (from: Int64, to: Int64) {
        let maxInstant = PlayableTimes.limit
        guard case .window(let from, let to, _) = scope else { return (-maxInstant, maxInstant + 1) }
        return (max(from ?? -maxInstant, -maxInstant), min(to ?? maxInstant + 1, maxInstant + 1))
    }
}

/// The speed of a replay, and its number of frames a second.
public struct FrameRate: Sendable, Hashable {
    /// Thousandths of a second of track time in one second of playback: 60,000 is one minute a second.
    public let speedThousandths: Int
    /// Frames in one second of playback.
    public let framesPerSecond: Int

    /// The allowed speeds: 0.1–100,000 times real time.
    public static let speeds = 100...100_000_000
    /// The allowed frames a second: up to what a browser draws.
    public static let rates = 1...60
    /// The default speed: one minute a second.
    public static let defaultSpeedThousandths = 60_000
    /// The default number of frames a second.
    public static let defaultFramesPerSecond = 10

    /// nil unless speed and frames are within `speeds` and `rates`; with these limits a step is longer than a
    /// millisecond.
    public init?(speedThousandths: Int, framesPerSecond: Int = FrameRate.defaultFramesPerSecond) {
        guard Self.speeds.contains(speedThousandths), Self.rates.contains(framesPerSecond) else { return nil }
        self.speedThousandths = speedThousandths
        self.framesPerSecond = framesPerSecond
    }

    /// As fast as it happens.
    public static let realTime = FrameRate(unchecked: 1000)

    private init(unchecked speedThousandths: Int) {
        self.speedThousandths = speedThousandths
        framesPerSecond = Self.defaultFramesPerSecond
    }

    /// Parses a speed written as a number (`60`, `0.5`, `1e3`, `0.30000000000000004`), rounded to thousandths; nil for
    /// any other text, and for negative numbers.
    public static func speedThousandths(_ text: String) -> Int? {
        guard let thousandths = FixedDecimal(text)?.rescaled(to: 3), thousandths >= 0 else { return nil }
        return Int(thousandths)
    }
}
