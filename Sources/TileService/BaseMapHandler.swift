import BaseMap
import Caching
import Digest
import HTTPCore
import OpenAPI
import RequestHandling
import Styling
import Text
import TileDrawing
import TileMath

/// Answers `/tiles/base/{z}/{x}/{y}.png` and `/tiles/base.json`: land, water, borders, names, and the streets of an archive,
/// below or above other tiles. They do not depend on the library.
struct BaseMapHandler: RequestHandler {
    /// The name in the path. No style may have it.
    static let name = "base"

    private struct Key: Hashable, Sendable {
        var tile: TileCoordinate
        var scale: TileScale
        var content: BaseMap.Content
        var theme: Theme
        var language: String?
    }

    private struct Tile: Sendable {
        var eTag: ETag
        var byteCount: Int
        var response: PreparedResponse

        func reply(to request: Request) -> OutgoingResponse {
            request.alreadyHas(eTag) ? .notModified(response) : .prepared(response)
        }
    }

    /// Some thousand tiles with streets.
    private static let cacheBytes = 64 << 20
    /// Tiles change with versions of the program and of the archive only.
    private static let freshSeconds = 86_400

    let context: HandlerContext
    let audience: CacheControl.Audience
    let map: any MapBackground
    private let tiles = SharedCache<Key, Tile>(costLimit: cacheBytes)

    func add(to routes: inout Routes) {
        routes.on(.get, "/tiles/\(Self.name)/**.png", for: .read, as: Self.baseMapTile, tile)
        routes.on(.get, "/tiles/\(Self.name).json", for: .read, as: Self.baseMap) { request, _ in
            try description(of: request)
        }
    }

    private func tile(_ request: Request) throws -> HandlerResult {
        let target = try TileTarget(request.target, name: Self.name)
        let key = Key(
            tile: target.request.tile, scale: target.request.scale, content: try Self.content(request.target),
            theme: target.request.theme, language: try Self.language(request.target))
        if let known = tiles.find(key) { return .ready(known.reply(to: request)) }
        return context.queues.drawing.answer { [self] in
            try tiles.value(for: key, cost: { $0.byteCount }) { try draw(key) }.reply(to: request)
        }
    }

    private func draw(_ key: Key) throws -> Tile {
        let bytes = try map.png(
            of: MapView(key.tile, key.scale), key.content, theme: key.theme, language: key.language)
        let eTag = ETag(ContentDigest(of: bytes))
        let response = PreparedResponse(
            .png(bytes, tag: eTag, CacheControl(audience, .seconds(Self.freshSeconds))))
        return Tile(eTag: eTag, byteCount: bytes.count, response: response)
    }

    /// The parameter `show`.
    private static func content(_ target: RequestTarget) throws(Problem) -> BaseMap.Content {
        try QueryParameters(target, ["lang", "show"]).choice("show") ?? .all
    }

    /// The parameter `lang`, without a region.
    private static func language(_ target: RequestTarget) throws(Problem) -> String? {
        try QueryParameters(target, ["lang", "show"]).value("lang", "a language, such as 'de'") { text in
            let language = text.prefix { $0 != "-" }.lowercased()
            let isCode = (2...3).contains(language.count) && language.allSatisfy { $0.isASCII && $0.isLetter }
            return isCode ? language : nil
        }
    }

    private func description(of request: Request) throws -> HandlerResult {
        let parameters = try TileParameters(request.target)
        let content = try Self.content(request.target)
        let language = try Self.language(request.target).map { "&lang=\($0)" } ?? ""
        let secret = try request.target.parameters().filter { $0.name == RequestTarget.secretParameter }.map {
            "&\($0.name)=\(PercentCoding.encode($0.value))"
        }
        let url =
            "\(context.tiles.base(for: request))/tiles/\(Self.name)/{z}/{x}/{y}.png?"
            + "theme=\(parameters.theme.rawValue)&show=\(content.rawValue)" + language + secret.joined()
        return try JSONResponse.answer(
            context.tiles.description(name: "Base map", url: url, box: nil, attribution: map.attribution), to: request)
    }

    private static let parameters = [
        .theme("For light or for dark maps"),
        APIParameter(
            "show", .words(of: BaseMap.Content.self, default: .all),
            "`land` without names, or only `names` on a transparent background"),
        APIParameter(
            "lang", .pattern("^[A-Za-z]{2,3}(-.*)?$"),
            "The language of names, where the archive of the base map knows them in it; the local ones without it"),
    ]

    private static let baseMapTile = APIOperation.tiles(
        Self.name, "a tile of the base map", .tiles,
        detail: "Land, water, borders and names from Natural Earth, generalised for zoom levels 0 to 8; deeper tiles "
            + "enlarge these outlines. From zoom level 6 on, streets of an archive with vector tiles where it has them.",
        parameters: parameters)

    private static let baseMap = APIOperation(
        "the TileJSON of the base map", .tiles, parameters: parameters, answers: .tileJSON, traits: .hasETag)
}
