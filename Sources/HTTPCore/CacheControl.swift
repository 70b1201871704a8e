/// How long a response may be cached, and by whom.
public struct CacheControl: Hashable, Sendable, CustomStringConvertible {
    /// Who may cache it.
    public enum Audience: String, Sendable {
        /// The client only: recorded places are private.
        case reader = "private"
        /// The client and shared caches (proxies).
        case everyone = "public"
    }

    /// How long it may be used without asking the server again.
    public enum Freshness: Hashable, Sendable {
        /// Not stored.
        case none
        /// Stored, and revalidated with its ETag each time.
        case revalidate
        case seconds(Int)
        /// Forever: the URL contains the revision.
        case immutable
    }

    /// Who may cache it.
    public let audience: Audience
    /// How long it stays fresh.
    public let freshness: Freshness

    public init(_ audience: Audience, _ freshness: Freshness) {
        self.audience = audience
        self.freshness = freshness
    }

    /// Seconds for which a shared cache may answer without asking. A cache such as nginx stores nothing that it must
    /// revalidate at once (`no-cache`, `max-age=0`); new tracks are on the map within a second anyway.
    private static let sharedSeconds = 1

    public var description: String {
        switch freshness {
        case .none: "no-store"
        case .revalidate where audience == .everyone:
            "public, max-age=0, s-maxage=\(Self.sharedSeconds), must-revalidate"
        case .revalidate: "\(audience.rawValue), no-cache"
        case .seconds(let seconds): "\(audience.rawValue), max-age=\(seconds)"
        case .immutable: "\(audience.rawValue), max-age=31536000, immutable"
        }
    }
}
