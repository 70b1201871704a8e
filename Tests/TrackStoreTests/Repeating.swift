import Dispatch
import Foundation
import Locking

/// Repeats a condition until it holds; returns false if it does not hold after a very long time.
///
/// The thread that wrote a buffer's log may release the buffer long after the test has released it; and a program that
/// another test starts at this moment has a copy of its locks.
func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<60_000 {
        if try holds() { return true }
        Thread.sleep(forTimeInterval: 0.001)
    }
    return false
}

/// Repeats an action on a thread of its own.
final class BackgroundLoop: Sendable {
    private let isStopped = Locked(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ poll: @escaping @Sendable () -> Void) {
        let isStopped = isStopped
        let ended = ended
        Thread.detachNewThread {
            while !isStopped.withLock({ $0 }) {
                poll()
                Thread.sleep(forTimeInterval: 0.002)
            }
            ended.signal()
        }
    }

    func stop() {
        isStopped.withLock { $0 = true }
        ended.wait()
    }
}
