import Parallelism
import Synchronization
import Testing

@Suite struct ParallelMapTests {
    private struct Failure: Error, Equatable {
        var number: Int
    }

    @Test(arguments: [0, 1, 2, 3, 7, 100, 5_000], [1, 2, 3, 16])
    func `results are in the order of the elements, each computed once`(count: Int, workers: Int) throws {
        let calls = Atomic(0)
        let results = Array(0..<count).parallelMap(workers: workers) { number in
            calls.add(1, ordering: .relaxed)
            return number * 3
        }
        #expect(results == (0..<count).map { $0 * 3 } && calls.load(ordering: .relaxed) == count)
        #expect((5..<5 + count).parallelMap { $0 } == Array(5..<5 + count))
    }

    @Test func `each worker has a state of its own`() throws {
        let states = Atomic(0)
        let made: @Sendable () -> Int = {
            states.add(1, ordering: .relaxed)
            return 0
        }
        let results = Array(0..<1_000).parallelMap(workers: 3, state: made) { seen, _ in
            seen += 1
            return seen
        }
        let workers = states.load(ordering: .relaxed)
        #expect((1...3).contains(workers) && results.count { $0 == 1 } <= workers)
        #expect(results.max() ?? 0 >= 1_000 / 3)
    }

    @Test func `an error ends the work and is thrown`() {
        let calls = Atomic(0)
        #expect(throws: Failure(number: 10)) {
            try Array(0..<100).parallelMap(workers: 1) { number in
                calls.add(1, ordering: .relaxed)
                if number == 10 { throw Failure(number: number) }
                return number
            }
        }
        #expect(calls.load(ordering: .relaxed) == 11)
    }
}
