import Digest
package import HTTPCore
package import Text

/// Answers with a JSON body. All of them are encoded here, so that text from users is always escaped.
package enum JSONResponse {
    /// A `200` with the value; keys are sorted, so that equal values give equal bytes.
    package static func response(_ value: some Encodable) throws -> Response {
        response(bytes: try JSONCoding.bytes(of: value) + [lineBreak])
    }

    /// A `200` with an object that is encoded already.
    package static func response(_ object: JSONObject) -> Response {
        response(bytes: Array(object.text.utf8) + [lineBreak])
    }

    private static let lineBreak = UInt8(ascii: "\n")

    /// A `200` with a whole document.
    package static func response(bytes: [UInt8]) -> Response {
        .content(bytes, type: "application/json")
    }

    /// The validator of a response with a body of bytes.
    package static func tag(of response: Response) -> ETag {
        guard case .bytes(let bytes) = response.body else { return ETag(ContentDigest(of: [])) }
        return ETag(ContentDigest(of: bytes))
    }

    /// The value, or `304` if the client has it already.
    package static func answer(_ value: some Encodable, to request: Request) throws -> HandlerResult {
        .ready(validated(try response(value), for: request))
    }
}

/// A response that clients may cache and revalidate: with an ETag computed from its bytes, or `304` if the client has
/// it already. `tag` is used instead if equal contents do not have equal bytes.
package func validated(_ response: Response, for request: Request, tag ownTag: ETag? = nil) -> OutgoingResponse {
    guard case .bytes(let bytes) = response.body else { return .response(response) }
    return validated(response, for: request, tag: ownTag ?? JSONResponse.tag(of: response)) { bytes }
}

/// As the other function, for a tag that is known before the body: `body` is made only for a client that does not have
/// it already.
package func validated(
    _ response: Response, for request: Request, tag: ETag, body: () throws -> [UInt8]
) rethrows -> OutgoingResponse {
    var response = response
    response.set(.eTag, tag.description)
    if response[.cacheControl] == nil {
        response.set(.cacheControl, CacheControl(request.audience, .revalidate).description)
    }
    // A shared cache must not give a token's holder what others may read, which may be less.
    if request.audience == .everyone { response.vary(by: "Authorization") }
    if request.alreadyHas(tag) {
        // `*` does not say which form the client has, so the answer names the form that it would get.
        if request.acceptsAnyTag, let sent = CompressingResponder.form(of: response, for: request)[.eTag] {
            response.set(.eTag, sent)
        }
        response.status = .notModified
        response.body = .empty
    } else {
        response.body = .bytes(try body())
    }
    return .response(response)
}

extension Response {
    /// A `200` with content of a type that clients must not guess; with a `fileName`, for browsers to save.
    package static func content(_ bytes: [UInt8], type: String, fileName: String? = nil) -> Response {
        var response = Response(
            status: .ok,
            headers: [ResponseHeader(.contentType, type), ResponseHeader(.contentTypeOptions, "nosniff")],
            body: .bytes(bytes))
        if let fileName { response.set(.disposition, "attachment; filename=\"\(fileName)\"") }
        return response
    }

    /// Forbids every cache to store the response.
    package mutating func forbidStoring() { set(.cacheControl, CacheControl(.reader, .none).description) }

    /// A picture as PNG.
    package static func png(_ bytes: [UInt8], tag: ETag? = nil, _ cacheControl: CacheControl? = nil) -> Response {
        var response = Response.content(bytes, type: "image/png")
        if let tag { response.set(.eTag, tag.description) }
        if let cacheControl { response.set(.cacheControl, cacheControl.description) }
        return response
    }
}
