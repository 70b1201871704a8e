import Dispatch
import Foundation
import Locking

/// Where tiles are read and drawn: apart from listening, at most one piece of work per core under way, the rest in a
/// bounded list, newest first.
///
/// The newest first, because a map that moves on asks for what it shows now; past the bound the oldest is refused, whose
/// reader has waited longest and most likely moved on.
public final class DrawingQueue: Sendable {
    /// Names work that was added.
    public struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// How the queue stands.
    public struct Counts: Hashable, Sendable {
        /// Pieces of work that wait.
        public var waiting = 0
        /// Pieces of work under way.
        public var running = 0
        /// Pieces of work done since the start.
        public var done = 0
        /// Pieces of work refused since the start.
        public var refused = 0
        /// Pieces of work taken back since the start before they began.
        public var cancelled = 0
    }

    private struct Entry {
        var work: @Sendable () -> Void
        var refuse: @Sendable () -> Void
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// Tickets in the order in which they came, those taken back among them until they are swept out.
        var order: [UInt64] = []
        /// Where the oldest stands; what is before it was refused.
        var oldest = 0
        var nextNumber: UInt64 = 0
        var counts = Counts()
    }

    private let state: Locked<State>
    private let queue: DispatchQueue
    /// How many pieces of work are under way at most.
    public let workers: Int
    private let waitingLimit: Int

    /// Enough for every tile of a dozen large screens; at 1 ms a tile the last waits half a second.
    public static let usualWaitingLimit = 512

    /// A queue with `workers` pieces of work under way at most (by default one per core), and `waitingLimit` that wait.
    public init(workers: Int? = nil, waitingLimit: Int = usualWaitingLimit) {
        self.workers = max(1, workers ?? ProcessInfo.processInfo.activeProcessorCount)
        self.waitingLimit = max(1, waitingLimit)
        queue = DispatchQueue(label: "tileserve.drawing", qos: .utility, attributes: .concurrent)
        state = Locked(State())
    }

    /// Adds work, to be begun before all that waits. When too much waits, the oldest is refused: its `refuse` is called
    /// instead of its `work`, on this thread and perhaps before this returns. One of the two is called, once, unless the
    /// work is taken back.
    @discardableResult
    public func add(work: @escaping @Sendable () -> Void, refuse: @escaping @Sendable () -> Void) -> Ticket {
        let (ticket, refused, startsWorker) = state.withLock { state in
            let number = state.nextNumber
            state.nextNumber += 1
            state.entries[number] = Entry(work: work, refuse: refuse)
            state.order.append(number)
            let refused = state.entries.count > waitingLimit ? Self.takeOldest(&state) : nil
            Self.sweep(&state)
            let startsWorker = state.counts.running < workers
            if startsWorker { state.counts.running += 1 }
            return (Ticket(number: number), refused, startsWorker)
        }
        if startsWorker { queue.async { [self] in runWorker() } }
        refused?.refuse()
        return ticket
    }

    /// Takes work back unless it has begun; false if it has, or was refused.
    @discardableResult
    public func cancel(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            guard state.entries.removeValue(forKey: ticket.number) != nil else { return false }
            state.counts.cancelled += 1
            return true
        }
    }

    /// How the queue stands now.
    public var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.waiting = state.entries.count
            return counts
        }
    }

    private func runWorker() {
        while let entry = next() {
            entry.work()
            state.withLock { $0.counts.done += 1 }
        }
    }

    private func next() -> Entry? {
        state.withLock { state in
            while state.order.count > state.oldest {
                if let entry = state.entries.removeValue(forKey: state.order.removeLast()) { return entry }
            }
            state.order.removeAll(keepingCapacity: true)
            state.oldest = 0
            state.counts.running -= 1
            return nil
        }
    }

    private static func takeOldest(_ state: inout State) -> Entry? {
        while state.oldest < state.order.count {
            let number = state.order[state.oldest]
            state.oldest += 1
            guard let entry = state.entries.removeValue(forKey: number) else { continue }
            state.counts.refused += 1
            return entry
        }
        return nil
    }

    /// Tickets that stand for nothing any more are thrown out when they are more than half.
    private static func sweep(_ state: inout State) {
        guard state.order.count > 64, state.order.count > 2 * state.entries.count else { return }
        let entries = state.entries
        state.order.removeAll { entries[$0] == nil }
        state.oldest = 0
    }
}
