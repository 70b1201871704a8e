public import HTTPCore
import Locking

/// A tile that is kept, with the answer that serves it.
public struct CachedTile: Sendable {
    /// What the picture was drawn from.
    public let eTag: ETag
    /// The answer to whoever asks for it again.
    public let response: PreparedResponse
    /// The answer where the URL names the revision, so that it holds for ever; shares its bytes with the other.
    public let lasting: PreparedResponse
    /// What drawing it took.
    package var timing = TileTiming()
    /// The picture's bytes.
    public var byteCount: Int { response.response.body.byteCount }

    /// A tile with its validator and the answers that serve it from now on.
    public init(eTag: ETag, response: PreparedResponse, lasting: PreparedResponse? = nil) {
        self.eTag = eTag
        self.response = response
        self.lasting = lasting ?? response
    }
}

/// A tile about to be drawn: its validator is known before.
public struct TilePlan: Sendable {
    /// The digest of all that the picture will read.
    public let eTag: ETag
    /// Draws it; not called when every reader has it already.
    public let draw: @Sendable () throws -> CachedTile

    /// The plan of a tile with this validator.
    public init(eTag: ETag, draw: @escaping @Sendable () throws -> CachedTile) {
        self.eTag = eTag
        self.draw = draw
    }
}

/// What became of a tile that was asked for.
public enum TileOutcome: Sendable {
    /// Here it is; whether this reader has it already is for its answer to say.
    case tile(CachedTile, CacheResult)
    /// The reader has the tile with this validator; it was not drawn.
    case unchanged(ETag)
    /// It cannot be had.
    case failed(Problem)
}

/// The tiles in memory, bounded in bytes, and the drawings under way: who asks for a tile that is being drawn waits for
/// it, and nobody draws it twice.
///
/// Entries are given up by CLOCK: a hand goes round, spares once what was used since it last passed, and takes the rest.
/// Every request is answered once: by its tile, by a problem, or by its cancellation.
public final class TileCache<Key: Hashable & Sendable>: Sendable {
    /// One request for a tile.
    private struct Waiter {
        var has: @Sendable (ETag) -> Bool
        var reply: @Sendable (TileOutcome) -> Void
    }

    /// A drawing that waits or is under way.
    private struct Flight {
        var number: UInt64
        var ticket: WorkQueue.Ticket?
        var hasBegun = false
        var waiters: [UInt64: Waiter] = [:]
    }

    private struct State {
        var slots: ClockCache<Key>
        var flights: [Key: Flight] = [:]
        /// Drawings of keys that were dropped when they had begun, by number.
        var detached: [UInt64: Flight] = [:]
        var nextNumber: UInt64 = 0
        var counts = Counts()
    }

    /// How the cache stands.
    public struct Counts: Hashable, Sendable {
        /// Tiles kept.
        public var tiles = 0
        /// Bytes they take.
        public var bytes = 0
        /// Requests answered from memory since the start.
        public var hits = 0
        /// Requests that had a tile drawn since the start.
        public var misses = 0
        /// Requests that joined a drawing under way since the start.
        public var joined = 0
        /// Tiles given up for lack of room since the start.
        public var evicted = 0
    }

    private let state: Locked<State>
    private let queue: WorkQueue

    /// What a kept tile takes beside its picture: key, headers of two answers in two forms, validator. Estimated from their sizes.
    public static var entryOverheadBytes: Int { 2_560 }
    /// Seconds after which a reader refused for too much work may come back.
    private static var retryAfterSeconds: Int { 2 }
    /// Entries looked at under one lock when tiles are dropped, so that listening never waits for long.
    private static var dropBatch: Int { 2_048 }

    /// An empty cache of `byteLimit` bytes whose tiles are drawn on `queue`.
    public init(byteLimit: Int, queue: WorkQueue) {
        state = Locked(State(slots: ClockCache(byteLimit: byteLimit)))
        self.queue = queue
    }

    /// The tile, if it is in memory.
    public func find(_ key: Key) -> CachedTile? {
        state.withLock { state in
            guard let tile = state.slots.use(key) else { return nil }
            state.counts.hits += 1
            return tile
        }
    }

    /// Has the tile drawn, or joins the drawing under way. `plan` and its drawing run on the drawing queue; `has` tells
    /// whether this reader has a tile already; `reply` is called once, on any thread and perhaps before this returns,
    /// unless the request is cancelled first. What nobody waits for any more is
    /// dropped until it is being drawn, and kept after that.
    public func draw(
        _ key: Key, plan: @escaping @Sendable () throws -> TilePlan, has: @escaping @Sendable (ETag) -> Bool,
        reply: @escaping @Sendable (TileOutcome) -> Void
    ) -> Cancellation {
        let waiter = Waiter(has: has, reply: reply)
        let step = state.withLock { state in join(key, waiter, &state) }
        switch step {
        case .ready(let tile):
            reply(.tile(tile, .hit))
            return .none
        case .joined(let flight, let waiter):
            return Cancellation { [self] in cancel(key, flight, waiter) }
        case .begun(let flight, let waiter):
            let ticket = queue.add(
                work: { [self] in perform(key, flight, plan) },
                refuse: { [self] in
                    let problem = Problem.unavailable(
                        "too many tiles are being drawn", retryAfterSeconds: Self.retryAfterSeconds)
                    land(key, flight).forEach { $0.reply(.failed(problem)) }
                })
            state.withLock { state in
                if state.flights[key]?.number == flight { state.flights[key]?.ticket = ticket }
            }
            return Cancellation { [self] in cancel(key, flight, waiter) }
        }
    }

