package import HTTPCore
import OpenAPI
package import RequestHandling
package import Styling
import Text
import TileArchive
import TileDrawing

/// The tiles of styles, as protocols for maps offer them: each style is a layer of the protocol.
package struct StyleTiles: Sendable {
    package let context: HandlerContext
    /// The styles of the server, as they are now.
    package let styles: @Sendable () -> StyleSheet
    /// Answers the request with a picture as `/tiles` does.
    package let picture: @Sendable (Request, TileTarget) throws -> HandlerResult
    /// Answers the request with a vector tile as `/tiles` does.
    package let vectorTile: @Sendable (Request, TileTarget) throws -> HandlerResult
    /// The archives that are served beside the styles.
    package let archives: [MapSource]

    /// The formats that tiles of styles can have, the usual one first.
    private static let formats: [TileFormat] = [.png, .webp, .mvt]

    /// The style of URLs without a style.
    static let defaultStyle = TileRequest.defaultStyle

    package init(
        context: HandlerContext, styles: @escaping @Sendable () -> StyleSheet, archives: [MapSource],
        picture: @escaping @Sendable (Request, TileTarget) throws -> HandlerResult,
        vectorTile: @escaping @Sendable (Request, TileTarget) throws -> HandlerResult
    ) {
        self.context = context
        self.styles = styles
        self.archives = archives
        self.picture = picture
        self.vectorTile = vectorTile
    }

    /// The styles and the archives.
    var sources: [MapSource] { all.map(source) + archives }

    /// Those of which tiles are pictures.
    var pictureSources: [MapSource] { sources.filter { !$0.formats(.map).isEmpty } }

    /// The style or archive with a name; nil if there is none. Each tile asks for it, so the other ones are not made.
    func source(named name: String) -> MapSource? {
        styles()[name].map(source) ?? archives.first { $0.name == name }
    }

    /// As the other function, if it has pictures.
    func pictureSource(named name: String) -> MapSource? {
        source(named: name).flatMap { $0.formats(.map).isEmpty ? nil : $0 }
    }

    private func source(_ style: Style) -> MapSource {
        var source = MapSource(style.name, title: style.title, formats: Self.formats) {
            request, parameters, tile, format in
            if format == .mvt {
                return try vectorTile(
                    request, TileTarget(vectorStyle: style.name, tile: tile, parameters: parameters))
            }
            return try picture(
                request,
                TileTarget(
                    style: style.name, tile: tile, parameters: parameters, encoding: format == .webp ? .webp : .png))
        }
        source.vectorLayers = [VectorTrackTile.layerName]
        source.bounds = context.status.bounds
        source.attribution = context.tiles.attribution
        return source
    }

    /// The styles, sorted by name.
    var all: [Style] {
        let styles = styles()
        return styles.names.compactMap { styles[$0] }
    }

    /// The query that links to tiles repeat: how they look, which tracks and time they show, and the token.
    func repeatedQuery(_ request: Request) throws(Problem) -> String {
        try Self.query(of: request, TileSettings.repeated)
    }

    /// The token as a query.
    func secretQuery(_ request: Request) throws(Problem) -> String {
        try Self.query(of: request, [RequestTarget.secretParameter])
    }

    private static func query(of request: Request, _ names: Set<String>) throws(Problem) -> String {
        try request.target.parameters().filter { names.contains($0.name) }.map(\.encoded).joined(separator: "&")
    }

    /// An XML document that clients may revalidate.
    static func answer(_ document: XMLDocument, to request: Request) -> HandlerResult {
        .ready(validated(.content(document.bytes, type: "application/xml"), for: request))
    }
}

extension QueryParameter {
    /// The parameter as part of a query.
    var encoded: String { "\(PercentCoding.encode(name))=\(PercentCoding.encode(value))" }
}

extension APITag {
    static let protocols = APITag("protocols", "Tiles by the protocols WMTS, TMS and OGC API – Tiles")
}
