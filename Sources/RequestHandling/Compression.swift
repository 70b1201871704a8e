import Decompression
package import HTTPCore
import VectorTiles

/// Compresses texts for clients that accept gzip: JSON, XML, CSV, SVG and other texts, and vector tiles. Event streams and pictures are
/// sent as they are.
///
/// The compressed form has an ETag of its own (`"…-gzip"`), because its bytes differ; handlers accept both.
package struct CompressingResponder: Responder {
    private let responder: any Responder

    /// Below this, a response fits in one packet anyway.
    private static let leastBytes = 1024

    /// Compresses the answers of `responder`.
    package init(_ responder: any Responder) { self.responder = responder }

    package func answer(_ request: Request) -> HandlerResult {
        responder.answer(request).map { Self.compressed($0, for: request) }
    }

    package func bodyDecision(of request: Request) -> BodyDecision {
        switch responder.bodyDecision(of: request) {
        case .refused(let reply): .refused(Self.compressed(reply, for: request))
        case .taken(let rule): .taken(rule)
        }
    }

    /// Whether a response of this type is worth compressing: texts and vector tiles.
    package static func isCompressible(_ mediaType: String) -> Bool {
        let type = mediaType.prefix { $0 != ";" }
        guard type != "text/event-stream" else { return false }
        return type.hasPrefix("text/") || type == "application/json" || type == "application/xml"
            || type.hasSuffix("+json") || type.hasSuffix("+xml") || type == VectorTile.mediaType
    }

    private static func compressed(_ reply: OutgoingResponse, for request: Request) -> OutgoingResponse {
        // Pictures are prepared.
        guard case .response(let response) = reply else { return reply }
        return .response(form(of: response, for: request))
    }

    /// The response as the client gets it: compressed, with the ETag of its form, if it accepts that.
    package static func form(of plain: Response, for request: Request) -> Response {
        guard let type = plain[.contentType], isCompressible(type), plain[.contentEncoding] == nil else { return plain }
        var response = plain
        response.vary(by: "Accept-Encoding")
        let tag = response[.eTag].flatMap { ETag(opaque: String($0.filter { $0 != "\"" })) }
        switch response.body {
        case .bytes(let bytes) where bytes.count >= leastBytes && request.acceptsGzip:
            guard let writer = try? DeflateWriter(.gzip, level: .fastest),
                let short = try? writer.compress(bytes, isLast: true),
                short.count < bytes.count
            else { break }
            response.body = .bytes(short)
            response.set(.contentEncoding, "gzip")
            if let tag { response.set(.eTag, tag.compressed.description) }
        case .empty where response.status == .notModified && request.acceptsGzip:
            // The client's own tag says which form it has.
            guard let tag, let sent = request.headers[.ifNoneMatch], sent.contains(tag.compressed.description) else {
                break
            }
            response.set(.eTag, tag.compressed.description)
        default: break
        }
        return response
    }
}
