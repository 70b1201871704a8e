import Digest
public import Tokens

/// What the reader of a link may see.
public enum LinkKind: String, Codable, CaseIterable, Sendable {
    /// The page with everything that the edition has.
    case page
    /// Only tiles and what describes them, for other map clients.
    case tiles
}

/// A stored link: everything but its secret.
public struct LinkRecord: Codable, Equatable, Sendable {
    /// What it shows.
    struct Target: Codable, Equatable {
        let edition: String
        let kind: LinkKind
        let ownsEdition: Bool
    }

    /// What secrets are checked with.
    struct Check: Codable, Equatable {
        /// The secret's BLAKE2b digest, in hexadecimal digits.
        let digest: String
        /// Part of what the cookie is made of, so that the secret alone, without the password, does not give the cookie.
        let salt: String
        /// The digest of the cookie that a browser gets in exchange for the secret.
        let cookieDigest: String
        /// The Argon2id hash of the password; nil if it needs none.
        let password: String?
    }

    /// How it was used.
    struct Use: Codable, Equatable {
        var last: Int64?
        var count = 0
    }

    /// A few characters, unique among the links of the library.
    public let id: String
    /// What its owner calls it.
    public let label: String
    let target: Target
    /// The creation time in seconds since 1970.
    public let created: Int64
    /// From this time on it shows nothing, in seconds since 1970; nil for a link that does not expire.
    public let expires: Int64?
    let check: Check
    /// Names the picture that everybody may see who has the link's address without its secret; nil without such a picture.
    public internal(set) var preview: String?
    var use = Use()

    /// The name of the edition that it shows.
    public var edition: String { target.edition }
    public var kind: LinkKind { target.kind }
    /// Whether the edition was made for this link, and goes with it.
    public var ownsEdition: Bool { target.ownsEdition }
    /// When it was last opened, in seconds since 1970.
    public var lastUsed: Int64? { use.last }
    /// How often it was opened.
    public var uses: Int { use.count }
    /// Whether its reader needs a password.
    public var needsPassword: Bool { check.password != nil }

    /// Whether it still shows something at a time in seconds since 1970.
    public func isValid(at now: Int64) -> Bool { expires.map { now < $0 } ?? true }
}

extension LinkRecord: StoredRecord {
    public static var listName: String { "links" }
    public static var fileName: String { "links" }

    public static func damaged(_ place: String) -> any Error { LinkError.damaged(path: place) }
}

/// Why a link cannot be made or opened.
public enum LinkError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The stored links are not a list of links, or one of a newer version.
    case damaged(path: String)
    /// There is not enough memory to hash a password.
    case noMemory

    public var description: String {
        switch self {
        case .damaged(let path):
            "\(path): not a valid list of links; restore a backup, or remove the file and make the links again"
        case .noMemory: "not enough memory to check a password; try again"
        }
    }
}

/// What makes a new link.
public struct LinkRequest: Sendable {
    public var label: String
    public var edition: String
    public var kind: LinkKind
    public var ownsEdition = false
    /// In seconds since 1970; nil for a link that does not expire.
    public var expires: Int64?
    public var password: String?
    /// Whether programs that show previews of links get a picture.
    public var hasPreview = false

    /// How long a link is valid unless something else is asked for.
    public static let standardSeconds: Int64 = 30 * 86_400
    /// Characters of labels and passwords.
    public static let textLimit = 200

    public init(label: String, edition: String, kind: LinkKind) {
        self.label = label
        self.edition = edition
        self.kind = kind
    }
}

/// Where the links of a library are stored.
public typealias LinkStore = RecordStore<LinkRecord>

extension RecordStore where Record == LinkRecord {
    /// Adds a link; it is stored when this returns. The secret is shown once. `now` is in seconds since 1970.
    public func add(_ request: LinkRequest, now: Int64) throws -> (record: LinkRecord, secret: Token) {
        let secret = Token()
        let salt = Token().text
        var hash: String?
        if let password = request.password {
            guard let made = PasswordHash.hash(password) else { throw LinkError.noMemory }
            hash = made
        }
        return try change { links in
            let cookie = LinkRecord.cookie(secret: secret.text, salt: salt)
            var record = LinkRecord(
                id: Token.id(notIn: Set(links.map(\.id))), label: request.label,
                target: LinkRecord.Target(
                    edition: request.edition, kind: request.kind, ownsEdition: request.ownsEdition),
                created: now, expires: request.expires,
                check: LinkRecord.Check(
                    digest: "\(Token.digest(of: secret.text))", salt: salt,
                    cookieDigest: "\(Token.digest(of: cookie))", password: hash))
            // As long as an id that nobody can guess.
            if request.hasPreview { record.preview = String(Token().text.prefix(LinkRecord.previewLength)) }
            links.append(record)
            return (record, secret)
        }
    }

    /// Removes the link with an id; nil if there is none.
    public func remove(_ id: String) throws -> LinkRecord? {
        try change { links in
            guard let index = links.firstIndex(where: { $0.id == id }) else { return nil }
            return links.remove(at: index)
        }
    }

    /// Removes the links to an edition; returns their number.
    public func removeLinks(toEdition name: String) throws -> Int {
        try change { links in
            let count = links.count
            links.removeAll { $0.edition == name }
            return count - links.count
        }
    }

    /// Counts uses of links, by their ids, with the last time in seconds since 1970.
    public func count(_ uses: [String: (count: Int, last: Int64)]) throws {
        guard !uses.isEmpty else { return }
        try change { links in
            for index in links.indices {
                guard let use = uses[links[index].id] else { continue }
                links[index].use.count += use.count
                links[index].use.last = max(links[index].use.last ?? 0, use.last)
            }
        }
    }
}

extension LinkRecord {
    /// 96 bits.
    static let previewLength = 16

    /// The text of the cookie for a link.
    static func cookie(secret: String, salt: String) -> String {
        "\(Token.digest(of: "cookie \(salt) \(secret)"))"
    }
}
