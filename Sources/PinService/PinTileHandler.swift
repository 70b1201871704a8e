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
    let cache: PinIndexCache
    let layers: PinLayers

    func add(to routes: inout Routes) {
        routes.on(.get, "/tiles/pins/**.png", for: .read, as: Self.pinTile, picture)
        routes.on(.get, "/tiles/pins.json", for: .read, as: Self.pinTileJSON, description)
        routes.on(.get, "/tiles/pins/{z}/{x}/{y}.json", for: .read, as: Self.pinTileContent, content)
    }

    private func picture(_ request: Request) throws -> HandlerResult {
        let target = try TileTarget(request.target, name: Self.name).request
        let parameters = try PinParameters(request.target)
        return context.queues.drawing.answer {
            let (snapshot, selection) = try selection(parameters)
            let tile = snapshot.index.tile(target.tile, selection)
            let digest = Self.digest(tile, target.scale, target.theme)
            return try validated(.png([]), for: request, tag: ETag(digest)) {
                try cache.picture(digest) {
                    var picture = PinPicture()
                    return try picture.png(tile, scale: target.scale, theme: target.theme)
                }
            }
        }
    }

    /// The name in the path. No style may have it.
    private static let name = "pins"
    private static let repeated: Set<String> = [
        "category", "from", "to", "hours", "months", "source", "person", "layer", "theme",
        RequestTarget.secretParameter,
    ]

    /// The TileJSON of the tiles, with the bounds of the pins; the query is repeated in the tiles' URL.
    private func description(_ request: Request) throws -> HandlerResult {
        let parameters = try PinParameters(request.target)
        // What tiles would refuse is refused here, too.
        _ = try TileParameters(request.target)
        let url = try context.tiles.url(request, style: Self.name, repeating: Self.repeated)
        return context.queues.reading.answer {
            let (snapshot, selection) = try selection(parameters)
            let box = snapshot.index.bounds(selection).flatMap {
                BoundingBox(west: $0.west, south: $0.south, east: $0.east, north: $0.north)
            }
            let description = context.tiles.description(name: "Pins", url: url, box: box)
            return validated(try JSONResponse.response(description), for: request)
        }
    }

    private func content(_ request: Request) throws -> HandlerResult {
        let tile = try TileTarget.tile(request.target, name: Self.name, ending: ".json")
        let parameters = try PinParameters(request.target)
        return context.queues.drawing.answer {
            let (snapshot, selection) = try selection(parameters)
            let index = snapshot.index
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

    private func selection(_ parameters: PinParameters) throws -> (PinIndexCache.Snapshot, PinIndex.Selection) {
        let snapshot = try cache.current(now: TrackDatabase.systemClock())
        return (snapshot, snapshot.index.selection(try parameters.filter(snapshot.calendar, layers)))
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

    private static let theme = APIParameter.theme("For light or for dark maps")

    private static let pinTile = APIOperation.tiles(
        "pins", "a tile of pins", .pins, detail: "Bubbles with the number of their pins, and pins that are alone.",
        parameters: .pins + [theme], answer: "The picture")

    private static let pinTileJSON = APIOperation(
        "the TileJSON of pins", .pins, detail: "With the bounds of the pins.", parameters: .pins + [theme],
        answers: .tileJSON, traits: [.canBeMissing, .hasETag])

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
