import JourneyService
import Journeys
import PrimaryStore
import RouteImport
import Text
import TrackStore

/// `tileserve routes export`: writes a route for other programs.
struct RouteExportCommand: Command {
    static let name = "routes export"
    static let operands = Operands.some("ID")

    private enum Format: String, CaseIterable {
        case json, geojson, gpx
    }
    private static let format = Option(
        "format", "FORMAT", "json (the default), geojson or gpx", choices: Format.allCases.map(\.rawValue))

    static let screen = HelpScreen(
        usage: "[OPTION]… ID",
        summary: "writes a route for other programs",
        about: """
            Writes a route with its places to the standard output, also what travellers have not reached. Importing the \
            file elsewhere gives the same route.
            """,
        options: [LibraryOption.option, format],
        examples: [("tileserve routes export --format gpx taiwan", "writes a route as GPX")])

    let folder: String
    let id: String
    private let format: Format

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        id = try given.onlyOperand()
        format = try given.choice(Self.format) ?? .json
    }
}

extension RouteExportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        try library.addBuiltInRoutes()
        guard let route = try library.database.read({ try $0.route(id: id) })?.route else {
            context.terminal.report(TextTable.noSuch("route", id))
            return .noInput
        }
        let bytes =
            switch format {
            case .json: Array((route.json.text + "\n").utf8)
            case .geojson: Array((route.geoJSON.text + "\n").utf8)
            case .gpx: route.gpx
            }
        try context.terminal.write(bytes)
        return .done
    }
}

/// `tileserve routes remove`: removes routes.
struct RouteRemoveCommand: Command {
    static let name = "routes remove"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "removes routes permanently",
        about: """
            Removes routes with their places and pictures. A route along which journeys lead is kept; remove these first. \
            There is no confirmation, and it cannot be undone.
            """,
        options: [LibraryOption.option],
        examples: [("tileserve routes remove taiwan", "removes a built-in route")])

    let folder: String
    let ids: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
    }
}

extension RouteRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        try library.addBuiltInRoutes()
        var isKept = false
        let named = try NamedItems(ids, "route", id: \String.self, context.terminal) { id in
            switch try library.database.removeRoute(id) {
            case .done: try context.terminal.say("\(id): removed")
            case .missing: return nil
            case .used(let count):
                context.terminal.report(
                    "\(id): \(DisplayText.count(count, "journey")) along it; see 'tileserve journeys list'")
                isKept = true
            }
            return id
        }
        return isKept && named.code == .done ? .incomplete : named.code
    }
}
