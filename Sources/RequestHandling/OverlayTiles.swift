import Caching
package import Digest
package import HTTPCore
package import OpenAPI
package import TileDrawing
package import TileMath

/// Tiles that are drawn by code of their own, instead of by a style: visited tiles, countries, pins. They have the
/// routes `/tiles/NAME/{z}/{x}/{y}[@2x].png` and `/tiles/NAME.json`, which `Routes.add(_:_:)` adds.
package protocol Overlay: Sendable {
    /// What the parameters of a request select.
    associatedtype Query: Sendable
    /// What the tiles of a query show.
    associatedtype Content

    var description: OverlayDescription { get }

    /// Reads the parameters, before anything waits. Malformed ones are a `400`.
    func query(_ request: Request) throws(Problem) -> Query

    /// Finds what all tiles of a query show, on a queue. What does not exist, such as a layer, is a `404`.
    func content(_ query: Query) throws -> Content

    /// The box of what is shown; nil for the world. The default is the box of all tracks.
    func bounds(_ content: Content, _ status: ServerStatus) -> BoundingBox?

    /// A tile of the content. The style and the selection of the request are not used.
    func picture(_ tile: TileRequest, of content: Content) throws -> OverlayPicture

    /// A vector tile of the content; only for overlays whose description has `vectorLayers`.
    func vectorTile(_ tile: TileCoordinate, of content: Content) throws -> OverlayVectorTile
}

/// A vector tile. The digest of everything that it contains is known before it is made.
package struct OverlayVectorTile {
    let digest: ContentDigest
    let bytes: () throws -> [UInt8]

    package init(_ digest: ContentDigest, bytes: @escaping () throws -> [UInt8]) {
        self.digest = digest
        self.bytes = bytes
    }
}

extension Overlay {
    package func bounds(_ content: Content, _ status: ServerStatus) -> BoundingBox? { status.bounds }

    package func vectorTile(_ tile: TileCoordinate, of content: Content) throws -> OverlayVectorTile {
        preconditionFailure("an overlay without vectorLayers has no vector tiles")
    }
}

/// The picture of a tile.
package enum OverlayPicture {
    /// A digest of everything that the picture shows is known before it is drawn: it is drawn only for a client that
    /// does not have it, unless it is cached.
    case planned(ContentDigest, cached: [UInt8]? = nil, draw: () throws -> [UInt8])
    /// A picture whose digest is that of its bytes.
    case drawn([UInt8])
}

/// What clients are told about an overlay.
package struct OverlayDescription: Sendable {
    /// The name in the path. No style may have it.
    package let name: String
    package let title: String
    /// What tiles show, in the summaries of the operations: `pins`.
    package let subject: String
    package let tag: APITag
    /// The parameters of both routes. TileJSON repeats them in the URL of the tiles.
    package let parameters: [APIParameter]
    /// The summary and the details of the operation of tiles.
    package var summary: String
    package var detail = ""
    /// Zoom levels that have tiles of their own.
    package var zooms = 0...ZoomLevel.deepest.number
    /// Used instead of the attribution of the map.
    package var attribution: String?
    /// Whether a tile is the same as long as the map has the same revision. There are no tiles before there is a map.
    package var dependsOnMap = true
    /// What vector tiles contain; without layers, there are none.
    package var vectorLayers: [VectorLayerDescription] = []
    /// What the operation of vector tiles says besides its summary.
    package var vectorDetail = ""
    /// The names of parameters that vector tiles do not have.
    package var parametersOfPictures: Set<String> = ["theme"]

    package init(_ name: String, _ title: String, of subject: String, _ tag: APITag, _ parameters: [APIParameter]) {
        self.name = name
        self.title = title
        self.subject = subject
        self.tag = tag
        self.parameters = parameters
        summary = subject
    }
}

extension Routes {
    /// Adds the routes of an overlay; `file` is that of its handler.
    package mutating func add(_ overlay: some Overlay, _ context: HandlerContext, file: String = #fileID) {
        let tiles = OverlayTiles(overlay: overlay, context: context)
        let about = overlay.description
        on(
            .get, "/tiles/\(about.name)/**.png", for: .read,
            as: .tiles(about.name, about.summary, about.tag, detail: about.detail, parameters: about.parameters),
            file: file
        ) { request, _ in try tiles.tile(request) }
        if !about.vectorLayers.isEmpty {
            on(
                .get, "/tiles/\(about.name)/**.mvt", for: .read,
                as: APIOperation(
                    "a vector tile of \(about.subject)", about.tag, detail: about.vectorDetail,
                    parameters: .tile + about.parameters.filter { !about.parametersOfPictures.contains($0.name) },
                    answers: .vectorTile, traits: [.canBeMissing, .hasETag]
                ).at(["/tiles/\(about.name)/{z}/{x}/{y}.mvt"]), file: file
            ) { request, _ in try tiles.vectorTile(request) }
        }
        on(
            .get, "/tiles/\(about.name).json", for: .read,
            as: APIOperation(
                "the TileJSON of \(about.subject)", about.tag,
                parameters: (about.vectorLayers.isEmpty ? [] : [.tileFormat]) + about.parameters, answers: .tileJSON,
                traits: [.canBeMissing, .hasETag]), file: file
        ) { request, _ in try tiles.tileJSON(request) }
    }
}

