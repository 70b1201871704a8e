/// The response of another server.
public struct HTTPClientResponse: Hashable, Sendable {
    public var status: Int
    /// The header `Retry-After`, in seconds from now; nil if it is missing or not after now.
    public var retryAfterSeconds: Int?
    /// The absolute URL that a redirect names. Redirects are not followed.
    public var redirect: String?
    public var body: [UInt8]

    public init(status: Int, retryAfterSeconds: Int? = nil, redirect: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfterSeconds = retryAfterSeconds
        self.redirect = redirect
        self.body = body
    }
}
