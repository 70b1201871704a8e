import Dispatch
import HTTPCore
import Locking
import RequestHandling
import Testing
import TileService

/// A tile of this many bytes with its number in the validator.
private func tile(_ number: Int, bytes: Int = 100) -> CachedTile {
    guard let tag = ETag(opaque: "t\(number)") else { preconditionFailure("digits make a tag") }
    return CachedTile(
        eTag: tag,
        response: PreparedResponse(
            Response(
                status: .ok, headers: [ResponseHeader(.eTag, tag.description)],
                body: .bytes([UInt8](repeating: 7, count: bytes)))))
}

private func source(_ number: Int) -> TileSource {
    { isUnneeded in isUnneeded(tile(number).eTag) ? nil : tile(number) }
}

/// Collects outcomes.
private final class Outcomes: Sendable {
    private let outcomes = Locked<[TileResult]>([])
    private let arrived = DispatchSemaphore(value: 0)

    var reply: @Sendable (TileResult) -> Void {
        { outcome in
            self.outcomes.withLock { $0.append(outcome) }
            self.arrived.signal()
        }
    }

    var count: Int { outcomes.withLock { $0.count } }

    func wait(for count: Int) -> [String] {
        for _ in 0..<count { arrived.wait() }
        return outcomes.withLock { outcomes in
            outcomes.map { outcome in
                switch outcome {
                case .tile(let tile, let result): "\(result.rawValue) \(tile.eTag.opaque)"
                case .unchanged(let tag): "unchanged \(tag.opaque)"
                case .failed(let problem): "failed \(problem.status.code)"
                }
            }
        }
    }
}

@Suite struct TileCacheTests {
    private let queue = WorkQueue(workers: 1)
    private var cache: TileCache<Int> { TileCache(byteLimit: 1_000_000, queue: queue) }

    /// A source that signals when it begins, and then waits for its gate.
    private final class BlockedSource: Sendable {
        let begun = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        let count = Locked(0)

        func source(_ number: Int) -> TileSource {
            { isUnneeded in
                self.count.withLock { $0 += 1 }
                self.begun.signal()
                self.gate.wait()
                return try TileServiceTests.source(number)(isUnneeded)
            }
        }
    }

    @Test func `a drawn tile is in memory the next time`() throws {
        let cache = cache
        let outcomes = Outcomes()
        #expect(cache.find(1) == nil)
        _ = cache.draw(1, by: source(7), has: { _ in false }, reply: outcomes.reply)
        #expect(outcomes.wait(for: 1) == ["miss t7"])
        #expect(cache.find(1)?.eTag.opaque == "t7")
        _ = cache.draw(1, by: source(8), has: { _ in false }, reply: outcomes.reply)
        #expect(outcomes.wait(for: 1).last == "hit t7")
        #expect(cache.find(2) == nil)
    }

    @Test func `a request for a tile under way joins its drawing`() {
        let cache = cache
        let held = BlockedSource()
        let outcomes = Outcomes()
        _ = cache.draw(1, by: held.source(7), has: { _ in false }, reply: outcomes.reply)
        held.begun.wait()
        for _ in 0..<9 { _ = cache.draw(1, by: held.source(8), has: { _ in false }, reply: outcomes.reply) }
        #expect(cache.counts.joined == 9)
        held.gate.signal()
        #expect(outcomes.wait(for: 10) == [String](repeating: "miss t7", count: 10))
        #expect(held.count.withLock { $0 } == 1)
    }

    @Test func `a drawing without waiting requests is cancelled before it begins, and cached after that`() {
        let cache = cache
        let held = BlockedSource()
        let outcomes = Outcomes()
        let begun = cache.draw(
            1, by: { isUnneeded in isUnneeded(tile(7).eTag) ? nil : try held.source(7)({ _ in false }) },
            has: { _ in false },
            reply: outcomes.reply)
        held.begun.wait()
        let first = cache.draw(2, by: source(8), has: { _ in false }, reply: outcomes.reply)
        let second = cache.draw(2, by: source(8), has: { _ in false }, reply: outcomes.reply)
        first()
        #expect(queue.counts.waiting == 1)
        second()
        #expect(queue.counts.waiting == 0 && queue.counts.cancelled == 1)
        begun()
        let done = Outcomes()
        _ = cache.draw(3, by: source(9), has: { _ in false }, reply: done.reply)
        held.gate.signal()
        #expect(done.wait(for: 1) == ["miss t9"])
        #expect(outcomes.count == 0)
        #expect(cache.find(1)?.eTag.opaque == "t7")
        #expect(cache.find(2) == nil)
    }

