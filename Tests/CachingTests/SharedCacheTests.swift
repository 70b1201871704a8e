import Caching
import Dispatch
import Locking
import Testing

@Suite struct SharedCacheTests {
    private struct Failure: Error {}

    /// Calls of `make` by several threads.
    private final class Calls: Sendable {
        private let names = Locked<[String]>([])

        func add(_ name: String) { names.withLock { $0.append(name) } }
        var all: [String] { names.withLock { $0 } }
    }

    /// Another thread that asks a cache for key 1, which it would make as 20.
    private final class OtherThread: Sendable {
        private let result = Locked<Int?>(nil)
        private let begun = DispatchSemaphore(value: 0)
        private let made = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        /// Waits until the thread is about to ask.
        init(_ cache: SharedCache<Int, Int>, _ calls: Calls) {
            // A serial queue has a thread of its own, however busy the others are.
            DispatchQueue(label: "tileserve.test.cache").async { [self] in
                begun.signal()
                let value = cache.value(for: 1) {
                    calls.add("other")
                    made.signal()
                    return 20
                }
                result.withLock { $0 = value }
                ended.signal()
            }
            begun.wait()
        }

        /// Whether it makes the value within a time in which it would, unless it waits.
        var makes: Bool { made.wait(timeout: .now() + .milliseconds(300)) == .success }

        /// The value that it got; nil if it still waits after half a minute.
        var value: Int? {
            guard ended.wait(timeout: .now() + .seconds(30)) == .success else { return nil }
            return result.withLock { $0 }
        }
    }

    @Test func `a value is made once while it is cached`() throws {
        let cache = SharedCache<Int, Int>(costLimit: 2)
        var made = 0
        for _ in 0..<3 {
            let value = cache.value(for: 1) {
                made += 1
                return 10
            }
            #expect(value == 10)
        }
        #expect(made == 1 && cache.find(1) == 10 && cache.find(2) == nil)
        #expect(throws: Failure.self) { try cache.value(for: 2) { throw Failure() } }
        #expect(cache.find(2) == nil)
    }

    @Test func `threads that ask for a value that is being made wait for it`() {
        let cache = SharedCache<Int, Int>(costLimit: 10)
        let calls = Calls()
        var other: OtherThread?
        let value = cache.value(for: 1) {
            calls.add("first")
            let thread = OtherThread(cache, calls)
            #expect(!thread.makes)
            #expect(cache.find(1) == nil, "what does not wait finds nothing yet")
            let second = cache.value(for: 2) { 30 }
            #expect(second == 30, "other keys are not locked")
            other = thread
            return 10
        }
        #expect(value == 10 && other?.value == 10 && calls.all == ["first"])
    }

    @Test func `when making a value fails, a thread that waits makes it`() {
        let cache = SharedCache<Int, Int>(costLimit: 10)
        let calls = Calls()
        var other: OtherThread?
        #expect(throws: Failure.self) {
            try cache.value(for: 1) {
                let thread = OtherThread(cache, calls)
                #expect(!thread.makes)
                other = thread
                throw Failure()
            }
        }
        #expect(other?.value == 20 && calls.all == ["other"] && cache.find(1) == 20)
    }

    @Test func `a value that is forgotten while it is made is not stored, and nobody new waits for it`() {
        let cache = SharedCache<Int, Int>(costLimit: 10)
        let calls = Calls()
        let value = cache.value(for: 1) {
            cache.invalidate { key, value in key == 1 && value == nil }
            #expect(OtherThread(cache, calls).value == 20)
            return 10
        }
        #expect(value == 10 && cache.find(1) == 20 && calls.all == ["other"])
    }

    @Test func `a value that is made while others are forgotten is stored`() {
        let cache = SharedCache<Int, Int>(costLimit: 10)
        _ = cache.value(for: 2) { 20 }
        let value = cache.value(for: 1) {
            cache.invalidate { key, _ in key == 2 }
            return 10
        }
        #expect(value == 10 && cache.find(1) == 10 && cache.find(2) == nil)
    }

    @Test func `a value is not stored for a version after which anything was forgotten`() {
        let cache = SharedCache<Int, Int>(costLimit: 10)
        let version = cache.version
        cache.store(11, for: 1, since: version)
        cache.store(20, for: 2, since: version)
        #expect(cache.find(1) == 11)
        cache.invalidate { _, value in value == 11 }
        cache.store(12, for: 3, since: version)
        #expect(cache.find(1) == nil && cache.find(2) == 20 && cache.find(3) == nil)
        cache.invalidate()
        #expect(cache.find(2) == nil)
    }
    @Test func `the contents say whether anything was evicted or too large`() {
        let cache = SharedCache<Int, Int>(costLimit: 2)
        for key in [1, 2] { _ = cache.value(for: key) { key * 10 } }
        let (entries, hasEvicted) = cache.contents
        #expect(entries.map(\.key).sorted() == [1, 2] && entries.map(\.value).sorted() == [10, 20] && !hasEvicted)
        let large = SharedCache<Int, Int>(costLimit: 2)
        _ = large.value(for: 1, cost: { _ in 3 }) { 10 }
        #expect(large.contents.entries.isEmpty && large.contents.hasEvicted)
        _ = cache.value(for: 3) { 30 }
        #expect(cache.contents.entries.count == 2 && cache.contents.hasEvicted)
    }
}
