import Decompression
import Digest
import HTTPCore

/// A file that is always answered with the same bytes, compressed for clients that accept it.
struct StaticFile: Sendable {
    private struct Form: Sendable {
        let response: Response
        let tag: ETag

        init(_ bytes: [UInt8], _ headers: [ResponseHeader]) {
            tag = ETag(ContentDigest(of: bytes))
            let all = headers + [ResponseHeader(.eTag, tag.description)]
            response = Response(status: .ok, headers: all, body: .bytes(bytes))
        }
    }

    private let plain: Form
    private let compressed: Form?

    /// Nothing from other hosts, except images of `imageOrigins`, and nothing inline. `data:` is for the empty image
    /// that Leaflet gives to tiles it discards.
    private static func contentPolicy(_ imageOrigins: [String]) -> String {
        let images = (["'self'", "data:"] + imageOrigins).joined(separator: " ")
        return "default-src 'self'; img-src \(images); object-src 'none'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }

    /// A file; text is compressed here, once.
    init(_ bytes: [UInt8], mediaType: String, cacheControl: CacheControl, imageOrigins: [String] = []) {
        var headers = [
            ResponseHeader(.contentType, mediaType), ResponseHeader(.contentTypeOptions, "nosniff"),
            ResponseHeader(HeaderName("Content-Security-Policy"), Self.contentPolicy(imageOrigins)),
            ResponseHeader(HeaderName("Referrer-Policy"), "no-referrer"),
            ResponseHeader(.cacheControl, cacheControl.description),
        ]
        let isText = ["text/", "image/svg", "application/manifest"].contains { mediaType.hasPrefix($0) }
        guard isText, let short = try? Gzip.compress(bytes), short.count < bytes.count else {
            plain = Form(bytes, headers)
            compressed = nil
            return
        }
        headers.append(ResponseHeader(.vary, "Accept-Encoding"))
        plain = Form(bytes, headers)
        compressed = Form(short, headers + [ResponseHeader(.contentEncoding, "gzip")])
    }

    /// The file, or `304` if the client has it already.
    func reply(to request: Request) -> OutgoingResponse {
        let form = request.acceptsGzip ? compressed ?? plain : plain
        guard request.alreadyHas(form.tag) else { return .response(form.response) }
        var response = form.response
        response.status = .notModified
        response.body = .empty
        return .response(response)
    }
}
