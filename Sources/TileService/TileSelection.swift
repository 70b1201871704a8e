public import TileLog
public import Tracks

/// Which tracks and which time a tile, a legend or a place is asked about: the same for heat and lines.
public struct TileSelection: Hashable, Sendable {
    /// The layer's name, as the URL has it; whether there is such a layer is not known here.
    public var layer: String
    /// When.
    public var window: TimeWindow
    /// The ids of the tracks that alone are asked for, each once, in order; empty for every track of the layer.
    public var tracks: [String]
    /// Who asks: what different viewers see is kept apart.
    public var viewer = Viewer.owner

    /// The layer of URLs that name none: every accepted track.
    public static let defaultLayer = "all"
    /// Ids that one request may name.
    public static let mostTracks = 100

    /// A selection; ids may come in any order.
    public init(
        layer: String = defaultLayer, window: TimeWindow = .allTime, tracks: some Sequence<String> = []
    ) {
        self.layer = layer
        self.window = window
        self.tracks = Set(tracks).sorted()
    }

    /// Whether more than the grid is needed to say what it comes to: tracks' names or points, or the calendar.
    var needsMore: Bool { window.hasInstants || !tracks.isEmpty }

    /// Whether it is all of a layer, of all time.
    var isWholeLayer: Bool { window.isAllTime && tracks.isEmpty }
}