    /// Keeps a tile that was made elsewhere, as by prerendering.
    public func keep(_ tile: CachedTile, for key: Key) {
        state.withLock { Self.keep(tile, key, &$0) }
    }

    /// Drops the tiles whose key fits, to be called when what they were drawn from has changed: drawings that have begun
    /// answer those who wait, and nobody else. When this returns, no such tile from before is served any more.
    public func drop(where fits: @Sendable (Key) -> Bool) {
        let end = state.withLock { state in
            // Whichever: one that fits may yet be about to read what nobody looked at when it was found out what fits.
            for (key, flight) in state.flights where flight.hasBegun {
                // Its readers stay with it under its number; who comes now begins another.
                state.flights[key] = nil
                state.detached[flight.number] = flight
            }
            return state.slots.count
        }
        for start in stride(from: 0, to: end, by: Self.dropBatch) {
            state.withLock { $0.slots.drop(start..<min(start + Self.dropBatch, end), where: fits) }
        }
    }

    /// How the cache stands now.
    public var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.tiles = state.slots.used
            counts.bytes = state.slots.bytes
            return counts
        }
    }

    // MARK: Drawings

    private enum Step {
        case ready(CachedTile)
        case joined(flight: UInt64, waiter: UInt64)
        case begun(flight: UInt64, waiter: UInt64)
    }

    private func join(_ key: Key, _ waiter: Waiter, _ state: inout State) -> Step {
        // It may have been drawn since somebody looked.
        if let tile = state.slots.use(key) {
            state.counts.hits += 1
            return .ready(tile)
        }
        state.nextNumber += 1
        let number = state.nextNumber
        if let flight = state.flights[key]?.number {
            state.flights[key]?.waiters[number] = waiter
            state.counts.joined += 1
            return .joined(flight: flight, waiter: number)
        }
        state.flights[key] = Flight(number: number, waiters: [number: waiter])
        state.counts.misses += 1
        return .begun(flight: number, waiter: number)
    }

    private func perform(_ key: Key, _ number: UInt64, _ plan: @Sendable () throws -> TilePlan) {
        guard begin(key, number) else { return }
        do {
            let plan = try plan()
            if let waiters = landIfUnneeded(plan.eTag, key, number) {
                for waiter in waiters { waiter.reply(.unchanged(plan.eTag)) }
                return
            }
            let tile = try plan.draw()
            for waiter in land(key, number, keeping: tile) { waiter.reply(.tile(tile, .miss)) }
        } catch {
            let problem = Problem.problem(of: error)
            for waiter in land(key, number) { waiter.reply(.failed(problem)) }
        }
    }

    private func begin(_ key: Key, _ number: UInt64) -> Bool {
        state.withLock { state in
            guard state.flights[key]?.number == number else { return false }
            state.flights[key]?.hasBegun = true
            return true
        }
    }

    /// Ends the drawing when nobody needs it: each of its readers has the tile already, or all have gone; nil otherwise.
    private func landIfUnneeded(_ tag: ETag, _ key: Key, _ number: UInt64) -> [Waiter]? {
        state.withLock { state in
            guard let flight = Self.flight(key, number, state), flight.waiters.values.allSatisfy({ $0.has(tag) })
            else { return nil }
            return Self.remove(key, number, &state)
        }
    }

    /// Ends the drawing and gives its readers; the tile is kept unless its key was dropped in the meantime.
    private func land(_ key: Key, _ number: UInt64, keeping tile: CachedTile? = nil) -> [Waiter] {
        state.withLock { state in
            if let tile, state.flights[key]?.number == number { Self.keep(tile, key, &state) }
            return Self.remove(key, number, &state)
        }
    }

    private func cancel(_ key: Key, _ number: UInt64, _ waiter: UInt64) {
        let ticket = state.withLock { state -> WorkQueue.Ticket? in
            guard state.flights[key]?.number == number else {
                state.detached[number]?.waiters[waiter] = nil
                return nil
            }
            state.flights[key]?.waiters[waiter] = nil
            guard let flight = state.flights[key], flight.waiters.isEmpty, !flight.hasBegun else { return nil }
            state.flights[key] = nil
            return flight.ticket
        }
        if let ticket { queue.cancel(ticket) }
    }

    private static func flight(_ key: Key, _ number: UInt64, _ state: State) -> Flight? {
        if let flight = state.flights[key], flight.number == number { return flight }
        return state.detached[number]
    }

    private static func remove(_ key: Key, _ number: UInt64, _ state: inout State) -> [Waiter] {
        if let flight = state.flights[key], flight.number == number {
            state.flights[key] = nil
            return Array(flight.waiters.values)
        }
        return state.detached.removeValue(forKey: number).map { Array($0.waiters.values) } ?? []
    }

    private static func keep(_ tile: CachedTile, _ key: Key, _ state: inout State) {
        state.counts.evicted += state.slots.put(tile, for: key, bytes: tile.byteCount + entryOverheadBytes)
    }
}
