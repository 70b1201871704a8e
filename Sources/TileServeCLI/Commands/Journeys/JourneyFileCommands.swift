import Files
import JourneyFiles
import JourneyService
import PrimaryStore
import Text
import TrackStore

/// `tileserve journeys export`: writes what a person has into one SQLite file.
struct JourneyExportCommand: Command {
    static let name = "journeys export"
    static let operands = Operands.some("FILE")

    private static let person = Option("person", "NAME", "the person; the owner without it")

    static let screen = HelpScreen(
        usage: "[OPTION]… FILE",
        summary: "writes a person's journeys into one SQLite file",
        about: """
            Writes the journeys of a person with their routes, sessions, reached places and rewards into a new SQLite file, \
            which any program for SQLite opens. 'tileserve journeys import' reads it elsewhere.
            """,
        options: [LibraryOption.option, person],
        examples: [("tileserve journeys export --person ada ada.sqlite", "writes what ada has")])

    let folder: String
    let path: String
    let person: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        path = try given.onlyOperand()
        person = try given.text(Self.person).flatMap { $0 == "owner" ? nil : $0 }
    }
}

extension JourneyExportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        if let person, try library.database.personNumber(named: person) == nil {
            context.terminal.report("\(person.singleLine): there is no person with this name")
            return .noInput
        }
        let book = JourneyBook(library)
        let file = try book.exported(person, at: TrackDatabase.systemClock(), showsAll: true)
        try file.write(to: path)
        try context.terminal.say("\(path.singleLine): \(file.text)")
        return .done
    }
}

/// `tileserve journeys import`: adds what a person has elsewhere.
struct JourneyImportCommand: Command {
    static let name = "journeys import"
    static let operands = Operands.some("FILE")

    private static let person = Option("person", "NAME", "to whom it is added, whatever name the file has")

    static let screen = HelpScreen(
        usage: "[OPTION]… FILE…",
        summary: "adds the journeys of a person from SQLite files",
        about: """
            Reads files that 'tileserve journeys export' has written, and adds what is missing to the person with the same \
            name, or to the one that --person names. What is there already is left as it is.
            """,
        options: [LibraryOption.option, person],
        examples: [("tileserve journeys import ada.sqlite", "adds what ada has elsewhere")])

    let folder: String
    let paths: [String]
    let person: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        paths = given.operands
        person = try given.text(Self.person)
    }
}

extension JourneyImportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.made(in: folder, environment: context.environment)
        try library.addBuiltInRoutes()
        var (stored, failed) = (0, 0)
        var isMissing = true
        for path in paths {
            guard FileStatus.ifExists(of: path) != nil else {
                failed += 1
                context.terminal.report("\(path.singleLine): there is no such file")
                continue
            }
            isMissing = false
            do {
                let content = try PersonFile.read(path)
                let name = person.map { $0 == "owner" ? nil : $0 } ?? content.person
                let added = try library.database.add(content, to: name)
                stored += 1
                let counts = [
                    DisplayText.count(added.routes, "route"), DisplayText.count(added.journeys, "journey"),
                    DisplayText.count(added.sessions, "session"), DisplayText.count(added.rewards, "reward"),
                ]
                try context.terminal.say(
                    "\(path.singleLine): \(DisplayText.list(counts, "and")) added to \((name ?? "owner").singleLine)")
            } catch let error as PersonFileError {
                failed += 1
                context.terminal.report("\(path.singleLine): \(error)")
            }
        }
        guard failed > 0 else { return .done }
        return stored > 0 ? .incomplete : isMissing ? .noInput : .badData
    }
}
