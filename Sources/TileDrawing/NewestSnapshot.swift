import GridStorage
import PrimaryStore
import TrackStore

extension Library {
    /// The grid as it is now; nil if it was never built or is damaged.
    func newestSnapshot() throws -> GridSnapshot? {
        do {
            return try grid.read { try GridSnapshot($0, wholeLayerNames: wholeLayerNames) }
        } catch LibraryError.gridDamaged {
            // A damaged grid is rebuilt from the primary store, so it is treated as one that was never built.
            return nil
        }
    }
}
