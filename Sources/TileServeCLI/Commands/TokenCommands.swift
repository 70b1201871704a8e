import Tokens

/// `tileserve tokens add`: adds a token.
struct TokenAddCommand: Command {
    static let name = "tokens add"
    static let operands = Operands.atMostOne

    private static let role = Option("role", "ROLE", "owner, member (of --person), recorder or viewer")
    private static let device = Option("device", "NAME", "restricts a recorder to this device")
    private static let person = Option(
        "person", "NAME", "who a member is; whose tracks a recorder records")

    static let screen = HelpScreen(
        usage: "--role ROLE [OPTION]… [NAME]",
        summary: "adds an access token",
        about: """
            Adds an access token for a person or a program, and prints it to the standard output. It cannot be shown \
            again: the library stores only its digest. A running server accepts it within a second. Clients send it \
            as 'Authorization: Bearer TOKEN', or as the password of any user name. For web pages and maps, append \
            '?key=TOKEN' to the URL; keep such a URL as secret as the token. Every token permits reading. A recorder \
            may record; a member may record as a person, and add pins, votes and comments; the owner may do everything.
            """,
        options: [LibraryOption.option, role, device, person],
        examples: [
            ("tileserve tokens add --role viewer grandma", "adds a token that permits reading"),
            ("tileserve tokens add --role member --person bea", "adds a token for a person"),
            ("tileserve tokens add --role recorder --device phone", "adds a token for recording with a phone"),
        ])

    let folder: String
    let token: String?
    let role: TokenRole
    let device: String?
    let person: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        let role = try given.value(Self.role, .oneOf(TokenRole.allCases.map(\.rawValue))) { TokenRole(rawValue: $0) }
        guard let role else { throw .missingOption(Self.role) }
        self.role = role
        device = try given.value(Self.device, .name(characters: TokenName.characterLimit)) { TokenName.read($0) }
        person = try given.value(Self.person, .name(characters: TokenName.characterLimit)) { TokenName.read($0) }
        if role != .recorder, device != nil { throw .recordersOnly(Self.device) }
        if role != .recorder, role != .member, person != nil { throw .recordersAndMembersOnly(Self.person) }
        if role == .member, person == nil { throw .missingOption(Self.person) }
        guard let name = given.operands.first else {
            token = nil
            return
        }
        guard TokenName.read(name) != nil else { throw .badTokenName(name) }
        token = name
    }
}

/// `tileserve tokens list`: lists tokens.
struct TokenListCommand: Command {
    static let name = "tokens list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists tokens, without their secrets",
        about:
            "Lists the names, roles and creation times of tokens. The tokens themselves are not stored and cannot be shown.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve tokens list", "lists the tokens")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        isJSON = given.has(CommonOptions.json)
    }
}

/// `tileserve tokens remove`: removes tokens.
struct TokenRemoveCommand: Command {
    static let name = "tokens remove"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME…",
        summary: "removes tokens, by name or id",
        about: """
            Removes tokens by name or id. Within a second, a running server no longer accepts them, and closes \
            streams that were opened with them.
            """,
        options: [LibraryOption.option],
        examples: [("tileserve tokens remove grandma", "removes the token 'grandma'")])

    let folder: String
    let tokens: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        tokens = given.operands
    }
}
