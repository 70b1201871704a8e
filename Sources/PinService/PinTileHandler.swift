import Digest
import HTTPCore
import OpenAPI
import Pins
import PrimaryStore
import RequestHandling
import Styling
import Text
import TileDrawing
import TileMath
import TileRendering

/// Answers tiles of pins: `/tiles/pins/{z}/{x}/{y}.png`, and `.json` with what lies where.
///
/// A tile is a few hundred numbers, which are computed before its ETag is known; the picture is drawn only for a
/// client that does not have it.
struct PinTileHandler: RequestHandler {
    let context: HandlerContext
    let overlay: PinOverlay

    func add(to routes: inout Routes) {
        routes.add(overlay, context)
        routes.on(.get, "/tiles/pins/{z}/{x}/{y}.json", for: .read, as: Self.pinTileContent, content)
    }

    private func content(_ request: Request) throws -> HandlerResult {
        let tile = try TileTarget.tile(request.target, name: PinOverlay.name, ending: ".json")
        let parameters = try overlay.query(request)
        return context.queues.drawing.answer {
            let (index, selection) = try overlay.content(parameters)
            let found = index.tile(tile, selection)
            var object = JSONObject()
            let single = found.pins.map { Self.json($0.x, $0.y, 1, index.id(of: $0).map { [$0] } ?? []) }
            let clusters = found.clusters.map { Self.json($0.x, $0.y, $0.count, index.ids(of: $0, selection)) }
            object.add("bubbles", objects: clusters + single)
            return validated(JSONResponse.response(object), for: request)
        }
    }

    /// `px` has hundredths of a pixel: more than a screen shows.
    private static func json(_ x: Double, _ y: Double, _ count: Int, _ ids: [PinID]) -> JSONObject {
        var object = JSONObject()
        object.add("px", numbers: [x, y].map { ($0 * 100).rounded() / 100 })
        object.add("count", count)
        object.add("pins", ids.map(\.description))
        return object
    }

    private static let pinTileContent = APIOperation(
        "what lies where in a tile of pins", .pins,
        detail: "Pixels from the north-western corner; up to 100 ids for each bubble, the newest first.",
        parameters: .tile + .pins,
        answers: [APIResponse("The bubbles and pins", .json(.object([("bubbles", .list(bubble))])))],
        traits: [.canBeMissing, .hasETag])

    private static let bubble = APISchema.object([
        ("px", .list(.number(0...256), limit: 2)), ("count", .integer(1...Int.max)),
        ("pins", .list(.text(), limit: 100)),
    ])
}

/// The tiles `/tiles/pins/…`.
struct PinOverlay: Overlay {
    static let name = "pins"

    let cache: PinIndexCache
    let layers: PinLayers

    var description: OverlayDescription {
        var about = OverlayDescription(
            Self.name, "Pins", of: "pins", .pins, .pins + [.theme("For light or for dark maps")])
        about.summary = "a tile of pins"
        about.detail = "Bubbles with the number of their pins, and pins that are alone."
        // Pins also change by votes and when they expire.
        about.dependsOnMap = false
        about.vectorLayers = [PinVectorTile.description]
        about.vectorDetail =
            "With the layer `pins`: the same bubbles and pins as in the picture. 204 for a tile without pins."
        return about
    }

    func query(_ request: Request) throws(Problem) -> PinParameters { try PinParameters(request.target) }

    func content(_ parameters: PinParameters) throws -> (index: PinIndex, selection: PinIndex.Selection) {
        let snapshot = try cache.current(now: TrackDatabase.systemClock())
        return (snapshot.index, snapshot.index.selection(try parameters.filter(snapshot.calendar, layers)))
    }

    /// The bounds of the pins.
    func bounds(
        _ content: (index: PinIndex, selection: PinIndex.Selection), _ status: ServerStatus
    ) -> BoundingBox? {
        content.index.bounds(content.selection).flatMap {
            BoundingBox(west: $0.west, south: $0.south, east: $0.east, north: $0.north)
        }
    }

    func picture(
        _ request: TileRequest, of content: (index: PinIndex, selection: PinIndex.Selection)
    ) throws -> OverlayPicture {
        let tile = content.index.tile(request.tile, content.selection)
        let digest = Self.digest(tile, request.scale, request.theme)
        return .planned(digest, cached: cache.picture(digest)) {
            try cache.picture(digest) {
                var picture = PinPicture()
                return try picture.png(tile, scale: request.scale, theme: request.theme)
            }
        }
    }

    func vectorTile(
        _ tile: TileCoordinate, of content: (index: PinIndex, selection: PinIndex.Selection)
    ) throws -> OverlayVectorTile {
        let vectorTile = PinVectorTile(content.index.tile(tile, content.selection), content.index)
        return OverlayVectorTile(vectorTile.digest) { vectorTile.bytes }
    }

    /// A digest of everything that the picture shows.
    private static func digest(_ tile: PinTile, _ scale: TileScale, _ theme: Theme) -> ContentDigest {
        var digester = Digester()
        digester.update("pins")
        digester.update(PinPicture.version)
        digester.update(scale.rawValue)
        digester.update(theme.rawValue)
        digester.update(tile.clusters.count)
        for cluster in tile.clusters {
            digester.update(cluster.x.bitPattern)
            digester.update(cluster.y.bitPattern)
            digester.update(cluster.count)
        }
        for pin in tile.pins + tile.neighbours {
            digester.update(pin.x.bitPattern)
            digester.update(pin.y.bitPattern)
        }
        return digester.finish()
    }
}
