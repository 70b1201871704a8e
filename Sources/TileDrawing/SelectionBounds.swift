import PrimaryStore
import TileLog
package import TileMath
import TrackStore
import Tracks

extension TileRenderer {
    /// The bounding box of the tracks of a selection; nil if none has a place, `everywhere` for every track of all time.
    ///
    /// A track counts as a whole if a part of it is in the window. Throws `CancellationError` when `isCancelled`.
    package func bounds(
        of selection: TileSelection, everywhere: BoundingBox?, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> BoundingBox? {
        if let state { _ = try days(of: selection.window, state) }
        if selection.isWholeLayer, selection.layer == TileSelection.defaultLayer { return everywhere }
        guard var filter = try library.filter(layer: selection.layer) else { return nil }
        filter.limit(to: selection.window, in: try library.calendar())
        filter.isCancelled = isCancelled
        return .enclosing(try boxes(of: selection, filter))
    }

    private func boxes(of selection: TileSelection, _ filter: TrackFilter) throws -> [BoundingBox] {
        guard let named = try trackIDCache.tracks(of: selection, in: library) else {
            return try library.database.bounds(filter).compactMap { BoundingBox($0) }
        }
        return try library.database.read { snapshot in
            try named.numbers.compactMap { number in
                guard let track = try snapshot.track(number: number), filter.admits(track) else { return nil }
                return track.bounds.flatMap { BoundingBox($0) }
            }
        }
    }
}
