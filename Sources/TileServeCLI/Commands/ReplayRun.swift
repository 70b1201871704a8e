import Dispatch
import PrimaryStore
import Replay
import TrackStore
import Tracks

extension ReplayCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        guard var source = try TrackReplaySource(library, layer: layer, for: .owner) else {
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
            guard pace.wait(for: event) else { return .incomplete }
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
