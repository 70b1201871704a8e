import Digest
import HTTPCore
import Text
import TrackImport

/// Answers with a JSON body. All of them are encoded here, so that text from users is always escaped.
enum JSONResponse {
    /// A `200` with the value; keys are sorted, so that equal values give equal bytes.
    static func response(_ value: some Encodable) throws -> Response {
        response(try JSONCoding.bytes(of: value))
    }

    /// A `200` with an object that is encoded already.
    static func response(_ object: JSONObject) -> Response {
        response(Array(object.text.utf8))
    }

    private static func response(_ body: [UInt8]) -> Response {
        Response(
            status: .ok,
            headers: [
                ResponseHeader(.contentType, "application/json"), ResponseHeader(.contentTypeOptions, "nosniff"),
            ],
            body: .bytes(body + [UInt8(ascii: "\n")]))
    }

    /// The validator of a response with a body of bytes.
    static func tag(of response: Response) -> ETag {
        guard case .bytes(let bytes) = response.body else { return ETag(ContentDigest(of: [])) }
        return ETag(ContentDigest(of: bytes))
    }

    /// The value, or `304` if the client has it already.
    static func answer(_ value: some Encodable, to request: Request) throws -> HandlerResult {
        .ready(validated(try response(value), for: request))
    }
}

/// A response that clients may cache and revalidate: with an ETag computed from its bytes, or `304` if the client has
/// it already. `tag` is used instead if equal contents do not have equal bytes.
func validated(_ response: Response, for request: Request, tag ownTag: ETag? = nil) -> OutgoingResponse {
    guard case .bytes = response.body else { return .response(response) }
    let tag = ownTag ?? JSONResponse.tag(of: response)
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
    }
    return .response(response)
}
