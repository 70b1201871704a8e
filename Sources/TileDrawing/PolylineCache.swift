import Caching
import LineGrid
import PrimaryStore
import TileLog
import TileMath
import TrackStore
import Tracks

/// Caches the polylines of tracks requested alone with decorations: the tiles of a view need the same ones.
final class PolylineCache: Sendable {
    private struct Key: Hashable {
        var track: Int64
        var digest: UInt64
    }

    private struct DecorationsKey: Hashable {
        var polyline: Key
        var zoom: ZoomLevel
    }

    /// A million points.
    private static let byteLimit = 32 << 20

    /// The decorations of a hundred long tracks, whose points are too many to be cached.
    private static let decorationsByteLimit = 64 << 20
    /// Limit of cached decorations of one track at a zoom level: those of 50 km at the deepest level.
    private static let decorationLimit = 16_384

    /// Bytes of an entry besides its value.
    private static let entryBytes = 256

    private let polylines = SharedCache<Key, Polyline>(costLimit: byteLimit)
    private let decorations = SharedCache<DecorationsKey, PolylineDecorations>(costLimit: decorationsByteLimit)

    /// Adds the decorations of a track in and around a tile; `includesTime` decides by time.
    func addDecorations(
        of track: Int64, to decorations: inout TileDecorations, in tile: TileCoordinate, _ gridSnapshot: GridSnapshot,
        _ library: Library,
        includesTime: (Int64) -> Bool
    ) throws {
        let polylineKey = Key(track: track, digest: gridSnapshot.tracks.digest(of: track))
        let key = DecorationsKey(polyline: polylineKey, zoom: tile.zoom)
        let version = self.decorations.version
        if let known = self.decorations.find(key) {
            return known.add(to: &decorations, in: tile, includesTime: includesTime)
        }
        let polyline = try polyline(of: track, gridSnapshot, in: library)
        guard let all = polyline.decorations(at: tile.zoom, atMost: Self.decorationLimit) else {
            return polyline.add(to: &decorations, in: tile, includesTime: includesTime)
        }
        self.decorations.store(all, for: key, cost: all.byteCount + Self.entryBytes, since: version)
        all.add(to: &decorations, in: tile, includesTime: includesTime)
    }

    /// The polyline of a track; empty if the track is no longer in the primary store.
    func polyline(of track: Int64, _ gridSnapshot: GridSnapshot, in library: Library) throws -> Polyline {
        let key = Key(track: track, digest: gridSnapshot.tracks.digest(of: track))
        return try polylines.value(for: key, cost: { $0.byteCount + Self.entryBytes }) {
            try Self.polyline(of: track, in: library)
        }
    }

    private static func polyline(of track: Int64, in library: Library) throws -> Polyline {
        var polyline = Polyline()
        try library.database.read { snapshot in
            guard let stored = try snapshot.track(number: track) else { return }
            var detector = stored.detector
            var classified: [ClassifiedPoint] = []
            try snapshot.forEachChunk(ofTrack: track, fields: OutlierDetector.wanted) { chunk in
                classified.removeAll(keepingCapacity: true)
                detector.add(chunk, into: &classified)
                polyline.add(classified)
            }
            classified.removeAll(keepingCapacity: true)
            detector.finish(into: &classified)
            polyline.add(classified)
        }
        return polyline
    }

    /// Drops entries of tracks that are not in a snapshot or have changed, such as removed ones.
    func invalidate(exceptIn gridSnapshot: GridSnapshot) {
        polylines.invalidate { key, _ in gridSnapshot.tracks.digest(of: key.track) != key.digest }
        decorations.invalidate { key, _ in gridSnapshot.tracks.digest(of: key.polyline.track) != key.polyline.digest }
    }
}