/// Answers the requests for the tiles of an overlay.
private struct OverlayTiles<Source: Overlay>: Sendable {
    let overlay: Source
    let context: HandlerContext

    private var about: OverlayDescription { overlay.description }

    private func checkReadiness() throws(Problem) {
        if about.dependsOnMap { try context.checkReadiness() }
    }

    func tile(_ request: Request) throws -> HandlerResult {
        let target = try TileTarget(request.target, name: about.name)
        try checkReadiness()
        let query = try overlay.query(request)
        // Checked before and after drawing, during which the map may change.
        let wasCurrent = isCurrent(target.revision)
        return context.queues.drawing.answer {
            let start = ContinuousClock.now
            let content = try overlay.content(query)
            var timing = TileTiming(grid: ContinuousClock.now.milliseconds(since: start))
            let drawing = ContinuousClock.now
            let tag: ETag
            var bytes: [UInt8]
            var cached: [UInt8]?
            switch try overlay.picture(target.request, of: content) {
            case .planned(let digest, let known, let draw):
                (tag, cached) = (ETag(digest), known)
                bytes = request.alreadyHas(tag) ? [] : try known ?? draw()
            case .drawn(let drawn): (tag, bytes) = (ETag(ContentDigest(of: drawn)), drawn)
            }
            timing.draw = ContinuousClock.now.milliseconds(since: drawing)
            let isCurrent = wasCurrent && isCurrent(target.revision)
            var response = Response.png([], context.tiles.cacheControl(request.audience, isCurrent: isCurrent))
            response.set(.serverTiming, cached == nil ? timing.header : TileTiming.cachedHeader)
            response.cacheResult = cached == nil ? .miss : .hit
            return validated(response, for: request, tag: tag) { bytes }
        }
    }

    func vectorTile(_ request: Request) throws -> HandlerResult {
        let tile = try TileTarget.tile(request.target, name: about.name, ending: ".mvt")
        let parameters = try TileParameters(request.target)
        try checkReadiness()
        let query = try overlay.query(request)
        let wasCurrent = isCurrent(parameters.revision)
        return context.queues.drawing.answer {
            let vectorTile = try overlay.vectorTile(tile, of: overlay.content(query))
            let isCurrent = wasCurrent && isCurrent(parameters.revision)
            var response = Response.vectorTile([], context.tiles.cacheControl(request.audience, isCurrent: isCurrent))
            response.cacheResult = .miss
            return try validated(response, for: request, tag: ETag(vectorTile.digest), body: vectorTile.bytes)
                .withoutContentIfEmpty
        }
    }

    private func isCurrent(_ revision: String?) -> Bool {
        about.dependsOnMap && revision.map(context.isCurrent) ?? false
    }

    /// The TileJSON; the query is repeated in the tiles' URL. What tiles would refuse is refused here, too.
    func tileJSON(_ request: Request) throws -> HandlerResult {
        try checkReadiness()
        let status = context.status
        _ = try TileParameters(request.target)
        let isVector = try !about.vectorLayers.isEmpty && TileJSONFormat(request.target) == .mvt
        let query = try overlay.query(request)
        let repeated = about.parameters.map(\.name) + ["asof", RequestTarget.secretParameter]
        let url = try context.tiles.url(
            request, style: about.name, revision: about.dependsOnMap ? status.revision : nil, repeating: Set(repeated),
            ending: (isVector ? TileJSONFormat.mvt : .png).ending)
        return context.queues.reading.answer {
            let box = overlay.bounds(try overlay.content(query), status)
            return validated(
                try JSONResponse.response(
                    context.tiles.description(
                        name: about.title, url: url, zooms: about.zooms, box: box, attribution: about.attribution,
                        vectorLayers: isVector ? about.vectorLayers : [])),
                for: request)
        }
    }
}
