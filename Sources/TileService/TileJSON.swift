import Foundation
import HTTPCore
package import Styling
import Text
import TileDrawing
package import TileMath

/// The TileJSON 3.0.0 description of a style's tiles.
package struct TileJSON: Encodable, Sendable {
    private let tilejson = "3.0.0"
    /// The schema requires this member for raster tiles too.
    private let vectorLayers: [String] = []
    private let scheme = "xyz"
    private let minzoom: Int
    private let maxzoom: Int
    /// Not in the specification, but read by MapLibre, which otherwise shows each tile in double size. It is the size on
    /// the map; tiles of double scale have twice as many pixels.
    private let tileSize = TileJSON.tilePixels
    let name: String
    let version: String?
    let attribution: String?
    let tiles: [String]
    let bounds: [Double]
    let center: [Double]

    private enum CodingKeys: String, CodingKey {
        case tilejson, name, version, attribution, scheme, tiles, minzoom, maxzoom, tileSize, bounds, center
        case vectorLayers = "vector_layers"
    }

    private static let tilePixels = 256

    /// A style's tiles of some zoom levels at `url`, within `box` (the world if nothing is drawn).
    package init(
        name: String, url: String, zooms: ClosedRange<Int> = 0...ZoomLevel.deepest.number, box: BoundingBox?,
        version: String, attribution: String? = nil
    ) {
        minzoom = zooms.lowerBound
        maxzoom = zooms.upperBound
        self.name = name
        self.attribution = attribution
        // The schema requires a semantic version or none.
        self.version = version.isEmpty ? nil : version
        tiles = [url]
        var extent = Extent(box)
        extent.limitZoom(to: zooms)
        bounds = extent.bounds.enumerated().map { Self.rounded($1, $0 < 2 ? .down : .up) }
        center = extent.center.map { Self.rounded($0) }
    }

    /// The name of the tiles of a layer in a style.
    package static func name(style: String, layer: String, in styles: StyleSheet) -> String {
        let title = styles[style]?.title ?? style
        return layer == TileRequest.defaultLayer ? title : "\(title): \(layer)"
    }

    /// The JSON, with a line break at its end.
    package var bytes: [UInt8] {
        get throws {
            guard case .bytes(let bytes) = try JSONResponse.response(self).body else { return [] }
            return bytes
        }
    }

    /// Rounds to 1e-5°, about a metre.
    private static func rounded(
        _ degrees: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> Double {
        (degrees * 1e5).rounded(rule) / 1e5
    }
}

/// The bounds and the initial position of a map.
private struct Extent {
    /// West, south, east, north.
    let bounds: [Double]
    /// Longitude, latitude, zoom level.
    private(set) var center: [Double]

    /// A map's usual width and height, in tiles.
    private static let tilesAcross = 3.0

    init(_ box: BoundingBox?) {
        guard let box else {
            let top = (BoundingBox.mercatorLatitude * 1e5).rounded(.down) / 1e5
            bounds = [-180, -top, 180, top]
            center = [0, 0, 0]
            return
        }
        // TileJSON has no boxes that cross 180°.
        bounds =
            box.crossesAntimeridian ? [-180, box.south, 180, box.north] : [box.west, box.south, box.east, box.north]
        let width = box.east - box.west + (box.crossesAntimeridian ? 360 : 0)
        let middle = box.west + width / 2
        let top = Self.mercator(box.north)
        let bottom = Self.mercator(box.south)
        let share = max(width / 360, (top - bottom) / (2 * .pi), 1e-7)
        let zoom = min(max(log2(Self.tilesAcross / share).rounded(.down), 0), Double(ZoomLevel.deepestGrid.number))
        center = [middle > 180 ? middle - 360 : middle, atan(sinh((top + bottom) / 2)) * 180 / .pi, zoom]
    }

    /// The initial zoom level has to be one of the tiles.
    mutating func limitZoom(to zooms: ClosedRange<Int>) {
        center[2] = min(max(center[2], Double(zooms.lowerBound)), Double(zooms.upperBound))
    }

    /// The y coordinate of web mercator, −π…π.
    private static func mercator(_ latitude: Double) -> Double {
        let limit = BoundingBox.mercatorLatitude
        return asinh(tan(min(max(latitude, -limit), limit) * .pi / 180))
    }
}

/// Answers `/tiles.json` and `/tiles/{style}.json`.
struct TileJSONHandler: Sendable {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Adds the routes.
    func add(to routes: inout RouterBuilder) {
        routes.on(.get, "/tiles.json", for: .read) { request, _ in
            try answer(request, style: TileRequest.defaultStyle)
        }
        routes.on(.get, "/tiles/{style}.json", for: .read) { request, path in
            try answer(request, style: path["style"] ?? "")
        }
    }

    /// The TileJSON of a style; the query is repeated in the tiles' URL.
    private func answer(_ request: Request, style name: String) throws -> HandlerResult {
        let serverStatus = context.status
        try serverStatus.checkReadiness()
        let parameters = try TileParameters(request.target)
        let scale = try Self.scale(request)
        let layer = parameters.selection.layer
        try context.renderer.check(
            TileRequest(style: name, layer: layer, tile: TileCoordinate(northWestOf: .deepestGrid)))
        let url = try url(request, style: name, scale, revision: serverStatus.revision)
        let selection = parameters.selection
        guard !selection.isWholeLayer || layer != TileSelection.defaultLayer else {
            return .ready(
                validated(try response(style: name, layer: layer, url: url, box: serverStatus.bounds), for: request))
        }
        return context.queues.reading.answerCancellably { isDisconnected in
            let box = try context.renderer.bounds(
                of: selection, everywhere: serverStatus.bounds, isCancelled: isDisconnected)
            return validated(try response(style: name, layer: layer, url: url, box: box), for: request)
        }
    }

    /// The parameter `scale`: 2 for tiles of double size, for high-resolution screens.
    private static func scale(_ request: Request) throws(Problem) -> TileScale {
        try QueryParameters(request.target, ["scale"]).value("scale", "1 or 2") {
            ["1": TileScale.single, "2": .double][$0]
        } ?? .single
    }

    private func response(style name: String, layer: String, url: String, box: BoundingBox?) throws -> Response {
        let value = TileJSON(
            name: TileJSON.name(style: name, layer: layer, in: context.renderer.styles),
            url: url, box: box,
            version: context.configuration.version, attribution: context.configuration.attribution)
        return try JSONResponse.response(value)
    }

    /// The parameters that are repeated in the URL of a style's tiles.
    static let repeated: Set<String> = [
        "layer", "from", "to", "asof", "minus", "ramp", "theme", "span", "track", "marks",
        RequestTarget.secretParameter,
    ]

    /// The URL of a style's tiles, with some parameters of the request's query and the revision, if the tiles have one.
    func url(
        _ request: Request, style: String, _ scale: TileScale = .single, revision: String? = nil,
        repeating names: Set<String> = TileJSONHandler.repeated
    ) throws -> String {
        var query = try request.target.parameters().filter { names.contains($0.name) }
        if let revision { query.append(QueryParameter(name: "v", value: revision)) }
        let file = scale == .double ? "{y}@2x.png" : "{y}.png"
        return "\(context.configuration.base(for: request))/tiles/\(style)/{z}/{x}/\(file)"
            + (query.isEmpty ? "" : "?")
            + query.map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    }
}
