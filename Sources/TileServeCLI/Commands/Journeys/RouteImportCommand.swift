import Files
import Foundation
import JourneyService
import Journeys
import PrimaryStore
import RouteImport
import Text
import TrackStore

/// `tileserve routes import`: adds routes from files.
struct RouteImportCommand: Command {
    static let name = "routes import"
    static let operands = Operands.some("FILE")

    static let screen = HelpScreen(
        usage: "[OPTION]… FILE…",
        summary: "adds routes from files",
        about: """
            Reads routes for journeys: routes and tracks with waypoints of GPX, GeoJSON with a line and points, and JSON \
            as 'tileserve routes export' writes it. A route that is there already is not added again.
            """,
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve routes import camino.gpx", "adds the routes of a GPX file")])

    let folder: String
    let paths: [String]
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        paths = given.operands
        isJSON = given.has(CommonOptions.json)
    }
}

extension RouteImportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.made(in: folder, environment: context.environment)
        try library.addBuiltInRoutes()
        var (stored, failed) = (0, 0)
        for path in paths {
            guard !context.stop.isRequested else {
                return context.stopped("\(DisplayText.count(stored, "route")) stored, the rest was not")
            }
            do {
                guard let bytes = try AtomicFile.read(path, limit: RouteFileLimits.bytes) else {
                    throw JourneyError.malformed("the file has more than \(RouteFileLimits.bytes) bytes")
                }
                let name = URL(fileURLWithPath: path)
                for route in try RouteFile.routes(bytes, name: name.deletingPathExtension().lastPathComponent) {
                    let added = try library.database.add(route, source: name.lastPathComponent)
                    stored += 1
                    try say(route, added, context.terminal)
                }
            } catch let error as JourneyError {
                failed += 1
                context.terminal.report("\(path.singleLine): \(error.reason)")
            } catch let error as FileError {
                failed += 1
                context.terminal.report("\(path.singleLine): \(error)")
            }
        }
        guard failed > 0 else { return .done }
        return stored > 0 ? .incomplete : .noInput
    }

    private func say(_ route: JourneyRoute, _ added: (id: String, isNew: Bool), _ terminal: Terminal) throws {
        if isJSON {
            var object = JSONObject()
            object.add("id", added.id)
            object.add("name", route.name)
            object.add("places", route.places.count)
            object.add("change", added.isNew ? "added" : "unchanged")
            return try terminal.say(object.text)
        }
        let what = "\(DisplayText.count(route.places.count, "place"))"
        try terminal.say("\(added.id)  \(route.name.singleLine): \(added.isNew ? what : "is there already")")
    }
}
