import HTTPCore
import Locking
package import Pins
package import TrackStore
import Tracks

/// The times of the tracks of layers, by which pins belong to layers. Read once for each revision of the library.
package final class PinLayers: Sendable {
    private struct Known {
        var revision: Int64 = -1
        var times: [String: TrackTimes] = [:]
    }

    /// A library has some activities, and an operator adds some layers.
    private static let layerLimit = 32

    private let library: Library
    private let known = Locked(Known())

    package init(_ library: Library) {
        self.library = library
    }

    /// A filter limited to a layer; unchanged for no layer, and for one of all tracks. Throws a `404` for one that does
    /// not exist.
    func limited(_ filter: PinFilter, to layer: String?) throws -> PinFilter {
        guard let layer, layer != LayerDefinition.everything else { return filter }
        guard let times = try self.times(of: layer) else {
            throw Problem.notFound("no layer has this name; /layers lists them")
        }
        var filter = filter
        filter.during = times
        return filter
    }

    /// The times of the tracks of a layer; nil if it does not exist.
    package func times(of layer: String) throws -> TrackTimes? {
        let revision = try library.database.head().revision
        let found = known.withLock { known in
            if known.revision != revision { known = Known(revision: revision) }
            return known.times[layer]
        }
        if let found { return found }
        guard let filter = try library.filter(layer: layer, for: .owner) else { return nil }
        let tracks = try library.database.tracks(filter, for: .owner, limit: .max)?.tracks ?? []
        let times = TrackTimes(
            tracks.compactMap { track in
                guard let start = track.start, let end = track.end else { return nil }
                return (track.personName, start, end)
            })
        known.withLock { known in
            guard known.revision == revision, known.times.count < Self.layerLimit else { return }
            known.times[layer] = times
        }
        return times
    }
}
