/// Who asks.
public enum Caller: Hashable, Sendable {
    /// Whoever holds an owner's token: may do everything.
    case owner
    /// A program that records: of one device or, with nil, of any; what it records belongs to a person, with nil to the
    /// library's owner.
    case recorder(device: String?, person: String?)
    /// May look.
    case viewer
    /// Somebody at this machine, without a token: may do everything that no foreign page could make them do.
    case local
    /// Nobody knows who: may see the page, and nothing on it.
    case nobody

    /// Whether they may see where somebody has been.
    public var mayRead: Bool { self != .nobody }
}

/// What a token opens.
public struct Authorization: Hashable, Sendable {
    /// The token's id, which is no secret.
    public let tokenID: String
    /// Who holds it.
    public let caller: Caller

    /// A token's grant.
    public init(tokenID: String, caller: Caller) {
        self.tokenID = tokenID
        self.caller = caller
    }
}

/// What a route needs of whoever asks; each route names it.
public enum Permission: Hashable, Sendable {
    /// Nothing: there is nothing private.
    case nothing
    /// Leave to see where somebody has been.
    case read
    /// Leave to record, for one's own device or for any.
    case record
    /// Leave to change anything.
    case change
}

/// The tokens that there are.
public protocol TokenRegister: Sendable {
    /// What a token opens; nil for a text that is none, or none any more.
    func grant(for token: String) -> Authorization?
    /// Closes `channel` when the token that opened it is removed.
    func follow(_ channel: EventChannel, openedBy grant: Authorization)
}
