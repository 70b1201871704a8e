/// Who makes a request.
public enum Caller: Hashable, Sendable {
    /// A holder of an owner's token: may do everything.
    case owner
    /// A recording app: for one device, or for any if `device` is nil. What it records belongs to `person`, or to the
    /// library's owner if `person` is nil.
    case recorder(device: String?, person: String?)
    /// A person: may read, record as this person, and add pins and other things of their own.
    case member(person: String)
    /// May read.
    case viewer
    /// A user of this machine without a token: may do everything that a page of another site could not make them do.
    case local
    /// An unknown caller: may load the web page, but none of the data.
    case anonymous

    /// Whether the caller may read recorded data.
    public var canRead: Bool { self != .anonymous }

    /// Whether the caller may do everything.
    public var isOwner: Bool { self == .owner || self == .local }

    /// Whether the caller has a permission. What a local caller changes must not be caused by a page of another site.
    public func has(_ permission: Permission) -> Bool {
        switch (self, permission) {
        case (.owner, _), (.local, _), (_, .nothing), (.recorder, .record), (.recorder, .session),
            (.member, .record), (.member, .session), (.member, .contribute):
            true
        case (_, .read): canRead
        case (.recorder, .request), (.member, .request), (.viewer, .request): true
        default: false
        }
    }
}

/// Somebody who can have things of their own in the library. Viewers and recording apps cannot.
public enum LibraryPerson: Hashable, Sendable {
    case owner
    case member(String)

    /// The name in the library; nil for its owner.
    public var name: String? {
        if case .member(let name) = self { return name }
        return nil
    }
}

extension Caller {
    /// The person that the caller is; nil for one who is none.
    public var person: LibraryPerson? {
        switch self {
        case .owner, .local: .owner
        case .member(let person): .member(person)
        case .recorder, .viewer, .anonymous: nil
        }
    }
}

/// The rights that a token gives.
public struct Authorization: Hashable, Sendable {
    /// The token's id, which is not secret.
    public let tokenID: String
    /// The token's holder: of the library itself.
    public let caller: Caller
    /// The name of the only edition that the token shows; its holder is anonymous for the library itself.
    public let edition: String?

    public init(tokenID: String, caller: Caller) {
        self.tokenID = tokenID
        self.caller = caller
        edition = nil
    }

    /// The rights to read an edition, and nothing else.
    public init(tokenID: String, edition: String) {
        self.tokenID = tokenID
        caller = .anonymous
        self.edition = edition
    }
}

/// The permission that a route requires; each route declares one.
public enum Permission: Hashable, Sendable {
    /// None: the route shows nothing private.
    case nothing
    /// Permission to read recorded data.
    case read
    /// Permission to read what only the owner may see: imports, and what was refused.
    case inspect
    /// Permission to have something computed in the background, which every holder of a token has. A page of another site
    /// must not cause it.
    case request
    /// Permission to record, for one device or for any.
    case record
    /// As `record`, for apps that log in: a request without a token may send a small body, which the handler checks.
    case session
    /// Permission to add and change things of one's own: pins, votes, comments, reports.
    case contribute
    /// Permission to make any change.
    case change
}

/// The valid tokens.
public protocol TokenRegistry: Sendable {
    /// The authorization of a token; nil if the text is not a valid token, or the token was removed.
    func authorization(for token: String) -> Authorization?
    /// Closes `channel` when the token that opened it is removed.
    func closeWhenRevoked(_ channel: EventChannel, openedBy authorization: Authorization)
    /// Whether the tokens could be read. If not, a token that has no authorization may be valid.
    var isReadable: Bool { get }
}

extension TokenRegistry {
    public var isReadable: Bool { true }
}