    @Test func `a tile whose clients disconnect while its ETag is computed is not drawn`() {
        let cache = cache
        let held = BlockedSource()
        let outcomes = Outcomes()
        let cancel = cache.draw(1, by: held.source(7), has: { _ in false }, reply: outcomes.reply)
        held.begun.wait()
        cancel()
        let next = Outcomes()
        _ = cache.draw(2, by: source(8), has: { _ in false }, reply: next.reply)
        held.gate.signal()
        #expect(next.wait(for: 1) == ["miss t8"])
        #expect(cache.find(1) == nil && outcomes.count == 0)
    }

    @Test func `one cancelled request does not affect the others`() {
        let cache = cache
        let held = BlockedSource()
        let gone = Outcomes()
        let staying = Outcomes()
        let cancel = cache.draw(1, by: held.source(7), has: { _ in false }, reply: gone.reply)
        _ = cache.draw(1, by: held.source(7), has: { _ in false }, reply: staying.reply)
        cancel()
        held.gate.signal()
        #expect(staying.wait(for: 1) == ["miss t7"])
        #expect(gone.count == 0)
    }

    @Test func `a tile that every client has is not drawn`() {
        let cache = cache
        let outcomes = Outcomes()
        _ = cache.draw(
            1,
            by: { isUnneeded in
                guard !isUnneeded(tile(7).eTag) else { return nil }
                throw Problem.badRequest("it was drawn")
            },
            has: { $0.opaque == "t7" }, reply: outcomes.reply)
        #expect(outcomes.wait(for: 1) == ["unchanged t7"])
        #expect(cache.find(1) == nil)
        _ = cache.draw(1, by: source(8), has: { $0.opaque == "t7" }, reply: outcomes.reply)
        #expect(outcomes.wait(for: 1).last == "miss t8")
    }

    @Test func `a request whose tile is unchanged is answered though its source fails afterwards`() {
        struct Broken: Error {}
        let outcomes = Outcomes()
        _ = cache.draw(
            1,
            by: { isUnneeded in
                guard isUnneeded(tile(7).eTag) else { return tile(7) }
                throw Broken()
            }, has: { _ in true }, reply: outcomes.reply)
        #expect(outcomes.wait(for: 1) == ["unchanged t7"])
    }

    @Test func `a failed drawing fails all waiting requests, and is retried by the next`() {
        struct Broken: Error {}
        let cache = cache
        let held = BlockedSource()
        let outcomes = Outcomes()
        _ = cache.draw(0, by: held.source(1), has: { _ in false }, reply: { _ in })
        held.begun.wait()
        for _ in 0..<3 {
            _ = cache.draw(1, by: { _ in throw Broken() }, has: { _ in false }, reply: outcomes.reply)
        }
        held.gate.signal()
        #expect(outcomes.wait(for: 3) == ["failed 500", "failed 500", "failed 500"])
        _ = cache.draw(1, by: { _ in throw Problem.notFound("no") }, has: { _ in false }, reply: outcomes.reply)
        #expect(outcomes.wait(for: 1).last == "failed 404")
        _ = cache.draw(1, by: source(7), has: { _ in false }, reply: outcomes.reply)
        #expect(outcomes.wait(for: 1).last == "miss t7")
    }

    @Test func `too many drawings give 503 with Retry-After`() {
        let queue = WorkQueue(workers: 1, waitingLimit: 2)
        let cache = TileCache<Int>(byteLimit: 1_000_000, queue: queue)
        let held = BlockedSource()
        let refused = Locked<[Problem]>([])
        let outcomes = Outcomes()
        _ = cache.draw(0, by: held.source(1), has: { _ in false }, reply: outcomes.reply)
        held.begun.wait()
        for key in 1...4 {
            _ = cache.draw(key, by: source(1), has: { _ in false }) { outcome in
                if case .failed(let problem) = outcome { refused.withLock { $0.append(problem) } }
                outcomes.reply(outcome)
            }
        }
        #expect(refused.withLock { $0.map(\.status) } == [.serviceUnavailable, .serviceUnavailable])
        #expect(refused.withLock { $0.first?.response[.retryAfter] } != nil)
        held.gate.signal()
        #expect(outcomes.wait(for: 5).count == 5)
        #expect(cache.find(1) == nil && cache.find(4) != nil)
    }

