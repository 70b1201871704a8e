import EditionService
import Foundation
import PrimaryStore
import Tokens
import TrackStore

/// `tileserve tokens add`: adds a token.
struct TokenAddCommand: Command {
    static let name = "tokens add"
    static let operands = Operands.atMostOne

    private static let role = Option(
        "role", "ROLE", "owner, member (of --person), recorder or viewer", choices: TokenRole.allCases.map(\.rawValue))
    private static let device = Option("device", "NAME", "restricts a recorder to this device")
    private static let person = Option(
        "person", "NAME", "who a member is; whose tracks a recorder records")

    private static let edition = Option(
        "edition", "NAME", "restricts a viewer to this edition (see 'tileserve help editions')")

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
        options: [LibraryOption.option, role, device, person, edition],
        examples: [
            ("tileserve tokens add --role viewer grandma", "adds a token that permits reading"),
            (
                "tileserve tokens add --role viewer --edition public club",
                "adds a token that shows an edition only"
            ),
            ("tileserve tokens add --role member --person bea", "adds a token for a person"),
            ("tileserve tokens add --role recorder --device phone", "adds a token for recording with a phone"),
        ])

    let folder: String
    let token: String?
    let role: TokenRole
    let device: String?
    let person: String?
    let edition: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        guard let role: TokenRole = try given.choice(Self.role) else { throw .missingOption(Self.role) }
        self.role = role
        device = try given.value(Self.device, .name(characters: TokenName.characterLimit)) { TokenName.read($0) }
        person = try given.value(Self.person, .person(characters: TokenName.characterLimit)) { text in
            // In paths and files, owner is the owner of the library.
            TokenName.read(text).flatMap { ["owner", ".", ".."].contains($0) ? nil : $0 }
        }
        if role != .recorder, device != nil { throw .recordersOnly(Self.device) }
        if role != .recorder, role != .member, person != nil { throw .recordersAndMembersOnly(Self.person) }
        edition = try given.text(Self.edition)
        if role != .viewer, edition != nil { throw .onlyWith(Self.edition, "--role viewer") }
        if role == .member, person == nil { throw .missingOption(Self.person) }
        guard let name = given.operands.first else {
            token = nil
            return
        }
        guard TokenName.read(name) != nil else { throw .badTokenName(name) }
        token = name
    }
}

extension TokenAddCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.made(in: folder, environment: context.environment)
        if let edition, try library.database.edition(named: edition) == nil {
            throw LinkSubjectError.noEdition(edition)
        }
        let (record, token) = try OpenedLibrary.tokens(in: library.folder).add(
            role: role, name: self.token, device: device, person: person, edition: edition,
            now: Int64(Date().timeIntervalSince1970))
        // Only the token goes to the standard output, so that scripts can use it.
        try context.terminal.say(token.text)
        context.terminal.report(
            "\(record.name): the token above is permitted to \(record.description); it is not shown again; to remove it: 'tileserve tokens remove "
                + "\(record.name)'")
        return .done
    }
}
