import Foundation
package import HeatGrid
package import LineGrid
package import TileLog

/// A rasterised track: what the grid stores of it besides its fragments and rows.
package struct RasterisedTrack: Sendable {
    package var track: GridTrack
    /// The periods of the months in which it has person-days.
    var months: Set<UInt16>
    /// The first and last day; nil if it has only points without time.
    var days: ClosedRange<Int32>?
    /// See `GridTrack.digest`.
    var digest: UInt64
}

/// The result of rasterising tracks: their fragments, in memory and on disk.
package struct RasterisedTracks {
    /// Ordered by number.
    package var tracks: [RasterisedTrack] = []
    package let rows: GatheredTrackRows
    package var cells: GatheredFragments<CellDeltas>
    package var lines: GatheredFragments<LineRuns>

    /// Approximate size of all fragments, in bytes.
    var byteCount: Int { cells.byteCount + lines.byteCount }
}

/// Fragments of one kind, in memory and on disk.
package struct GatheredFragments<Content: FragmentContent> {
    var arenas: [FragmentArena] = []
    let spill: GridSpill

    /// Approximate size in bytes.
    var byteCount: Int { spill.byteCount + arenas.reduce(0) { $0 + $1.byteCount } }

    /// The fragments as one run. They are removed from here, so that memory does not hold them twice.
    package mutating func takeRun() throws -> MergedRuns<Content> {
        let inMemory = ArenaRun<Content>(arenas)
        arenas = []
        // What was spilled first comes first: several runs may contain the same day of a track, and its lines must stay
        // in order.
        return MergedRuns(try spill.runs() + [inMemory])
    }
}
