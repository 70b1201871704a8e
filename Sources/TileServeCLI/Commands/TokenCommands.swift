import Tokens

/// `tileserve token add`: adds a token.
struct TokenAddCommand: Command {
    static let name = "token add"
    static let operands = Operands.perhaps

    private static let role = Option("role", "ROLE", "owner: everything; recorder: recording; viewer: looking")
    private static let device = Option("device", "NAME", "the only device that a recorder may record for")
    private static let person = Option("person", "NAME", "whose the tracks of a recorder are (the library's owner)")

    static let screen = HelpScreen(
        usage: "--role ROLE [OPTION]… [NAME]",
        summary: "makes a token that lets somebody in",
        about: """
            Makes a token for a person or a program, and writes it to the standard output, this once: the library keeps \
            only its digest. A running server knows it within a second. Programs send it as 'Authorization: Bearer TOKEN', or \
            as the password of any user; for pages and maps '?key=TOKEN' behind an address does, too, which then is as secret as \
            the token. Every token lets its holder look.
            """,
        options: [LibraryFolder.option, role, device, person],
        examples: [
            ("tileserve token add --role viewer grandma", "makes a token for looking"),
            ("tileserve token add --role recorder --device phone", "makes one for what a phone records"),
        ])

    let folder: String
    let token: String?
    let role: TokenRole
    let device: String?
    let person: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        let role = try given.value(Self.role, .oneOf(TokenRole.allCases.map(\.rawValue))) { TokenRole(rawValue: $0) }
        guard let role else { throw .missingOption(Self.role) }
        self.role = role
        device = try given.value(Self.device, .name) { TokenName.read($0) }
        person = try given.value(Self.person, .name) { TokenName.read($0) }
        if role != .recorder {
            if device != nil { throw .recordersOnly(Self.device) }
            if person != nil { throw .recordersOnly(Self.person) }
        }
        guard let name = given.operands.first else {
            token = nil
            return
        }
        guard TokenName.read(name) != nil else { throw .badTokenName(name) }
        token = name
    }
}

/// `tileserve token list`: lists tokens.
struct TokenListCommand: Command {
    static let name = "token list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists tokens, not what they are",
        about:
            "Lists the tokens that there are: their names and roles, and when they were made. What they are nobody knows.",
        options: [LibraryFolder.option, ImportCommand.json],
        examples: [("tileserve token list", "lists the tokens")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        isJSON = given.has(ImportCommand.json)
    }
}

/// `tileserve token remove`: removes tokens.
struct TokenRemoveCommand: Command {
    static let name = "token remove"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME…",
        summary: "makes tokens useless, by name or id",
        about: """
            Removes tokens by name or id. A running server lets nobody in with them any more after a second, and closes \
            what it was streaming to them.
            """,
        options: [LibraryFolder.option],
        examples: [("tileserve token remove grandma", "locks whoever has that token out")])

    let folder: String
    let tokens: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        tokens = given.operands
    }
}

/// Names of tokens, devices and persons.
enum TokenName {
    private static let mostCharacters = 100

    /// The name if it is one line of 1 to 100 characters without control characters; else nil.
    static func read(_ text: String) -> String? {
        let isLine =
            (1...mostCharacters).contains(text.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return isLine ? text : nil
    }
}
