import Caching
public import HTTPCore
import Locking
public import RequestHandling
package import TileDrawing

/// A cached tile, with the responses that serve it.
public struct CachedTile: Sendable {
    /// Identifies what the picture was drawn from.
    public let eTag: ETag
    /// The response to repeated requests.
    public let response: PreparedResponse
    /// The response if the URL contains the current revision, so that clients may cache it for ever; shares its bytes
    /// with the other.
    public let immutableResponse: PreparedResponse
    /// How long drawing it took.
    package var timing = TileTiming()
    /// The size of the picture in bytes.
    public var byteCount: Int { response.response.body.byteCount }

    /// A tile with its validator and the responses that serve it from now on.
    public init(eTag: ETag, response: PreparedResponse, immutableResponse: PreparedResponse? = nil) {
        self.eTag = eTag
        self.response = response
        self.immutableResponse = immutableResponse ?? response
    }
}

/// Draws a tile. Before it does, it passes the tile's validator to `isUnneeded`, and returns nil if that returns true.
public typealias TileSource = @Sendable (_ isUnneeded: (ETag) -> Bool) throws -> CachedTile?

/// The result of a tile request.
public enum TileResult: Sendable {
    /// The tile; whether this client has it already is checked when the response is made.
    case tile(CachedTile, CacheResult)
    /// The client has the tile with this validator; it was not drawn.
    case unchanged(ETag)
    /// The tile cannot be served.
    case failed(Problem)
}

/// The tiles in memory, bounded in bytes, and the drawings under way. Requests for a tile that is being drawn wait for
/// that drawing, so no tile is drawn twice at once.
///
/// Every request is answered once: with its tile, with a problem, or not at all after it was
/// cancelled.
public final class TileCache<Key: Hashable & Sendable>: Sendable {
    /// One request for a tile.
    private struct Waiter {
        var has: @Sendable (ETag) -> Bool
        var reply: @Sendable (TileResult) -> Void
    }

    /// A drawing that waits or is under way.
    private struct Drawing {
        var number: UInt64
        var ticket: WorkQueue.Ticket?
        var hasBegun = false
        var waiters: [UInt64: Waiter] = [:]
    }

    private struct State {
        var tiles: BoundedCache<Key, CachedTile>
        var drawings: [Key: Drawing] = [:]
        /// Drawings under way whose keys were dropped, by number.
        var detached: [UInt64: Drawing] = [:]
        var nextNumber: UInt64 = 0
        var counts = Counts()
    }

    /// Statistics of the cache.
    public struct Counts: Hashable, Sendable {
        /// Cached tiles.
        public var tiles = 0
        /// Their size in bytes.
        public var bytes = 0
        /// Requests answered from memory since the start.
        public var hits = 0
        /// Requests that started a drawing since the start.
        public var misses = 0
        /// Requests that joined a drawing under way since the start.
        public var joined = 0
        /// Tiles evicted since the start.
        public var evicted = 0
    }

    private let state: Locked<State>
    private let queue: WorkQueue

    /// The estimated overhead of a cached tile besides its picture: key, headers of two responses in two forms,
    /// validator.
    public static var entryOverheadBytes: Int { 2_560 }
    /// Seconds after which a client that was refused because of load may try again.
    private static var retryAfterSeconds: Int { 2 }
    /// Entries checked under one lock when tiles are dropped, so that the listening queue never waits long.
    private static var dropBatch: Int { 2_048 }

    /// An empty cache of `byteLimit` bytes whose tiles are drawn on `queue`.
    public init(byteLimit: Int, queue: WorkQueue) {
        state = Locked(State(tiles: BoundedCache(costLimit: byteLimit)))
        self.queue = queue
    }

    /// The tile, if it is in memory.
    public func find(_ key: Key) -> CachedTile? {
        state.withLock { state in
            guard let tile = state.tiles.use(key) else { return nil }
            state.counts.hits += 1
            return tile
        }
    }

    /// Draws the tile, or joins the drawing under way.
    ///
    /// `source` runs on the drawing queue. `has` returns whether this client has a tile already. `reply`
    /// is called once, on any thread and perhaps before this returns, unless the request is cancelled first. If all
    /// requests for a tile are cancelled, its drawing is dropped, unless the picture is being drawn already: then it is
    /// finished and cached.
    public func draw(
        _ key: Key, by source: @escaping TileSource, has: @escaping @Sendable (ETag) -> Bool,
        reply: @escaping @Sendable (TileResult) -> Void
    ) -> Cancellation {
        let waiter = Waiter(has: has, reply: reply)
        let step = state.withLock { state in join(key, waiter, &state) }
        switch step {
        case .ready(let tile):
            reply(.tile(tile, .hit))
            return .none
        case .joined(let drawing, let waiter):
            return Cancellation { [self] in cancel(key, drawing, waiter) }
        case .begun(let drawing, let waiter):
            let ticket = queue.add(
                work: { [self] in perform(key, drawing, source) },
                refuse: { [self] in
                    let problem = Problem.unavailable(
                        "too many tiles are being drawn", retryAfterSeconds: Self.retryAfterSeconds)
                    endDrawing(key, drawing).forEach { $0.reply(.failed(problem)) }
                })
            state.withLock { state in
                // If all requests were cancelled before this, the job finds no drawing when its turn comes, and does
                // nothing.
                if state.drawings[key]?.number == drawing { state.drawings[key]?.ticket = ticket }
            }
            return Cancellation { [self] in cancel(key, drawing, waiter) }
        }
    }

