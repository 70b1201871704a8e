import HeatGrid
import Locking

/// A pool of tile readers for all threads: each has a quarter of a MiB of counts, which would have to be cleared for
/// every tile if readers were not reused.
final class TileReaders: Sendable {
    private let free = Locked<[TileReader]>([])

    /// Lends a reader to `body`; makes one if all are in use.
    func withReader<Result>(_ body: (inout TileReader) throws -> Result) rethrows -> Result {
        var reader = free.withLock { $0.popLast() } ?? TileReader()
        let result = try body(&reader)
        // A reader whose reading failed may contain counts, so it is not returned to the pool.
        let used = reader
        free.withLock { $0.append(used) }
        return result
    }
}
