public import TileLog

/// Which tracks and which time a request is about: the same for heat and lines.
public struct TileSelection: Hashable, Sendable {
    /// The layer's name as in the URL; not checked here.
    public var layer: String
    /// The window of time.
    public var window: TimeWindow
    /// The ids of the requested tracks, unique and sorted; empty for every track of the layer.
    public var tracks: [String]

    /// The layer of URLs without one: every accepted track.
    public static let defaultLayer = "all"
    /// Limit of ids in one request.
    public static let maxTracks = 100

    /// A selection; ids may be in any order.
    public init(
        layer: String = defaultLayer, window: TimeWindow = .allTime, tracks: some Sequence<String> = []
    ) {
        self.layer = layer
        self.window = window
        self.tracks = Set(tracks).sorted()
    }

    /// Whether it is a whole layer over all time.
    package var isWholeLayer: Bool { window.isAllTime && tracks.isEmpty }
}