    /// Stores a tile that was made elsewhere, for tests.
    package func store(_ tile: CachedTile, for key: Key) {
        state.withLock { Self.store(tile, key, &$0) }
    }

    /// Drops the tiles whose key matches, to be called when the data they were drawn from has changed. Drawings under
    /// way answer the requests that already wait for them and nobody else. When this returns, no outdated tile is
    /// served any more.
    public func drop(where fits: @Sendable (Key) -> Bool) {
        let end = state.withLock { state in
            // All of them, matching or not: a drawing under way may still read data that was not considered when `fits`
            // was made.
            for (key, drawing) in state.drawings where drawing.hasBegun {
                // The waiting requests stay with it under its number; a new request starts another drawing.
                state.drawings[key] = nil
                state.detached[drawing.number] = drawing
            }
            return state.tiles.slotCount
        }
        for start in stride(from: 0, to: end, by: Self.dropBatch) {
            state.withLock { state in
                state.tiles.removeAll(inSlots: start..<min(start + Self.dropBatch, end)) { key, _ in fits(key) }
            }
        }
    }

    /// The present statistics.
    public var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.tiles = state.tiles.count
            counts.bytes = state.tiles.cost
            return counts
        }
    }

    // MARK: Drawings

    private enum Step {
        case ready(CachedTile)
        case joined(drawing: UInt64, waiter: UInt64)
        case begun(drawing: UInt64, waiter: UInt64)
    }

    private func join(_ key: Key, _ waiter: Waiter, _ state: inout State) -> Step {
        // It may have been drawn since `find` was called.
        if let tile = state.tiles.use(key) {
            state.counts.hits += 1
            return .ready(tile)
        }
        state.nextNumber += 1
        let number = state.nextNumber
        if let drawing = state.drawings[key]?.number {
            state.drawings[key]?.waiters[number] = waiter
            state.counts.joined += 1
            return .joined(drawing: drawing, waiter: number)
        }
        state.drawings[key] = Drawing(number: number, waiters: [number: waiter])
        state.counts.misses += 1
        return .begun(drawing: number, waiter: number)
    }

    private func perform(_ key: Key, _ number: UInt64, _ source: TileSource) {
        guard begin(key, number) else { return }
        // Replied to after the source has returned or thrown, because it asks while it holds a transaction of the grid.
        var unchanged: (tag: ETag, waiters: [Waiter])?
        defer {
            if let unchanged {
                for waiter in unchanged.waiters { waiter.reply(.unchanged(unchanged.tag)) }
            }
        }
        do {
            let tile = try source { tag in
                unchanged = endDrawingIfUnneeded(tag, key, number).map { (tag, $0) }
                return unchanged != nil
            }
            guard let tile else { return }
            for waiter in endDrawing(key, number, keeping: tile) { waiter.reply(.tile(tile, .miss)) }
        } catch {
            let problem = Problem.problem(of: error)
            for waiter in endDrawing(key, number) { waiter.reply(.failed(problem)) }
        }
    }

    private func begin(_ key: Key, _ number: UInt64) -> Bool {
        state.withLock { state in
            guard state.drawings[key]?.number == number else { return false }
            state.drawings[key]?.hasBegun = true
            return true
        }
    }

    /// Ends the drawing if nobody needs it, that is, if each waiting client has the tile already or all have
    /// disconnected; nil otherwise.
    private func endDrawingIfUnneeded(_ tag: ETag, _ key: Key, _ number: UInt64) -> [Waiter]? {
        state.withLock { state in
            guard let drawing = Self.drawing(key, number, state), drawing.waiters.values.allSatisfy({ $0.has(tag) })
            else { return nil }
            return Self.remove(key, number, &state)
        }
    }

    /// Ends the drawing and returns the waiting requests; the tile is cached unless its key was dropped in the
    /// meantime.
    private func endDrawing(_ key: Key, _ number: UInt64, keeping tile: CachedTile? = nil) -> [Waiter] {
        state.withLock { state in
            if let tile, state.drawings[key]?.number == number { Self.store(tile, key, &state) }
            return Self.remove(key, number, &state)
        }
    }

    private func cancel(_ key: Key, _ number: UInt64, _ waiter: UInt64) {
        let ticket = state.withLock { state -> WorkQueue.Ticket? in
            guard state.drawings[key]?.number == number else {
                state.detached[number]?.waiters[waiter] = nil
                return nil
            }
            state.drawings[key]?.waiters[waiter] = nil
            guard let drawing = state.drawings[key], drawing.waiters.isEmpty, !drawing.hasBegun else { return nil }
            state.drawings[key] = nil
            return drawing.ticket
        }
        if let ticket { queue.cancel(ticket) }
    }

    private static func drawing(_ key: Key, _ number: UInt64, _ state: State) -> Drawing? {
        if let drawing = state.drawings[key], drawing.number == number { return drawing }
        return state.detached[number]
    }

    private static func remove(_ key: Key, _ number: UInt64, _ state: inout State) -> [Waiter] {
        if let drawing = state.drawings[key], drawing.number == number {
            state.drawings[key] = nil
            return Array(drawing.waiters.values)
        }
        return state.detached.removeValue(forKey: number).map { Array($0.waiters.values) } ?? []
    }

    private static func store(_ tile: CachedTile, _ key: Key, _ state: inout State) {
        state.counts.evicted += state.tiles.store(
            tile, for: key, cost: tile.byteCount + entryOverheadBytes)
    }
}
