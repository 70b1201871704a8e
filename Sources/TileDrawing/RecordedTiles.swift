import Caching
import Foundation
import GridStorage
import LineGrid
import Parallelism
import PrimaryStore
import TileLog
import TileMath
import TrackStore
import Tracks

/// Lines and points of tiles as they were recorded, read from the primary store and cached while the tiles keep their
/// content: the pictures below one tile of the deepest grid share them.
///
/// The first picture of a tile costs one pass over the tracks in its log, on all cores: about 20 ns per point, and ten
/// times that per point inside the tile.
final class RecordedTiles: Sendable {
    private enum Kind: Hashable {
        case lines
        case points
    }

    private struct Key: Hashable {
        var kind: Kind
        var tile: TileKey
        var content: UInt64
        /// The requested tracks; nil for all.
        var tracks: TrackSet?
    }

    private enum Content: Sendable {
        case lines(RecordedLines)
        case points(RecordedTilePoints)

        var byteCount: Int {
            switch self {
            case .lines(let lines): lines.byteCount
            case .points(let points): points.byteCount
            }
        }
    }

    /// The points of about a hundred tiles of a town.
    private static let byteLimit = 64 << 20
    /// Bytes of an entry besides its content.
    private static let entryBytes = 256

    private let library: Library
    private let entries = SharedCache<Key, Content>(costLimit: byteLimit)

    init(library: Library) { self.library = library }

    /// The lines of a tile whose log, read by `reader`, has this content; only of `tracks`, unless nil.
    func lines(
        of tile: TileKey, content: UInt64, _ tracks: TrackSet?, _ reader: GridReader
    ) throws -> RecordedLines {
        let key = Key(kind: .lines, tile: tile, content: content, tracks: tracks)
        guard case .lines(let lines) = try self.content(key, { .lines(try readLines(key, reader)) }) else {
            preconditionFailure("an entry for lines contains points")
        }
        return lines
    }

    /// The points of a tile, with the same parameters.
    func points(
        of tile: TileKey, content: UInt64, _ tracks: TrackSet?, _ reader: GridReader
    ) throws -> RecordedTilePoints {
        let key = Key(kind: .points, tile: tile, content: content, tracks: tracks)
        guard case .points(let points) = try self.content(key, { .points(try readPoints(key, reader)) }) else {
            preconditionFailure("an entry for points contains lines")
        }
        return points
    }

    /// Drops the tiles that a change has touched (packed keys), or all if nil, because recorded points may have been
    /// removed.
    ///
    /// Content that is being read meanwhile is used by its callers, but not cached.
    func invalidate(_ touched: Set<UInt64>?) {
        let hasLongSteps = touched.map { TouchedTiles.haveLongSteps($0) } ?? false
        entries.invalidate { key, _ in
            guard let touched else { return true }
            return touched.contains(key.tile.packed)
                || hasLongSteps && TouchedTiles.haveLongSteps(above: key.tile.tile, touched)
        }
    }

    private func content(_ key: Key, _ make: () throws -> Content) throws -> Content {
        // The pictures below a tile with more than the limit share its content too.
        try entries.value(for: key, cost: { min($0.byteCount + Self.entryBytes, Self.byteLimit) }, make: make)
    }

    /// The tracks in a tile's log, ascending.
    private func tracks(_ key: Key, _ reader: GridReader) throws -> [Int64] {
        var lines = TileLines()
        let filter = key.tracks.map { FragmentFilter.tracks($0) } ?? .all
        try reader.lines(of: key.tile, window: .allTime, filter: filter, into: &lines)
        return Set(lines.fragments.map(\.track)).sorted()
    }

    private func readLines(_ key: Key, _ reader: GridReader) throws -> RecordedLines {
        let tile = key.tile.tile
        let box = BufferedTileBounds(round: tile)
        let calendar = try library.calendar()
        let shares = try read(try tracks(key, reader)) {
            RecordedLines(tile, unitsPerSide: RecordedUnits.perSide(zoom: tile.zoom))
        } take: { track, snapshot, lines in
            var steps: [DayStep] = []
            var scan = DaySplitter(calendar: calendar, detector: track.detector)
            try snapshot.forEachChunk(ofTrack: track.number, fields: DrawnFields.wanted) { chunk in
                steps.removeAll(keepingCapacity: true)
                // Points that cannot come near the tile are passed over without being projected.
                scan.add(chunk, near: box, into: &steps)
                lines.add(steps, ofTrack: track.number)
            }
            steps.removeAll(keepingCapacity: true)
            scan.finish(into: &steps)
            lines.add(steps, ofTrack: track.number)
            lines.finish(track: track.number)
        }
        return shares.dropFirst().reduce(into: shares[0]) { $0.append($1) }
    }

    private func readPoints(_ key: Key, _ reader: GridReader) throws -> RecordedTilePoints {
        let calendar = try library.calendar()
        let shares = try read(try tracks(key, reader)) {
            RecordedTilePoints(key.tile.tile, calendar: calendar)
        } take: { track, snapshot, points in
            var scan = track.detector
            var begins = true
            try snapshot.forEachChunk(
                // What the outlier rule needs. Points show no elevation, and decoding it takes as long as decoding the
                // places.
                ofTrack: track.number, fields: .only([FieldName.horizontalAccuracy, FieldName.waypoint])
            ) { chunk in
                points.add(chunk, ofTrack: track.number, detector: &scan, begins: begins)
                begins = false
            }
            points.finish(track: track.number, detector: &scan)
        }
        return shares.dropFirst().reduce(into: shares[0]) { $0.append($1) }
    }

    /// Splits tracks, in order, into at least one share, and reads the shares on all cores, because the other tiles of
    /// a view wait for this result.
    private func read<Share: Sendable>(
        _ numbers: [Int64], begin: @Sendable () -> Share,
        take: @Sendable (Track, TrackSnapshot, inout Share) throws -> Void
    ) throws -> [Share] {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let count = max(1, min(cores, numbers.count / Self.minimumTracksPerShare))
        return try (0..<count).parallelMap { index in
            var share = begin()
            // Consecutive tracks: the shares are joined in their order, so that the result does not depend on the
            // cores.
            let own = numbers[numbers.count * index / count..<numbers.count * (index + 1) / count]
            try library.database.read { snapshot in
                for number in own {
                    if let track = try snapshot.track(number: number) { try take(track, snapshot, &share) }
                }
            }
            return share
        }
    }

    /// Below this, starting another core costs more than it saves.
    private static let minimumTracksPerShare = 16
}
