package import Dispatch
package import RequestHandling

extension WorkQueue {
    /// Keeps all workers busy until the semaphore that is returned has been signalled once per worker.
    package func occupyWorkers() -> DispatchSemaphore {
        let gate = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
        for _ in 0..<workers {
            add(
                work: {
                    begun.signal()
                    gate.wait()
                }, refuse: {})
            begun.wait()
        }
        return gate
    }
}
