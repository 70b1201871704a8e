package import HTTPCore
package import OpenAPI
import TileMath

/// A layer of vector tiles, as `vector_layers` of TileJSON describes it.
package struct VectorLayerDescription: Encodable, Sendable {
    package let id: String
    let description: String
    let minzoom: Int
    let maxzoom: Int
    /// What the attributes are, by their names.
    let fields: [String: String]

    package init(
        _ id: String, _ description: String, zooms: ClosedRange<Int> = 0...ZoomLevel.deepest.number,
        _ fields: [(String, String)]
    ) {
        self.id = id
        self.description = description
        minzoom = zooms.lowerBound
        maxzoom = zooms.upperBound
        self.fields = Dictionary(fields, uniquingKeysWith: { first, _ in first })
    }
}

/// Which tiles a TileJSON describes: the parameter `format`.
package enum TileJSONFormat: String, CaseIterable, Sendable {
    case png
    case mvt

    package init(_ target: RequestTarget) throws(Problem) {
        self = try QueryParameters(target, ["format"]).choice("format") ?? .png
    }

    package var ending: String { "." + rawValue }
}

extension APIParameter {
    package static let tileFormat = APIParameter(
        "format", .choice(["png", "mvt"], default: "png"), "`mvt` for vector tiles, with their `vector_layers`")
}
