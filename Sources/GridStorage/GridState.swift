public import Digest

/// The state of a grid.
public struct GridState: Sendable, Hashable {
    /// The applied revision of the library.
    public var revision: Int64
    /// The chained digest of the change log at that revision.
    public var digest: ContentDigest
    /// A digest of the rules and the time zone from which it was built.
    public var fingerprint: ContentDigest
    /// A digest of the operator's layers and of which of them are ready.
    public var layers: ContentDigest
}
