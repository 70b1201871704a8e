import RequestHandling
import Styling
import Text
import TileArchive

/// A style of MapLibre for a source of tiles. It has no sprites and no glyphs, so it loads nothing from elsewhere.
struct StyleDocument {
    let source: MapSource
    /// The URL of the server, without a slash at its end.
    let base: String
    /// The queries that the URLs of the source and of the base map repeat; may be empty.
    let query: String
    let secret: String
    let theme: Theme

    private static let version = 8
    /// The name of the source of the base map, which no style or archive has.
    private static let baseMap = "base"

    var bytes: [UInt8] {
        let extent = MapExtent(source.bounds, zooms: source.zooms)
        var json = JSONWriter()
        json.object { json in
            json.add("version", Self.version)
            json.add("name", source.title)
            json.array("center", extent.center[0...1]) { $0.add($1) }
            json.add("zoom", extent.center[2])
            json.object("sources") { json in
                json.object(Self.baseMap) { json in
                    json.add("type", "raster")
                    json.add("url", url(of: Self.baseMap, "theme=\(theme.rawValue)", secret))
                }
                json.object(source.name) { json in
                    json.add("type", isVector ? "vector" : "raster")
                    // Tiles of styles exist in double size, for sharp pictures on all screens.
                    json.add("url", url(of: source.name, source.takesParameters ? "scale=2" : "", query))
                }
            }
            json.array("layers", layers) { json, layer in layer.write(to: &json) }
        }
        return json.bytes
    }

    private var isVector: Bool { source.formats.allSatisfy { !$0.isRaster } }

    private func url(of name: String, _ parts: String...) -> String {
        let query = parts.filter { !$0.isEmpty }.joined(separator: "&")
        return "\(base)/tiles/\(name).json" + (query.isEmpty ? "" : "?" + query)
    }

    private var layers: [StyleLayer] {
        let ground = StyleLayer(id: Self.baseMap, kind: .raster, source: Self.baseMap)
        guard isVector else { return [ground, StyleLayer(id: source.name, kind: .raster, source: source.name)] }
        // Areas of all layers first: they would hide lines.
        return [ground]
            + [StyleLayer.Kind.fill, .line, .circle].flatMap { kind in
                source.vectorLayers.map { name in
                    StyleLayer(
                        id: "\(name) \(kind.rawValue)", kind: kind, source: source.name, sourceLayer: name,
                        color: VectorColor(layer: name).text(theme))
                }
            }
    }
}

/// A layer of a style.
private struct StyleLayer {
    /// The type of the layer.
    enum Kind: String {
        case raster, fill, line, circle

        /// The geometries that it draws; nil for all.
        var geometry: String? {
            switch self {
            case .raster: nil
            case .fill: "Polygon"
            case .line: "LineString"
            case .circle: "Point"
            }
        }
    }

    var id: String
    var kind: Kind
    var source: String
    var sourceLayer: String?
    var color: String?

    private static let areaOpacity = 0.6
    private static let pointRadius = 2

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.add("id", id)
            json.add("type", kind.rawValue)
            json.add("source", source)
            if let sourceLayer { json.add("source-layer", sourceLayer) }
            // `$type` is the same for one shape and for several, in all versions of MapLibre.
            if let geometry = kind.geometry { json.array("filter", ["==", "$type", geometry]) { $0.add($1) } }
            guard let color else { return }
            json.object("paint") { json in
                json.add("\(kind.rawValue)-color", color)
                if kind == .fill { json.add("fill-opacity", Self.areaOpacity) }
                if kind == .circle { json.add("circle-radius", Self.pointRadius) }
            }
        }
    }
}

/// The colour of a layer of vector tiles, by the words that schemas such as OpenMapTiles and Protomaps use in its name.
private enum VectorColor: CaseIterable {
    case water, green, building, way, border, other

    init(layer name: String) {
        let name = name.lowercased()
        self = Self.allCases.first { kind in kind.words.contains { name.contains($0) } } ?? .other
    }

    private var words: [String] {
        switch self {
        case .water: ["water", "ocean", "sea", "river", "lake"]
        case .green: ["landcover", "landuse", "park", "forest", "wood", "natural", "grass"]
        case .building: ["building", "housenumber"]
        case .way: ["transport", "road", "street", "highway", "path", "rail", "track"]
        case .border: ["bound", "admin", "border"]
        case .other: []
        }
    }

    func text(_ theme: Theme) -> String {
        let (light, dark) =
            switch self {
            case .water: ("#9cc3dd", "#24435a")
            case .green: ("#c9dcb8", "#2b3a2a")
            case .building: ("#c9c2ba", "#46423d")
            case .way: ("#8a7f76", "#958b80")
            case .border: ("#a58fb0", "#7d6a87")
            case .other: ("#7f7f7f", "#8c8c8c")
            }
        return theme == .light ? light : dark
    }
}
