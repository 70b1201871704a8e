/// The progress of a journey by focus sessions, of one person or of a team, whose members' sessions may run at once.
///
/// Sessions move the figure in step with their clocks, from where the journey stands when they begin, up to their destinations.
/// The result depends on the set of sessions and the instant only; a cancelled session never counted.
public struct FocusFold: Sendable {
    private let milestones: [Int64]
    private let isSingle: Bool
    private let sessions: [FocusSession]

    public init(_ route: JourneyRoute, _ sessions: [FocusSession]) {
        milestones = route.milestones
        isSingle = route.isSingle
        self.sessions = sessions.filter { !$0.isCancelled }.sorted()
    }

    /// The state at an instant, before it is brought onto the line.
    struct State: Equatable {
        /// Milliseconds along the stages.
        var position: Int64 = 0
        /// The instants at which places were reached; that of the first is nil.
        var reached: [Int64?] = [nil]
    }

    /// The progress at an instant.
    public func progress(at now: Int64, on measure: RouteMeasure) -> JourneyProgress {
        let state = isSingle ? singleState(at: now) : addedState(at: now)
        let unlocked = state.reached.enumerated().map { JourneyProgress.Unlock(place: $0.offset, instant: $0.element) }
        return JourneyProgress(metres: metres(at: state.position, on: measure), unlocked: unlocked)
    }

    /// How many places are reached at an instant; the first always is.
    public func reachedCount(at now: Int64) -> Int {
        (isSingle ? singleState(at: now) : addedState(at: now)).reached.count
    }

    /// The metres since the first place, at a position along the stages.
    private func metres(at position: Int64, on measure: RouteMeasure) -> Double {
        let start = measure.placeMetres.first ?? 0
        guard let next = milestones.firstIndex(where: { $0 > position }), next > 0 else { return measure.journeyMetres }
        let part = Double(position - milestones[next - 1]) / Double(milestones[next] - milestones[next - 1])
        let (from, to) = (measure.placeMetres[next - 1], measure.placeMetres[next])
        return from - start + (to - from) * part
    }

    /// Where a session leads that begins at a position.
    private func cap(of session: FocusSession, from position: Int64) -> Int64 {
        let next = milestones.first { $0 > position } ?? milestones[milestones.count - 1]
        guard let destination = session.destination, milestones.indices.contains(destination) else { return next }
        // A place that was moved behind the figure leads to the next one.
        return max(next, milestones[destination])
    }

    // MARK: Sessions that add up

    private struct Active {
        let session: FocusSession
        let cap: Int64
    }

    private func addedState(at now: Int64) -> State {
        var state = State()
        var active: [Active] = []
        var waiting = sessions[...]
        var time = sessions.first?.start ?? now
        while time < now || waiting.first.map({ $0.start <= now }) ?? false {
            active.removeAll { $0.session.end <= time }
            while let next = waiting.first, next.start <= time {
                waiting.removeFirst()
                active.append(Active(session: next, cap: cap(of: next, from: state.position)))
            }
            let ends = active.map(\.session.end) + (waiting.first.map { [$0.start] } ?? [])
            guard let end = ends.min() else { break }
            advance(&state, active, from: time, to: min(end, now))
            guard end <= now else { break }
            time = end
        }
        // A place is not reached while a session that moved there may still be cancelled.
        state.reached = Array(state.reached.prefix { $0.map { $0 <= now } ?? true })
        return state
    }

    /// Moves the figure while the same sessions run: by a millisecond for each that has not reached its destination.
    private func advance(_ state: inout State, _ active: [Active], from start: Int64, to end: Int64) {
        var time = start
        while time < end {
            let moving = active.filter { $0.cap > state.position }
            guard let cap = moving.map(\.cap).min() else { return }
            let rate = Int64(moving.count)
            let needed = (cap - state.position + rate - 1) / rate
            let spent = min(needed, end - time)
            let target = min(cap, state.position + rate * spent)
            let settled = moving.map(\.session.cancelUntil).max() ?? 0
            reach(&state, target, from: time, rate: rate, settled: settled)
            state.position = target
            time += spent
        }
    }

    /// Records the places up to a position, with the instants from which they stay reached.
    private func reach(_ state: inout State, _ target: Int64, from time: Int64, rate: Int64, settled: Int64) {
        while state.reached.count < milestones.count, milestones[state.reached.count] <= target {
            let needed = (milestones[state.reached.count] - state.position + rate - 1) / rate
            let before = state.reached[state.reached.count - 1] ?? .min
            state.reached.append(max(time + needed, settled, before))
        }
    }

    // MARK: Sessions of full length

    /// A session counts the stages that it covers whole, from the place at which the journey stood when it began.
    private func singleState(at now: Int64) -> State {
        var state = State()
        var shown: Int64 = 0
        // Where the journey stands after each session that has ended, in the order of their ends.
        var ended: [(instant: Int64, position: Int64)] = [(.min, 0)]
        for session in sessions.filter({ $0.start <= now }).sorted(by: { ($0.end, $0.id) < ($1.end, $1.id) }) {
            let origin = ended.last { $0.instant <= session.start }?.position ?? 0
            let covered = min(cap(of: session, from: origin), origin + session.end - session.start)
            let stages = max(origin, milestones.last { $0 <= covered } ?? 0)
            if session.end > now {
                shown = max(shown, min(stages, origin + session.elapsed(at: now)))
            } else {
                ended.append((session.end, max(ended[ended.count - 1].position, stages)))
            }
            while state.reached.count < milestones.count, milestones[state.reached.count] <= stages {
                let instant = max(session.start + milestones[state.reached.count] - origin, session.cancelUntil)
                guard instant <= now else { break }
                state.reached.append(instant)
            }
        }
        state.position = max(shown, ended[ended.count - 1].position)
        return state
    }
}
