import Dispatch
import Locking

/// Computes one batch in the background while the caller collects the next and writes the previous one.
struct Prefetcher<Result: Sendable> {
    private let queue = DispatchQueue(label: "tileserve.grid", qos: .utility)
    private var next: (@Sendable () -> Result)?
    private var running: (group: DispatchGroup, result: Locked<Result?>)?

    /// Sets the work that the next call of `advance` starts.
    mutating func prepare(_ work: @escaping @Sendable () -> Result) {
        next = work
    }

    /// Waits for the work started by the previous call, starts the prepared work, and returns the result of the former;
    /// nil if there was none.
    mutating func advance() -> Result? {
        let finished = running
        running = nil
        finished?.group.wait()
        if let work = next {
            next = nil
            let group = DispatchGroup()
            let result = Locked<Result?>(nil)
            queue.async(group: group) {
                let value = work()
                result.withLock { $0 = value }
            }
            running = (group, result)
        }
        return finished?.result.withLock { $0 }
    }
}