    @Test func `a drawing begun before a change is neither cached nor joined after it`() {
        let cache = TileCache<Int>(byteLimit: 1_000_000, queue: WorkQueue(workers: 2))
        let before = BlockedSource()
        let old = Outcomes()
        let new = Outcomes()
        _ = cache.draw(1, by: before.source(1), has: { _ in false }, reply: old.reply)
        before.begun.wait()
        cache.drop { $0 == 1 }
        let after = BlockedSource()
        _ = cache.draw(1, by: after.source(2), has: { _ in false }, reply: new.reply)
        after.begun.wait()
        after.gate.signal()
        #expect(new.wait(for: 1) == ["miss t2"])
        before.gate.signal()
        #expect(old.wait(for: 1) == ["miss t1"])
        #expect(cache.find(1)?.eTag.opaque == "t2")
    }

    @Test func `only matching tiles are dropped`() {
        let cache = cache
        for key in 0..<5_000 { cache.store(tile(key, bytes: 1), for: key) }
        let kept = cache.counts.tiles
        cache.drop { $0.isMultiple(of: 2) }
        #expect((0..<5_000).allSatisfy { !$0.isMultiple(of: 2) || cache.find($0) == nil })
        #expect(cache.counts.tiles * 2 <= kept + 1 && cache.counts.tiles > 0)
    }

    @Test func `bytes are bounded, and used tiles stay`() {
        let overhead = TileCache<Int>.entryOverheadBytes
        let cache = TileCache<Int>(byteLimit: 10 * (overhead + 100), queue: queue)
        for key in 0..<1_000 {
            cache.store(tile(1), for: key)
            #expect(cache.counts.bytes <= 10 * (overhead + 100))
            #expect(cache.find(0) != nil)
        }
        #expect(cache.counts.tiles == 10 && cache.counts.evicted == 990)
        cache.store(tile(2, bytes: 1_000_000), for: 5_000)
        #expect(cache.find(5_000) == nil && cache.counts.tiles == 10)
        cache.store(tile(3, bytes: 50), for: 0)
        #expect(cache.find(0)?.byteCount == 50)
        cache.drop { _ in true }
        #expect(cache.counts.bytes == 0 && cache.counts.tiles == 0)
    }

    /// Leaves a group at the first reply or cancellation, and counts replies.
    private final class Once: Sendable {
        private let group: DispatchGroup
        private let state = Locked((isOver: false, replies: 0))

        init(_ group: DispatchGroup) {
            group.enter()
            self.group = group
        }

        func end(byReply: Bool) -> Int {
            let (isFirst, replies) = state.withLock { state in
                let isFirst = !state.isOver
                state.isOver = true
                if byReply { state.replies += 1 }
                return (isFirst, state.replies)
            }
            if isFirst { group.leave() }
            return replies
        }
    }

    @Test func `with many threads each request is answered once, and never with an outdated tile`() {
        let cache = TileCache<Int>(byteLimit: 20_000, queue: WorkQueue(workers: 3, waitingLimit: 50))
        let version = Locked(0)
        let wrong = Locked<[String]>([])
        let answers = DispatchGroup()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for round in 0..<1_500 {
                if thread == 0, round.isMultiple(of: 10) {
                    version.withLock { $0 += 1 }
                    cache.drop { _ in true }
                    continue
                }
                // The drop for the present version may still be under way; the one before has finished.
                let oldest = version.withLock { $0 } - 1
                let once = Once(answers)
                let cancel = cache.draw(
                    round % 40, by: { try source(version.withLock { $0 })($0) }, has: { _ in false }
                ) { outcome in
                    if once.end(byReply: true) > 1 { wrong.withLock { $0.append("answered twice") } }
                    if case .tile(let tile, _) = outcome, let number = Int(tile.eTag.opaque.dropFirst()),
                        number < oldest
                    {
                        wrong.withLock { $0.append("\(number) is older than \(oldest)") }
                    }
                }
                if round.isMultiple(of: 7) {
                    cancel()
                    _ = once.end(byReply: false)
                }
            }
        }
        #expect(answers.wait(timeout: .now() + 60) == .success)
        #expect(wrong.withLock { $0 } == [])
        #expect(cache.counts.bytes <= 20_000)
    }
}
