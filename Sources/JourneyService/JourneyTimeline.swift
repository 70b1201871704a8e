import Digest
import Journeys
import PrimaryStore
import Replay
import Text
import TileMath

/// A journey from its begin to an instant, as it is played: only the times in which it moved on, one after the other.
struct JourneyTimeline: PlayedTimeline {
    let digest: ContentDigest
    let total: Int64
    let marks: [TimelineMark]
    let corners: [Int64]
    private let state: JourneyState
    /// The times in which somebody moved, and the playing time at which each begins.
    private let parts: [(instants: Range<Int64>, begin: Int64)]
    private let progress: @Sendable (Int64) -> JourneyProgress

    /// Milliseconds of rest between two metres recorded that are played, too.
    private static let rest: Int64 = 600_000
    /// Frames that are played without a pace, besides those at marks.
    private static let samples: Int64 = 200

    /// The time line of a journey; with the rewards that a person got on it.
    init(_ state: JourneyState, rewards: [PersonReward]) {
        self.state = state
        let (known, ledgers) = (state.known, state.ledgers)
        var spans: [Range<Int64>]
        let rest: Int64
        var reached: [(place: Int, instant: Int64)]
        if state.journey.drive == .focus {
            let fold = FocusFold(known.route, state.sessions.map(\.session))
            progress = { fold.progress(at: $0, on: known.measure) }
            spans = state.sessions.map(\.session).filter { !$0.isCancelled }.map { $0.start..<max($0.start, $0.end) }
            rest = 0
            reached = state.progress.unlocked.compactMap { unlock in
                unlock.instant.map { (unlock.place, $0) }
            }
        } else {
            progress = { now in
                JourneyProgress(metres: ledgers.reduce(0) { $0 + $1.metres(at: now) }, on: known.measure)
            }
            spans = ledgers.flatMap(\.spans)
            rest = Self.rest
            let all = MetresLedger(ledgers)
            let start = known.measure.placeMetres.first ?? 0
            reached = state.progress.unlocked.dropFirst().compactMap { unlock in
                all.instant(of: known.measure.placeMetres[unlock.place] - start - 0.001).map { (unlock.place, $0) }
            }
        }
        spans = spans.compactMap { span in
            span.lowerBound < state.now ? span.lowerBound..<min(span.upperBound, state.now) : nil
        }
        var parts: [(instants: Range<Int64>, begin: Int64)] = []
        var sum: Int64 = 0
        for span in Self.union(spans, rest: rest) {
            parts.append((span, sum))
            sum += span.upperBound - span.lowerBound
        }
        (self.parts, total) = (parts, sum)

        let names = known.route.places.map(\.name)
        let places = known.stored.placeIDs
        var marks = reached.map { reached in
            TimelineMark(
                .unlock, at: Self.playingTime(of: reached.instant, parts, sum),
                json: JourneyEvents.unlock(places[reached.place], names[reached.place], reached.instant))
        }
        for reward in rewards {
            guard let granted = reward.granted, spans.contains(where: { $0.contains(granted - 1) }) else { continue }
            marks.append(
                TimelineMark(
                    .reward, at: Self.playingTime(of: granted, parts, sum),
                    json: JourneyEvents.reward(reward, granted)))
        }
        if state.isDone, let last = reached.last {
            marks.append(
                TimelineMark(
                    .done, at: Self.playingTime(of: last.instant, parts, sum), json: JourneyEvents.done(last.instant)))
        }
        // Stable: at one instant, the place comes before the end of the journey.
        let order = marks.indices.sorted { (marks[$0].time, $0) < (marks[$1].time, $1) }
        self.marks = order.map { marks[$0] }
        let samples = (0...Self.samples).map { sum * $0 / Self.samples }
        corners = Set(samples + marks.map(\.time)).sorted()
        digest = ContentDigest(of: Array(Self.text(state, parts).utf8))
    }

    /// What the time line depends on, besides the present instant: a reader resumes in one that has grown.
    private static func text(
        _ state: JourneyState, _ parts: [(instants: Range<Int64>, begin: Int64)]
    ) -> String {
        let moved = parts.first.map { "\($0.instants.lowerBound)" } ?? ""
        return "\(state.journey.id) \(state.journey.route) \(moved)"
    }

    /// The union of times, with the rests between them that are not longer than `rest`.
    private static func union(_ spans: [Range<Int64>], rest: Int64) -> [Range<Int64>] {
        var union: [Range<Int64>] = []
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) where !span.isEmpty {
            if let last = union.last, span.lowerBound - last.upperBound <= rest {
                union[union.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
            } else {
                union.append(span)
            }
        }
        return union
    }

    private static func playingTime(
        of instant: Int64, _ parts: [(instants: Range<Int64>, begin: Int64)], _ total: Int64
    ) -> Int64 {
        guard let part = parts.last(where: { $0.instants.lowerBound < instant }) else { return 0 }
        return min(total, part.begin + min(instant, part.instants.upperBound) - part.instants.lowerBound)
    }

    private func instant(at time: Int64) -> Int64 {
        guard let part = parts.last(where: { $0.begin <= time }) else { return state.now }
        return part.instants.lowerBound + time - part.begin
    }

    var startJSON: [UInt8] {
        var object = JSONObject()
        object.add("v", 1)
        object.add("journey", state.journey.id)
        object.add("route", state.journey.route.id)
        object.add("metres", metres: state.known.measure.journeyMetres)
        object.add("trackMs", Int(total))
        return Array(object.text.utf8)
    }

    func frame(at time: Int64, corner: Int?) -> [UInt8] {
        let instant = instant(at: time)
        var object = JSONObject()
        object.add("dt", Int(time))
        object.add("time", InstantFormatter.utc(instant))
        let metres = progress(instant).metres
        object.add("p", position: state.known.measure.point(at: state.known.measure.metres(ofJourney: metres)).point)
        object.add("done", metres: metres)
        return Array(object.text.utf8)
    }
}

/// What the events of journeys say.
enum JourneyEvents {
    static func figure(_ state: JourneyState) -> String {
        let (metres, measure) = (state.progress.metres, state.known.measure)
        var object = JSONObject()
        object.add("time", InstantFormatter.utc(state.now))
        object.add("done", metres: metres)
        object.add("place", position: measure.point(at: measure.metres(ofJourney: metres)).point)
        return object.text
    }

    static func unlock(_ place: String, _ name: String, _ instant: Int64) -> String {
        var object = JSONObject()
        object.add("place", place)
        object.add("name", name)
        object.add("time", InstantFormatter.utc(instant))
        return object.text
    }

    static func reward(_ reward: PersonReward, _ instant: Int64) -> String {
        var object = JSONObject()
        object.add("hours", reward.reward.reward.hours)
        object.add("name", reward.reward.reward.name)
        object.add("picture", reward.reward.picturePath)
        object.add("time", InstantFormatter.utc(instant))
        return object.text
    }

    static func done(_ instant: Int64) -> String {
        var object = JSONObject()
        object.add("time", InstantFormatter.utc(instant))
        return object.text
    }
}
