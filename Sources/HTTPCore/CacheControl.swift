/// How long an answer may be kept, and by whom.
public struct CacheControl: Hashable, Sendable, CustomStringConvertible {
    /// Who may keep it.
    public enum Audience: String, Sendable {
        /// The reader alone: where somebody has been is theirs.
        case reader = "private"
        /// Proxies, too.
        case everyone = "public"
    }

    /// How long without asking again.
    public enum Freshness: Hashable, Sendable {
        /// Not at all.
        case none
        /// Kept, and asked for with its ETag each time.
        case revalidate
        case seconds(Int)
        /// For ever: the URL names the revision.
        case immutable
    }

    /// Who.
    public let audience: Audience
    /// How long.
    public let freshness: Freshness

    /// Who may keep it, and how long.
    public init(_ audience: Audience, _ freshness: Freshness) {
        self.audience = audience
        self.freshness = freshness
    }

    public var description: String {
        switch freshness {
        case .none: "no-store"
        case .revalidate: "\(audience.rawValue), no-cache"
        case .seconds(let seconds): "\(audience.rawValue), max-age=\(seconds)"
        case .immutable: "\(audience.rawValue), max-age=31536000, immutable"
        }
    }
}
