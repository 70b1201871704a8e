package import Pins
package import PrimaryStore
import Text
package import TrackExport
package import TrackQuery

/// Which tracks and pins of a library an export contains.
package struct ExportSelection: Sendable {
    /// The beginning of the window in milliseconds since 1970; nil if it has none.
    package var from: Int64?
    /// The end of the window, which is not in it.
    package var to: Int64?
    /// The name of a layer; nil for every track.
    package var layer: String?
    package var condition: TrackCondition?
    /// Whether nobody needs the tracks any more: reading them then throws `CancellationError`.
    package var isCancelled: @Sendable () -> Bool = { false }

    /// A selection of everything.
    package init() {}

    /// The pins of the window. Pins have neither the layers nor the fields of tracks: a layer or condition selects none.
    package var pins: PinFilter? {
        guard layer == nil, condition == nil else { return nil }
        var filter = PinFilter()
        (filter.from, filter.to) = (from, to)
        return filter
    }

    /// What is selected, oldest first, with pins if the format supports them; for readers other than the owner, only
    /// pins that everybody may read at `now`. Throws `SelectionError` for a layer that does not exist.
    package func source(
        _ library: Library, for format: ExportFormat, forOthersAt now: Int64? = nil
    ) throws -> TrackExportSource {
        var source = try TrackExportSource(library, filters(library))
        if format.supportsPins, let pins { try source.add(pins, forOthersAt: now) }
        return source
    }

    /// Those of some tracks that are selected, each once, in their order: two ids may be those of one track, into which
    /// the other was merged.
    package func source(_ library: Library, of tracks: [Track]) throws -> TrackExportSource {
        let filters = try filters(library)
        var numbers: Set<Int64> = []
        return try TrackExportSource(
            library,
            tracks.filter { track in
                filters.allSatisfy { $0.admits(track) } && numbers.insert(track.number).inserted
            })
    }

    private func filters(_ library: Library) throws -> [TrackFilter] {
        var filter = TrackFilter()
        (filter.from, filter.to) = (from, to)
        filter.condition = condition
        filter.calendar = try library.calendar()
        filter.isCancelled = isCancelled
        guard let layer else { return [filter] }
        guard let ofLayer = try library.filter(layer: layer) else { throw SelectionError.noSuchLayer(layer) }
        return [filter, ofLayer]
    }
}

extension ExportFormat {
    /// The name of the file of a track with this start and id: its day and id, neither of which contains a path separator.
    package func fileName(start: Int64?, id: String) -> String {
        let day = start.map { String(InstantFormatter.utc($0).prefix { $0 != "T" }) + "-" } ?? ""
        return day + id + ending
    }
}
