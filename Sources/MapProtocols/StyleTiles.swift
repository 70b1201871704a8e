package import HTTPCore
import OpenAPI
package import RequestHandling
package import Styling
import Text

/// The tiles of styles, as protocols for maps offer them: each style is a layer of the protocol.
package struct StyleTiles: Sendable {
    package let context: HandlerContext
    /// The styles of the server, as they are now.
    package let styles: @Sendable () -> StyleSheet
    /// Answers the request with a tile as `/tiles` does.
    package let answer: @Sendable (Request, TileTarget) throws -> HandlerResult

    package init(
        context: HandlerContext, styles: @escaping @Sendable () -> StyleSheet,
        answer: @escaping @Sendable (Request, TileTarget) throws -> HandlerResult
    ) {
        self.context = context
        self.styles = styles
        self.answer = answer
    }

    /// The styles, sorted by name.
    var all: [Style] {
        let styles = styles()
        return styles.names.compactMap { styles[$0] }
    }

    /// The query that links to tiles repeat: how they look, which tracks and time they show, and the token.
    func repeatedQuery(_ request: Request) throws(Problem) -> String {
        try request.target.parameters().filter { TileSettings.repeated.contains($0.name) }.map(\.encoded)
            .joined(separator: "&")
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
    static let protocols = APITag("protocols", "Tiles by the protocols WMTS and TMS")
}
