import Links
import PrimaryStore
import Text
import Tokens
import TrackStore

/// `tileserve editions remove`: removes editions with everything derived for them.
struct EditionRemoveCommand: Command {
    static let name = "editions remove"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME…",
        summary: "removes editions",
        about: """
            Removes editions with their tiles, links and tokens; servers stop to show them within a second. The tracks of the \
            library are kept. The positions of zones are kept, too: an edition that is added later around the same place has the \
            same centre, so that the two together tell no more than one.
            """,
        options: [LibraryOption.option],
        examples: [("tileserve editions remove public", "removes an edition")])

    let folder: String
    let editions: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        editions = given.operands
    }
}

extension EditionRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let links = try OpenedLibrary.links(in: library.folder)
        let tokens = try OpenedLibrary.tokens(in: library.folder)
        let named = try NamedItems(
            editions, "edition", id: \.edition.id, context.terminal,
            find: { name -> Removed? in
                guard try library.database.edition(named: name) != nil else { return nil }
                // First: neither may show another edition that gets this name later.
                let removed = (try links.removeLinks(toEdition: name), try tokens.removeTokens(ofEdition: name))
                return try library.removeEdition(named: name).map {
                    Removed(edition: $0, links: removed.0, tokens: removed.1)
                }
            })
        for removed in named.found {
            let others = [(removed.links, "link"), (removed.tokens, "token")].filter { $0.0 > 0 }
                .map { DisplayText.count($0.0, $0.1) }
            let with = others.isEmpty ? "" : ", with \(DisplayText.list(others, "and"))"
            try context.terminal.say("\(removed.edition.name): removed\(with)")
        }
        return named.code
    }

    private struct Removed {
        var edition: Edition
        var links: Int
        var tokens: Int
    }
}
