import Digest
import HTTPCore
import MapProtocols
import OpenAPI
import PNG
import RequestHandling
import Text
package import TileArchive
import TileMath

/// An archive that a server gives back as tiles of its own name.
package struct ServedArchive: Sendable {
    /// The name in the path. No style has it.
    package let name: String
    package let reader: any TileArchiveReader
    /// Tells versions of the file apart.
    package let stamp: String

    package init(name: String, reader: any TileArchiveReader, stamp: String = "") {
        self.name = name
        self.reader = reader
        self.stamp = stamp
    }

    /// What people call it.
    var title: String { reader.description.name ?? name }
}

/// Answers `/tiles/{name}/{z}/{x}/{y}.{ending}` and `/tiles/{name}.json` of an archive.
struct ArchiveHandler: RequestHandler {
    private let archive: ServedArchive
    private let context: HandlerContext
    private let about: ArchiveDescription
    private let memory = ArchiveTileMemory()
    private let damage: DamageReport

    init(_ archive: ServedArchive, context: HandlerContext) {
        self.archive = archive
        self.context = context
        about = archive.reader.description
        damage = DamageReport(context.report)
    }

    private var ending: String { "." + about.format.rawValue }

    func add(to routes: inout Routes) {
        let kind = about.format.isRaster ? "picture" : "vector tile"
        routes.on(
            .get, "/tiles/\(archive.name)/**\(ending)", for: .read,
            as: APIOperation(
                "a \(kind) of the archive \(archive.name)", .tiles,
                detail: "Zoom levels \(about.zooms.lowerBound) to \(about.zooms.upperBound). "
                    + (about.format.isRaster
                        ? "A tile that the archive does not have is transparent, and a PNG."
                        : "204 for a tile that the archive does not have."),
                parameters: .tile,
                answers: [APIResponse("The tile", APIContent(about.format.mediaType))],
                traits: [.canBeMissing, .hasETag]
            ).at(["/tiles/\(archive.name)/{z}/{x}/{y}\(ending)"])
        ) { request, _ in try tile(request) }
        routes.on(
            .get, "/tiles/\(archive.name).json", for: .read,
            as: APIOperation(
                "the TileJSON of the archive \(archive.name)", .tiles, answers: .tileJSON, traits: .hasETag)
        ) { request, _ in try tileJSON(request) }
    }

    /// The archive as protocols for maps offer it.
    var source: MapSource {
        var source = MapSource(archive.name, title: archive.title, formats: [about.format]) { request, _, tile, _ in
            try self.tile(tile, request)
        }
        source.zooms = about.zooms
        source.bounds = about.bounds
        source.attribution = about.attribution
        source.vectorLayers = about.layerNames
        source.takesParameters = false
        return source
    }

    // MARK: Tiles

    private func tile(_ request: Request) throws -> HandlerResult {
        try tile(TileTarget.tile(request.target, name: archive.name, ending: ending), request)
    }

    private func tile(_ tile: TileCoordinate, _ request: Request) throws -> HandlerResult {
        guard about.zooms.contains(tile.zoom.number) else {
            throw Problem.notFound(
                "this archive has zoom levels \(about.zooms.lowerBound) to \(about.zooms.upperBound)")
        }
        if let answer = memory.find(tile, request) { return .ready(answer) }
        return context.queues.reading.answer {
            let answer = try answer(tile, to: request)
            memory.store(answer, tile, request)
            return answer
        }
    }

    private func answer(_ tile: TileCoordinate, to request: Request) throws -> OutgoingResponse {
        guard let stored = try read(tile) else { return absent(request) }
        var response = content(about.format.mediaType, request)
        guard stored.isGzipped else {
            response.body = .bytes(stored.bytes)
            return validated(response, for: request)
        }
        // The tile is sent as it is stored, or without its compression, and each form has a tag of its own.
        response.vary(by: "Accept-Encoding")
        let tag = ETag(ContentDigest(of: stored.bytes))
        let isSentGzipped = request.acceptsGzip
        let reply = try validated(response, for: request, tag: tag) {
            isSentGzipped ? stored.bytes : try decompressed(stored)
        }
        guard case .response(var sent) = reply else { return reply }
        if sent.status == .notModified {
            // The client's own tag says which form it has.
            let hasGzipped = request.headers[.ifNoneMatch]?.contains(tag.compressed.description) == true
            if hasGzipped || request.acceptsAnyTag && isSentGzipped { sent.set(.eTag, tag.compressed.description) }
        } else if isSentGzipped {
            sent.set(.contentEncoding, "gzip")
            sent.set(.eTag, tag.compressed.description)
        }
        return .response(sent)
    }

    /// What the archive does not have: an empty picture, as tiles of styles without data are; no vector tile.
    private func absent(_ request: Request) -> OutgoingResponse {
        guard about.format.isRaster else {
            var response = content(about.format.mediaType, request)
            response.headers.removeAll { $0.name == .contentType }
            response.status = .noContent
            return .response(response)
        }
        var response = content("image/png", request)
        response.body = .bytes(EmptyPicture.tile)
        return validated(response, for: request)
    }

    private func content(_ type: String, _ request: Request) -> Response {
        var response = Response.content([], type: type)
        let cacheControl = context.tiles.cacheControl(request.audience, isCurrent: false)
        response.set(.cacheControl, cacheControl.description)
        return response
    }

    private func read(_ tile: TileCoordinate) throws -> StoredTile? {
        do { return try archive.reader.tile(tile) } catch { throw failure(error) }
    }

    private func decompressed(_ tile: StoredTile) throws -> [UInt8] {
        do { return try tile.decompressed() } catch { throw failure(error) }
    }

    /// Clients learn nothing of the file.
    private func failure(_ error: any Error) -> Problem {
        damage.make(error)
        return Problem(.internalServerError, "the archive of this tile is damaged")
    }

    // MARK: TileJSON

    private func tileJSON(_ request: Request) throws -> HandlerResult {
        let url = try context.tiles.url(
            request, style: archive.name, repeating: [RequestTarget.secretParameter], ending: ending)
        return .ready(validated(JSONResponse.response(bytes: json(url)), for: request))
    }

    private func json(_ url: String) -> [UInt8] {
        let extent = MapExtent(about.bounds, zooms: about.zooms)
        var json = JSONWriter()
        json.object { json in
            json.add("tilejson", "3.0.0")
            json.add("name", archive.title)
            if let description = about.description { json.add("description", description) }
            if let attribution = about.attribution { json.add("attribution", attribution) }
            if let version = about.version, version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil {
                json.add("version", version)
            }
            json.add("scheme", "xyz")
            json.array("tiles", [url]) { $0.add($1) }
            json.add("minzoom", about.zooms.lowerBound)
            json.add("maxzoom", about.zooms.upperBound)
            json.array("bounds", extent.bounds) { $0.add($1) }
            let center = about.center.map { [$0.longitude, $0.latitude, Double($0.zoom)] } ?? extent.center
            json.array("center", center) { $0.add($1) }
            if about.format.isRaster { json.add("tileSize", Self.tilePixels) }
            json.array("vector_layers", about.vectorLayers) { $0.add($1) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// The size of a picture on the map, which MapLibre otherwise takes to be 512.
    private static let tilePixels = 256
}
