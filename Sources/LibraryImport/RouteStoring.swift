import Foundation
import Journeys
import PrimaryStore
import RouteImport
import TrackImport
import TrackStore

/// Stores the planned routes of an import as routes of journeys.
struct RouteStoring: Sendable {
    /// nil for a library that does not exist.
    private let library: Library?
    private let isDryRun: Bool

    init(_ library: Library?, isDryRun: Bool) {
        self.library = library
        self.isDryRun = isDryRun
    }

    /// The planned routes of a GPX file.
    func read(_ name: String, _ bytes: [UInt8]) throws -> RouteResult {
        let routes: [JourneyRoute]
        do throws(JourneyError) {
            let title = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
            routes = try RouteFile.plannedRoutes(bytes, name: title)
        } catch {
            return .refused(error.reason)
        }
        return .stored(try routes.map { try receipt($0, source: name) })
    }

    private func receipt(_ route: JourneyRoute, source: String) throws -> RouteReceipt {
        let added: (id: String?, isNew: Bool)
        if isDryRun {
            let known = try library?.database.read { try $0.routeID(of: route) }
            added = (known, known == nil)
        } else if let library {
            added = try library.database.add(route, source: source)
        } else {
            added = (nil, true)
        }
        return RouteReceipt(
            id: added.id ?? "", name: route.name, change: added.isNew ? .added : .unchanged, places: route.places.count)
    }
}
