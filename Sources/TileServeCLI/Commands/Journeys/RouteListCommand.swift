import JourneyService
import Journeys
import PrimaryStore
import Text
import TrackStore

/// `tileserve routes list`: lists routes.
struct RouteListCommand: Command {
    static let name = "routes list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists routes for journeys",
        about: "Lists the routes of the library by name, with their length and places.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve routes list", "lists all routes")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        isJSON = given.has(CommonOptions.json)
    }
}

extension RouteListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        try library.addBuiltInRoutes()
        let routes = try library.database.read { snapshot in
            try snapshot.routeStamps().compactMap { try snapshot.route(id: $0.id) }
        }
        if isJSON {
            for route in routes { try context.terminal.say(route.summary.text) }
            return .done
        }
        guard !routes.isEmpty else {
            context.terminal.report("tileserve routes list: no routes; see 'tileserve routes import'")
            return .done
        }
        let rows = routes.map { route in
            [
                route.id, route.route.name.singleLine, RouteText.kilometres(RouteMeasure(route.route).journeyMetres),
                DisplayText.count(route.route.places.count, "place"), RouteText.level(route.route),
            ]
        }
        try context.terminal.out(TextTable.text(rows, numbers: 2..<4))
        return .done
    }
}

/// `tileserve routes show`: shows routes with their places.
struct RouteShowCommand: Command {
    static let name = "routes show"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "shows routes with their places",
        about: "Shows what routes are, and their places in order with the distance from the first.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve routes show taiwan", "shows a built-in route")])

    let folder: String
    let ids: [String]
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        isJSON = given.has(CommonOptions.json)
    }
}

extension RouteShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        try library.addBuiltInRoutes()
        let named = try NamedItems(ids, "route", id: \StoredRoute.id, context.terminal) { id in
            try library.database.read { try $0.route(id: id) }
        }
        for route in named.found {
            if isJSON {
                try context.terminal.say(route.summary.text)
                continue
            }
            let measure = RouteMeasure(route.route)
            var details = [
                ("id", route.id), ("name", route.route.name.singleLine),
                ("length", RouteText.kilometres(measure.journeyMetres)), ("stages", RouteText.level(route.route)),
            ]
            for (place, metres) in zip(route.route.places, measure.placeMetres) {
                let distance = RouteText.kilometres(metres - (measure.placeMetres.first ?? 0))
                details.append(("place", "\(place.name.singleLine), \(distance)"))
            }
            try context.terminal.say(TextTable.details(details).joined(separator: "\n"))
        }
        return named.code
    }
}
