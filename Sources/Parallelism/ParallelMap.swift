import Dispatch
import Foundation
import Locking

extension RandomAccessCollection where Self: Sendable, Index == Int {
    /// The results of `transform` for all elements, in their order, computed on up to `workers` threads (by default one
    /// per core). Each idle worker takes the next element, because one element may take as long as a thousand others.
    ///
    /// After an error no more elements begin; the first error is thrown.
    public func parallelMap<Result: Sendable, Failure: Error>(
        workers: Int? = nil, run: Int = 1, _ transform: @Sendable (Element) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        try parallelMap(workers: workers, run: run, state: { () }) { (_, element) throws(Failure) in
            try transform(element)
        }
    }

    /// The same, where each worker has a state that `state` makes for it.
    ///
    /// A worker takes up to `run` elements that follow each other at once, and fewer towards the end: for short elements whose
    /// neighbours need the same data.
    public func parallelMap<State, Result: Sendable, Failure: Error>(
        workers: Int? = nil, run: Int = 1, state: @Sendable () -> State,
        _ transform: @Sendable (inout State, Element) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        let shared = Locked(Shared<Result, Failure>())
        let workers = Swift.min(count, Swift.max(1, workers ?? ProcessInfo.processInfo.activeProcessorCount))
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            var own: [(offset: Int, result: Result)] = []
            do throws(Failure) {
                var state = state()
                while let offsets = shared.withLock({ $0.next(run, of: count, workers: workers) }) {
                    for offset in offsets { own.append((offset, try transform(&state, self[startIndex + offset]))) }
                }
            } catch {
                shared.withLock { $0.failure = $0.failure ?? error }
            }
            let finished = own
            shared.withLock { $0.results += finished }
        }
        let (results, failure) = shared.withLock { ($0.results, $0.failure) }
        if let failure { throw failure }
        return results.sorted { $0.offset < $1.offset }.map(\.result)
    }
}

private struct Shared<Result: Sendable, Failure: Error>: Sendable {
    var begun = 0
    var results: [(offset: Int, result: Result)] = []
    var failure: Failure?

    /// The next elements to begin; nil at the end and after an error.
    mutating func next(_ run: Int, of count: Int, workers: Int) -> Range<Int>? {
        guard failure == nil, begun < count else { return nil }
        let end = begun + Swift.max(1, Swift.min(run, (count - begun) / (2 * workers)))
        defer { begun = end }
        return begun..<end
    }
}
