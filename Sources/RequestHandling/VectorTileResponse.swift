package import HTTPCore
import TileDrawing
package import TileMath
import VectorTiles

extension TileTarget {
    /// Reads `/tiles/{style}/{z}/{x}/{y}.mvt` with its parameters, as `init(_:)` reads the path of a picture.
    ///
    /// What only pictures have, such as ramps and themes, is ignored; differences of two windows are refused.
    package init(vector target: RequestTarget) throws(Problem) {
        let request = try Self.read(target, Self.vectorEnding)
        guard request.scale == .single else { throw Self.noSuchTile(of: request.style, ".mvt") }
        try self.init(vectorStyle: request.style, tile: request.tile, parameters: TileParameters(target))
    }

    /// A vector tile of a style with the parameters of a query, for protocols with paths of their own.
    package init(
        vectorStyle style: String, tile: TileCoordinate, parameters: TileParameters
    ) throws(Problem) {
        guard parameters.minus == nil else { throw Problem.badRequest(TileTarget.noDifferences) }
        self.init(
            TileRequest(style: style, selection: parameters.selection, tile: tile), revision: parameters.revision)
    }

    private static let vectorEnding = Array(".mvt".utf8)
    package static let noDifferences = "vector tiles show no differences; minus is for pictures"
}

extension Response {
    /// The response with a vector tile: `204` for an empty one, because a tile without layers is no file.
    package static func vectorTile(_ bytes: [UInt8], _ cacheControl: CacheControl) -> Response {
        var response = Response.content(bytes, type: VectorTile.mediaType)
        response.set(.cacheControl, cacheControl.description)
        return response
    }
}

extension OutgoingResponse {
    /// The answer with `204` instead of `200` if it has no body.
    package var withoutContentIfEmpty: OutgoingResponse {
        guard case .response(var response) = self, response.status == .ok, case .bytes(let bytes) = response.body,
            bytes.isEmpty
        else { return self }
        response.status = .noContent
        response.body = .empty
        response.headers.removeAll { $0.name == .contentType || $0.name == .contentTypeOptions }
        return .response(response)
    }
}
