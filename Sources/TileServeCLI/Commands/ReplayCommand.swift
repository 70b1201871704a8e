import Replay
import Text
import TileMath
import TrackStore
import Tracks

/// `tileserve replay`: plays tracks back.
struct ReplayCommand: Command {
    static let name = "replay"
    static let operands = Operands.none

    private static let track = Option("track", "ID", "only this track")
    private static let layer = Option("layer", "NAME", "only tracks of this layer (default: all)")
    private static let speed = Option(
        "speed", "N|max", "factor relative to real time, 0.1-100000, or max: every point without delay (default: 60)")
    private static let rate = Option("fps", "N", "frames per second, 1-60 (default: 10)")
    private static let gap = Option("gap", "skip|hold", "skip shortens gaps, hold plays them in full (default: skip)")
    private static let seek = Option("seek", "DATE", "starts at this time")
    private static let together = Option("together", "plays all tracks on one common clock, not one after the other")
    private static let tiles = Option("tiles", "Z", "reports the changed tiles of this zoom level, 0-22")
    private static let explorer = Option(
        "explorer", "14|17", "reports the growing figures of visited tiles of this zoom level")
    private static let after = Option("after", "CURSOR", "continues after the event with this id")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "plays tracks back as lines of JSON",
        about: """
            Plays tracks, one after the other or all at once, and writes events as lines of JSON: the start and end \
            of each track, frames, gaps, waypoints and photos. Times are in milliseconds: 'dt' of a frame is relative to \
            't0' of the first line, all others count from 1970. To continue an interrupted replay, repeat the command \
            with the same options and '--after'.
            A DATE is a whole day in the library's time zone, or an instant such as 2025-03-30T08:00:00Z.
            """,
        options: [
            LibraryOption.option, CommonOptions.from, CommonOptions.to, track, layer, speed, rate, gap, seek, together,
            tiles,
            explorer, after,
        ],
        examples: [
            ("tileserve replay --from 2025-06-01 --speed 600", "plays a summer, ten minutes per second"),
            ("tileserve replay --track 4k2f9 --speed max", "writes every point of a track"),
            (
                "tileserve replay --from 2025-06-01 --to 2025-06-01 --together",
                "plays the tracks of all persons on one day at once"
            ),
        ])

    let folder: String
    let window: DateWindow
    let track: String?
    let layer: String
    let pace: ReplayQuery.Pace
    let gaps: ReplayQuery.Gaps
    let seek: DateText?
    let isTogether: Bool
    let tiles: ZoomLevel?
    let explorer: Int?
    let cursor: ReplayCursor?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        window = try DateWindow(given)
        track = try given.text(Self.track)
        for option in [CommonOptions.from, CommonOptions.to, Self.layer, Self.together]
        where track != nil && given.has(option) {
            throw .conflict(Self.track, option)
        }
        layer = try given.text(Self.layer) ?? ReplayQuery.everyTrack
        pace = try Self.pace(given)
        gaps =
            try given.value(Self.gap, .oneOf(ReplayQuery.Gaps.allCases.map(\.rawValue))) {
                ReplayQuery.Gaps(rawValue: $0)
            } ?? .skip
        seek = try given.value(Self.seek, .date) { DateText($0) }
        isTogether = given.has(Self.together)
        tiles = try given.number(Self.tiles, in: 0...ZoomLevel.deepest.number).flatMap { ZoomLevel($0) }
        explorer = try given.value(Self.explorer, .oneOf(ExplorerQuery.zooms.map { "\($0)" })) { Int($0) }
        cursor = try given.value(Self.after, .cursor) { ReplayCursor($0) }
    }

    private static let greatestSpeed = "max"

    private static func pace(_ given: CommandLineArguments) throws(UsageError) -> ReplayQuery.Pace {
        let framesPerSecond = try given.number(rate, in: FrameRate.rates)
        if try given.text(speed) == greatestSpeed {
            guard framesPerSecond == nil else { throw .conflict(speed, rate) }
            return .max
        }
        let thousandths = try given.value(speed, .speed) { text in
            FrameRate.speedThousandths(text).flatMap { FrameRate.speeds.contains($0) ? $0 : nil }
        }
        let frames = FrameRate(
            speedThousandths: thousandths ?? FrameRate.defaultSpeedThousandths,
            framesPerSecond: framesPerSecond ?? FrameRate.defaultFramesPerSecond)
        guard let frames else { throw .badValue(speed, try given.text(speed) ?? "", expected: .speed) }
        return .steady(frames)
    }
}
