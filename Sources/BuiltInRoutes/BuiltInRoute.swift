internal import CRoutes
public import Journeys

/// The routes that the program brings, so that a first journey needs no file.
public enum BuiltInRoute {
    /// All of them, the shortest stages first; read when they are first used. The names of their files are their ids.
    public static let all: [(id: String, route: JourneyRoute)] = (0..<embedded_route_count()).map { index in
        let file = unsafe embedded_route_at(index)
        let id = unsafe String(cString: file.name)
        do throws(JourneyError) {
            let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
            return (id, try JourneyRoute(json: bytes, name: id))
        } catch {
            preconditionFailure("\(id): \(error.reason)")
        }
    }
}
