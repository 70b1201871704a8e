import Dispatch
import Foundation
import Locking

/// Tries again and again until something holds; false where it does not for far longer than it should take.
///
/// What a buffer has written is let go of by the thread that wrote it, which may be long after the test has let go of the buffer; a
/// program that another test starts at this moment has a copy of its locks, too.
func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<60_000 {
        if try holds() { return true }
        Thread.sleep(forTimeInterval: 0.001)
    }
    return false
}

/// Does something again and again on a thread of its own.
final class Looking: Sendable {
    private let isStopped = Locked(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ look: @escaping @Sendable () -> Void) {
        let isStopped = isStopped
        let ended = ended
        Thread.detachNewThread {
            while !isStopped.withLock({ $0 }) {
                look()
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
