public import Text
public import TileMath

/// What an archive says about its tiles.
public struct ArchiveDescription: Sendable {
    public var format: TileFormat
    /// The zoom levels that have tiles, within 0–22.
    public var zooms: ClosedRange<Int>
    /// nil if they are not known, or are no box on Earth.
    public var bounds: BoundingBox?
    public var center: MapCenter?
    public var name: String?
    public var attribution: String?
    public var description: String?
    public var version: String?
    /// The layers of vector tiles with their fields, as TileJSON has them; empty for pictures.
    public var vectorLayers: [JSONValue] = []

    /// The names of these layers.
    public var layerNames: [String] {
        vectorLayers.compactMap { layer in
            if case .text(let name)? = layer["id"] { name } else { nil }
        }
    }

    init(format: TileFormat, zooms: ClosedRange<Int>) {
        self.format = format
        self.zooms = zooms
    }

    /// Longer texts are not shown on a map.
    private static let textLimit = 10_000

    /// Reads a text of the metadata; names that are not known are ignored.
    mutating func set(_ name: String, _ value: String) {
        guard !value.isEmpty, value.utf8.count <= Self.textLimit else { return }
        switch name {
        case "name": self.name = value
        case "attribution": attribution = value
        case "description": description = value
        case "version": version = value
        default: break
        }
    }

    /// Reads `vector_layers` of a JSON object: a list of objects that have an id.
    mutating func setVectorLayers(of json: JSONValue) {
        guard format == .mvt, let layers = json["vector_layers"]?.elements else { return }
        vectorLayers = layers.filter { layer in
            if case .text? = layer["id"] { true } else { false }
        }
    }

    /// The zoom levels of a range that can be requested; nil if there are none.
    static func zooms(_ lowest: Int, _ deepest: Int) -> ClosedRange<Int>? {
        let last = min(deepest, ZoomLevel.deepest.number)
        return lowest >= 0 && lowest <= last ? lowest...last : nil
    }
}
