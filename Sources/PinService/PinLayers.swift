import Caching
package import Pins
import PrimaryStore
import RequestHandling
package import TrackStore

/// The times of the tracks of layers, by which pins belong to layers. Read once for each revision of the library.
package final class PinLayers: Sendable {
    private struct Key: Hashable, Sendable {
        var layer: String
        var revision: Int64
    }

    private struct Entry: Sendable {
        var times: TrackTimes
        var bytes: Int
    }

    private struct NoSuchLayer: Error {}

    /// Some dozens of layers of a large library: the times of 100,000 tracks take 1.6 MB.
    private static let cacheBytes = 32 << 20
    /// Its first and its last instant.
    private static let bytesPerTrack = 16

    private let library: Library
    private let known = SharedCache<Key, Entry>(costLimit: cacheBytes)

    package init(_ library: Library) {
        self.library = library
    }

    /// A filter limited to a layer; unchanged for no layer, and for one of all tracks. Throws `SelectionError`
    /// for one that does not exist.
    package func limited(_ filter: PinFilter, to layer: String?) throws -> PinFilter {
        guard let layer, layer != LayerDefinition.everything else { return filter }
        guard let times = try self.times(of: layer) else {
            throw SelectionError.noSuchLayer(layer)
        }
        var filter = filter
        filter.during = times
        return filter
    }

    /// The times of the tracks of a layer; nil if it does not exist.
    func times(of layer: String) throws -> TrackTimes? {
        let key = Key(layer: layer, revision: try library.database.head().revision)
        do {
            return try known.value(for: key, cost: { $0.bytes }) { try read(layer) }.times
        } catch is NoSuchLayer {
            return nil
        }
    }

    private func read(_ layer: String) throws -> Entry {
        guard let filter = try library.filter(layer: layer) else { throw NoSuchLayer() }
        let tracks = try library.database.tracks(filter, limit: .max)?.tracks ?? []
        let times = TrackTimes(
            tracks.compactMap { track in
                guard let start = track.start, let end = track.end else { return nil }
                return (track.personName, start, end)
            })
        return Entry(times: times, bytes: Self.bytesPerTrack * (tracks.count + 1))
    }

    /// Drops what is older than the library: before it is reported to other processes that nothing of a removed track
    /// is left here.
    func dropOutdated() throws {
        let revision = try library.database.head().revision
        known.invalidate { key, _ in key.revision != revision }
    }
}
