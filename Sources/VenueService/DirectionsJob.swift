import HTTPCore
import Locking
import PrimaryStore
import RequestHandling
import Text
import Venues

/// A request for a way, with what is known about it so far.
final class DirectionsJob: Sendable {
    enum State: Sendable {
        /// It is not being planned: nobody has asked for it recently.
        case idle
        case queued, running
        case planned(PlannedDirections)
        /// It could not be planned, for a reason that may pass.
        case refused(any Error)

        /// Whether there is something to wait for.
        var isPending: Bool {
            switch self {
            case .queued, .running: true
            case .idle, .planned, .refused: false
            }
        }
    }

    private struct Progress: Sendable {
        var state = State.idle
        var waiters: [Int: @Sendable (State) -> Void] = [:]
        var nextWaiter = 0
    }

    let id: String
    /// Who asked; nil for a caller who is not a person, whose request everybody may read who knows the id.
    let keeper: LibraryPerson?
    let venue: String
    let request: DirectionsRequest
    private let progress = Locked(Progress())

    init(id: String, keeper: LibraryPerson?, venue: String, request: DirectionsRequest) {
        self.id = id
        self.keeper = keeper
        self.venue = venue
        self.request = request
    }

    var state: State { progress.withLock { $0.state } }

    /// Changes the state; those who wait are told when there is nothing more to wait for.
    func advance(to state: State) {
        let told = progress.withLock { progress -> [@Sendable (State) -> Void] in
            progress.state = state
            guard !state.isPending else { return [] }
            defer { progress.waiters = [:] }
            return Array(progress.waiters.values)
        }
        for tell in told { tell(state) }
    }

    /// Claims the job for planning; false if it is being planned already.
    func claim() -> Bool {
        progress.withLock { progress in
            guard !progress.state.isPending else { return false }
            progress.state = .queued
            return true
        }
    }

    /// Calls `tell` once, when there is nothing more to wait for; at once if there is nothing now. Returns the number with
    /// which to stop waiting.
    func wait(_ tell: @escaping @Sendable (State) -> Void) -> Int {
        let (number, state) = progress.withLock { progress -> (Int, State?) in
            progress.nextWaiter += 1
            guard progress.state.isPending else { return (progress.nextWaiter, progress.state) }
            progress.waiters[progress.nextWaiter] = tell
            return (progress.nextWaiter, nil)
        }
        if let state { tell(state) }
        return number
    }

    /// Tells a waiter the present state, if it waits still.
    func stopWaiting(_ number: Int) {
        let (tell, state) = progress.withLock { ($0.waiters.removeValue(forKey: number), $0.state) }
        tell?(state)
    }
}
