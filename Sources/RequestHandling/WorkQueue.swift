import Dispatch
import Foundation
import Locking

/// Runs work apart from the listener: at most `workers` jobs at once, the others wait in a bounded list.
///
/// Each worker has a thread of its own, so queues do not wait for one another. Tiles are drawn newest first, because a
/// map that was moved requests what it shows now, except that every fourth is the oldest: with newest first alone, a client
/// that has not moved on waits as long as others come (2 s and more with 32 connections that ask for the next tile at once).
/// Past the limit the oldest is refused, because its client has waited longest and has most likely moved on. Where clients
/// wait for each answer, the oldest runs first and the newest is refused.
public final class WorkQueue: Sendable {
    /// Which job runs first; past the limit, the one that would run last is refused.
    public enum Order: Sendable {
        case newestFirst, oldestFirst
    }

    /// Identifies a job.
    public struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// Statistics of the queue.
    public struct Counts: Hashable, Sendable {
        /// Waiting jobs.
        public var waiting = 0
        /// Workers that are running jobs.
        public var running = 0
        /// Jobs done since the start.
        public var done = 0
        /// Jobs refused since the start.
        public var refused = 0
        /// Jobs cancelled since the start before they began.
        public var cancelled = 0
    }

    private struct Entry {
        var work: @Sendable () -> Void
        var refuse: @Sendable () -> Void
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// Tickets in order of arrival; cancelled ones stay until they are swept out.
        var order: [UInt64] = []
        /// Index of the oldest waiting ticket; those before it have begun or were refused.
        var oldest = 0
        var nextNumber: UInt64 = 0
        /// The jobs that were begun in the order newest first.
        var begun = 0
        /// Idle workers.
        var idle: [Int]
        var counts = Counts()
    }

    private let state: Locked<State>
    /// One per worker. Serial, because Dispatch gives serial queues threads beyond the number of cores: workers of a
    /// concurrent queue wait for every other concurrent queue of the same quality of service.
    private let queues: [DispatchQueue]
    /// Limit of simultaneous jobs.
    public let workers: Int
    private let waitingLimit: Int
    private let order: Order

    /// Enough for every tile of a dozen large screens; at 1 ms a tile the last one waits half a second.
    public static let defaultWaitingLimit = 512

    /// A queue that runs at most `workers` jobs at once (by default one per core), with at most `waitingLimit` waiting.
    public init(
        _ label: String = "tileserve.drawing", workers: Int? = nil, waitingLimit: Int = defaultWaitingLimit,
        order: Order = .newestFirst
    ) {
        let workers = max(1, workers ?? ProcessInfo.processInfo.activeProcessorCount)
        self.workers = workers
        self.waitingLimit = max(1, waitingLimit)
        self.order = order
        queues = (0..<workers).map { DispatchQueue(label: "\(label).\($0)", qos: .utility) }
        state = Locked(State(idle: Array(0..<workers)))
    }

    /// Adds a job. If too many wait, one is refused: its `refuse` is called instead of its `work`, on this thread and
    /// perhaps before this returns. Exactly one of the two is called, unless the job is cancelled.
    @discardableResult
    public func add(work: @escaping @Sendable () -> Void, refuse: @escaping @Sendable () -> Void) -> Ticket {
        let (ticket, refused, worker) = state.withLock { state in
            let number = state.nextNumber
            state.nextNumber += 1
            let entry = Entry(work: work, refuse: refuse)
            var refused: Entry?
            if state.entries.count >= waitingLimit {
                switch order {
                case .newestFirst:
                    refused = Self.takeOldest(&state)
                    state.counts.refused += 1
                case .oldestFirst:
                    state.counts.refused += 1
                    return (Ticket(number: number), Entry?.some(entry), Int?.none)
                }
            }
            state.entries[number] = entry
            state.order.append(number)
            Self.removeFinishedTickets(&state)
            let worker = state.idle.popLast()
            if worker != nil { state.counts.running += 1 }
            return (Ticket(number: number), refused, worker)
        }
        if let worker { queues[worker].async { [self] in run(worker) } }
        refused?.refuse()
        return ticket
    }

    /// Cancels a job unless it has begun; false if it has, or was refused.
    @discardableResult
    public func cancel(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            guard state.entries.removeValue(forKey: ticket.number) != nil else { return false }
            state.counts.cancelled += 1
            return true
        }
    }

    /// Refuses a job unless it has begun: its `refuse` is called, on this thread.
    package func refuse(_ ticket: Ticket) {
        let refused = state.withLock { state in
            let entry = state.entries.removeValue(forKey: ticket.number)
            if entry != nil { state.counts.refused += 1 }
            return entry
        }
        refused?.refuse()
    }

    /// The present statistics.
    public var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.waiting = state.entries.count
            return counts
        }
    }

    private func run(_ worker: Int) {
        while let entry = next(worker) {
            entry.work()
            state.withLock { $0.counts.done += 1 }
        }
    }

    /// Of the jobs in the order newest first, one of so many is the oldest.
    private static let oldestEvery = 4

    private func next(_ worker: Int) -> Entry? {
        state.withLock { state in
            switch order {
            case .newestFirst:
                state.begun += 1
                if state.begun.isMultiple(of: Self.oldestEvery), let entry = Self.takeOldest(&state) { return entry }
                while state.order.count > state.oldest {
                    if let entry = state.entries.removeValue(forKey: state.order.removeLast()) { return entry }
                }
            case .oldestFirst:
                if let entry = Self.takeOldest(&state) { return entry }
            }
            state.order.removeAll(keepingCapacity: true)
            state.oldest = 0
            state.counts.running -= 1
            state.idle.append(worker)
            return nil
        }
    }

    private static func takeOldest(_ state: inout State) -> Entry? {
        while state.oldest < state.order.count {
            let number = state.order[state.oldest]
            state.oldest += 1
            if let entry = state.entries.removeValue(forKey: number) { return entry }
        }
        return nil
    }

    /// Removes tickets of jobs that no longer wait when they are more than half.
    private static func removeFinishedTickets(_ state: inout State) {
        // At half, a pass costs each job a constant time; below 64 tickets it is not worth one.
        guard state.order.count > 64, state.order.count > 2 * state.entries.count else { return }
        let entries = state.entries
        state.order.removeAll { entries[$0] == nil }
        state.oldest = 0
    }
}
