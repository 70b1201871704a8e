import HeatGrid
import Locking

/// Readers kept for whoever reads a tile next, on whatever thread: each has a quarter of a MiB of counts, which would be
/// cleared for every tile were it made anew.
final class TileReaders: Sendable {
    private let free = Locked<[TileReader]>([])

    /// Lends a reader to `body`; makes one where all are lent.
    func withReader<Result>(_ body: (inout TileReader) throws -> Result) rethrows -> Result {
        var reader = free.withLock { $0.popLast() } ?? TileReader()
        let result = try body(&reader)
        // One whose reading failed may have counts left in it, and is forgotten.
        let used = reader
        free.withLock { $0.append(used) }
        return result
    }
}
