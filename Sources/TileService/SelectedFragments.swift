import Digest
import HTTPCore
import HeatGrid
import TileLog
import TrackStore

/// What a selection comes to in an edition of the grid: which parts of tiles take part, and in whose colours.
struct SelectedFragments {
    /// Whose counts of all time colour the tiles.
    let layer: Layer
    /// The tracks asked for that the layer has; nil for all of it.
    let tracks: TrackSet?
    /// The days of the window.
    let days: WindowDays
    /// What they have in the grid lies in these months.
    private let months: DayWindow
    let edition: GridSnapshot

    /// `tracks` are the numbers that the selection's ids stand for, `days` those of its window. Throws the problem of a
    /// layer that the viewer has not, or not yet.
    init(
        _ selection: TileSelection, tracks: TrackSet?, days: WindowDays, in edition: GridSnapshot, _ reader: GridReader
    ) throws {
        guard let layer = edition.layer(named: selection.layer, for: selection.viewer) else {
            throw Problem.notFound("no layer has this name; /layers lists them")
        }
        try layer.checkReadiness()
        self.layer = layer
        self.days = days
        self.edition = edition
        let filter = edition.question(layer: layer.number, window: .allTime).filter
        self.tracks = tracks.map { TrackSet($0.numbers.filter { filter.passes($0) }) }
        months = try self.tracks.map { try edition.months(of: $0, reader) } ?? .allTime
    }

    /// What counts of a window's whole days. A set of tracks costs no more than the logs of its months.
    func question(_ window: DayWindow) -> CountQuery {
        guard let tracks else { return edition.question(layer: layer.number, window: window) }
        return CountQuery(window: window.shared(with: months), layer: nil, filter: .tracks(tracks))
    }

    /// Whose counts span a scale where those of the selection do: of its days, whole ones, so that one table serves all
    /// instants of a day.
    var span: ScaleSpan {
        tracks.map { .tracks($0, days.touched) } ?? .window(days.touched)
    }

    /// Adds what a picture's digest must say of the tracks: by what they hold, as numbers are no part of any content.
    func update(_ digester: inout Digester) {
        guard let tracks else { return }
        digester.update("tracks")
        for seed in tracks.numbers.map({ edition.tracks.seed(of: $0) }).sorted() { digester.update(seed) }
    }
}
