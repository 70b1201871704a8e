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
    /// Answers the request with a tile as `/tiles` does.
    package let answer: @Sendable (Request, TileTarget) throws -> HandlerResult
    /// The archives that are served beside the styles.
    package let archives: [MapSource]

    /// The style of URLs without a style.
    static let defaultStyle = TileRequest.defaultStyle

    package init(
        context: HandlerContext, styles: @escaping @Sendable () -> StyleSheet, archives: [MapSource],
        answer: @escaping @Sendable (Request, TileTarget) throws -> HandlerResult
    ) {
        self.context = context
        self.styles = styles
        self.archives = archives
        self.answer = answer
    }

    /// The styles and the archives.
    var sources: [MapSource] { all.map(source) + archives }

    private func source(_ style: Style) -> MapSource {
        var source = MapSource(style.name, title: style.title, formats: style.tileFormats) { request, tile, format in
            try answer(
                request,
                TileTarget(
                    style: style.name, tile: tile, parameters: TileParameters(request.target),
                    encoding: format == .webp ? .webp : .png))
        }
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

extension Style {
    /// The formats that tiles of the style can have, the usual one first.
    var tileFormats: [TileFormat] { [.png, .webp] }
}

extension QueryParameter {
    /// The parameter as part of a query.
    var encoded: String { "\(PercentCoding.encode(name))=\(PercentCoding.encode(value))" }
}

extension APITag {
    static let protocols = APITag("protocols", "Tiles by the protocols WMTS, TMS and OGC API – Tiles")
}
