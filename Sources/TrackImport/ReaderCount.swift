import Locking

/// The files that workers of an import read at this moment.
final class ReaderCount: Sendable {
    private let count = Locked(0)

    /// Runs `body`, which reads a file.
    func reading<Result>(_ body: () throws -> sending Result) rethrows -> Result {
        count.withLock { $0 += 1 }
        defer { count.withLock { $0 -= 1 } }
        return try body()
    }

    /// Whether fewer files are read than workers are there, so that a part of the work of a file is done earlier on another
    /// thread. With as many files, passing it to another thread only costs time: the import of 405 files of GPX with two
    /// workers took 1.30 s instead of 1.20 s.
    func leavesFree(of workers: Int) -> Bool { max(1, count.withLock { $0 }) < workers }
}
