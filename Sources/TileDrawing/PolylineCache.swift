import LineGrid
import Locking
import TileLog
import TileMath
import TrackStore
import Tracks

/// Caches the polylines of tracks requested alone with decorations: the tiles of a view need the same ones.
final class PolylineCache: Sendable {
    private struct Key: Hashable {
        var track: Int64
        var seed: UInt64
    }

    private struct DecorationsKey: Hashable {
        var trail: Key
        var zoom: ZoomLevel
    }

    private struct Memory {
        var trails = RecentValues<Key, Polyline>(byteLimit: PolylineCache.byteLimit)
        var marks = RecentValues<DecorationsKey, PolylineDecorations>(byteLimit: PolylineCache.marksByteLimit)
        /// Incremented when entries are dropped; what was read before that is then not stored.
        var age = 0
    }

    /// A million points.
    private static let byteLimit = 32 << 20

    /// The decorations of a hundred long tracks, whose points are too many to be cached.
    private static let marksByteLimit = 64 << 20
    /// Limit of cached decorations of one track at a zoom level: those of 50 km at the deepest level.
    private static let mostMarks = 16_384

    private let memory = Locked(Memory())

    /// Adds the decorations of a track in and around a tile; `holds` decides by time.
    func addMarks(
        of track: Int64, to marks: inout TileDecorations, in tile: TileCoordinate, _ edition: GridSnapshot,
        _ library: Library,
        holds: (Int64) -> Bool
    ) throws {
        let trailKey = Key(track: track, seed: edition.tracks.seed(of: track))
        let key = DecorationsKey(trail: trailKey, zoom: tile.zoom)
        let (known, age) = memory.withLock { memory in (memory.marks[key], memory.age) }
        if let known { return known.add(to: &marks, in: tile, holds: holds) }
        let trail = try trail(of: track, edition, in: library)
        guard let all = trail.marks(at: tile.zoom, atMost: Self.mostMarks) else {
            return trail.add(to: &marks, in: tile, holds: holds)
        }
        memory.withLock { memory in
            guard memory.age == age else { return }
            memory.marks.keep(all, for: key, bytes: all.byteCount)
        }
        all.add(to: &marks, in: tile, holds: holds)
    }

    /// The polyline of a track; empty if the track is no longer in the primary store.
    func trail(of track: Int64, _ edition: GridSnapshot, in library: Library) throws -> Polyline {
        let key = Key(track: track, seed: edition.tracks.seed(of: track))
        let (known, age) = memory.withLock { memory in (memory.trails[key], memory.age) }
        if let known { return known }
        var trail = Polyline()
        try library.truth.read { snapshot in
            guard let stored = try snapshot.track(number: track) else { return }
            var walk = OutlierDetector(gap: stored.gap, kind: stored.walkKind, cleaning: stored.cleaning)
            var walked: [CleanedPoint] = []
            try snapshot.forEachChunk(ofTrack: track, fields: OutlierDetector.wanted) { chunk in
                walked.removeAll(keepingCapacity: true)
                walk.walk(chunk, into: &walked)
                trail.add(walked)
            }
            walked.removeAll(keepingCapacity: true)
            walk.finish(into: &walked)
            trail.add(walked)
        }
        let made = trail
        memory.withLock { memory in
            guard memory.age == age else { return }
            memory.trails.keep(made, for: key, bytes: made.byteCount)
        }
        return made
    }

    /// Drops entries of tracks that are not in a snapshot or have changed, such as removed ones.
    func forget(exceptThoseOf edition: GridSnapshot) {
        memory.withLock { memory in
            memory.age += 1
            memory.trails.removeAll { edition.tracks.seed(of: $0.track) != $0.seed }
            memory.marks.removeAll { edition.tracks.seed(of: $0.trail.track) != $0.trail.seed }
        }
    }
}

extension TileRenderer {
    /// The decorations of the selected tracks, in and around a tile.
    func marks(in tile: TileCoordinate, _ parts: SelectedFragments) throws -> TileDecorations {
        var marks = TileDecorations()
        let whole = parts.days.whole
        let calendar =
            whole.isAllTime ? nil : try cutDays.calendar(of: parts.edition.state, in: library)
        for track in parts.tracks?.numbers ?? [] {
            try trackTrails.addMarks(of: track, to: &marks, in: tile, parts.edition, library) { time in
                guard let calendar else { return true }
                guard time != PointChunk.untimed else { return false }
                let day = calendar.day(of: time)
                if whole.days?.contains(day) == true { return true }
                return parts.days.cut.contains { $0.day == day && $0.stretches.contains { $0.contains(time) } }
            }
        }
        return marks
    }
}
