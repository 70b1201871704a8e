import Dispatch
import PrimaryStore
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
        gaps = try given.choice(Self.gap) ?? .skip
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

extension ReplayCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        guard var source = try TrackReplaySource(library, layer: layer) else {
            throw SelectionError.noSuchLayer(layer)
        }
        source.admitsPhoto = { _ in true }
        let query = try query(library)
        var sequence: ReplaySequence
        do {
            sequence = try ReplaySequence(query, source: source, after: cursor)
        } catch let fault as ReplayError {
            switch fault {
            case .noSuchTrack: throw Failure(.noInput, TextTable.noSuch("track", track ?? ""))
            case .otherQuery:
                throw Failure(
                    .usage, "--after: the event id belongs to a replay with other options; repeat the original options")
            case .tooManyAtOnce(let count):
                throw Failure(
                    .usage,
                    "--together: \(count) tracks overlap, the limit is \(ReplaySequence.maxTracksAtOnce); choose a "
                        + "shorter time")
            case .complete:
                context.terminal.report("tileserve replay: no events after this one")
                return .done
            }
        }
        var pace = Pace(query.pace, context)
        var hasTrack = cursor != nil
        while let event = try sequence.next() {
            guard pace.wait(for: event) else { return context.stopped("continue with --after and the last id") }
            hasTrack = hasTrack || event.name == .track
            try context.terminal.say(event.jsonLine)
        }
        guard !hasTrack else { return .done }
        context.terminal.report("tileserve replay: no track matches")
        return .incomplete
    }

    private func query(_ library: Library) throws -> ReplayQuery {
        let calendar = try library.calendar()
        let (from, to) = try window.instants(in: calendar)
        let scope: ReplayQuery.Scope =
            if let track { .track(id: track) } else { .window(from: from, to: to, layer: layer) }
        return ReplayQuery(
            scope, pace: pace, gaps: gaps, seek: seek?.begin(in: calendar), isTogether: isTogether, tiles: tiles,
            explorer: explorer)
    }
}

/// Waits until an event is due.
private struct Pace {
    private let speedThousandths: Double?
    private let context: CommandEnvironment
    private let started: Double
    private var playedMilliseconds: Int64 = 0
    private let stopped = DispatchSemaphore(value: 0)

    init(_ pace: ReplayQuery.Pace, _ context: CommandEnvironment) {
        self.context = context
        started = context.terminal.seconds()
        switch pace {
        case .max: speedThousandths = nil
        case .steady(let rate): speedThousandths = Double(rate.speedThousandths)
        }
        let stopped = stopped
        context.stop.onRequest { stopped.signal() }
    }

    /// Waits for the event's time; false if the command should stop.
    mutating func wait(for event: ReplayEvent) -> Bool {
        playedMilliseconds += event.advanceMilliseconds
        if let speedThousandths {
            let due = started + Double(playedMilliseconds) / speedThousandths
            let wait = due - context.terminal.seconds()
            if wait > 0, !context.stop.isRequested {
                _ = stopped.wait(timeout: .now() + wait)
            }
        }
        return !context.stop.isRequested
    }
}

extension ReplayEvent {
    /// The event as one line of JSON; neither name nor cursor contains characters that JSON must escape.
    fileprivate var jsonLine: String {
        "{\"event\":\"\(name.rawValue)\",\"id\":\"\(id)\",\"data\":\(String(decoding: data, as: UTF8.self))}"
    }
}
