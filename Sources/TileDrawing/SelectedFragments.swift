import Digest
import HeatGrid
import TileLog
import TrackStore

/// A selection resolved in a snapshot of the grid: which fragments of tiles take part, and which layer determines the
/// colours.
struct SelectedFragments {
    /// The layer whose all-time counts determine the colours.
    let layer: Layer
    /// The requested tracks that are in the layer; nil for the whole layer.
    let tracks: TrackSet?
    /// The days of the window.
    let days: WindowDays
    /// A window of months that contains all their fragments.
    private let months: DayWindow
    let gridSnapshot: GridSnapshot

    /// `tracks` are the numbers of the selection's ids, `days` those of its window. Throws a `404` if the viewer has no
    /// such layer, a `503` if it is not ready.
    init(
        _ selection: TileSelection, tracks: TrackSet?, days: WindowDays, in gridSnapshot: GridSnapshot,
        _ reader: GridReader
    ) throws {
        guard let layer = gridSnapshot.layer(named: selection.layer, for: selection.viewer) else {
            throw TileError.notFound("no layer has this name; /layers lists them")
        }
        try layer.checkReadiness()
        self.layer = layer
        self.days = days
        self.gridSnapshot = gridSnapshot
        let filter = gridSnapshot.query(layer: layer.number, window: .allTime).filter
        self.tracks = tracks.map { TrackSet($0.numbers.filter { filter.passes($0) }) }
        months = try self.tracks.map { try gridSnapshot.months(of: $0, reader) } ?? .allTime
    }

    /// The query for a window's whole days. For a set of tracks it reads only the logs of their months.
    func query(_ window: DayWindow) -> CountQuery {
        guard let tracks else { return gridSnapshot.query(layer: layer.number, window: window) }
        return CountQuery(window: window.shared(with: months), layer: nil, filter: .tracks(tracks))
    }

    /// The range of a scale over the selection's counts. It covers whole days, so that one table serves all instants of
    /// a day.
    var span: ScaleSpan {
        tracks.map { .tracks($0, days.touched) } ?? .window(days.touched)
    }

    /// Adds the tracks to a picture's digest: by content, because numbers are not part of any content digest.
    func update(_ digester: inout Digester) {
        guard let tracks else { return }
        digester.update("tracks")
        for seed in tracks.numbers.map({ gridSnapshot.tracks.seed(of: $0) }).sorted() { digester.update(seed) }
    }
}
