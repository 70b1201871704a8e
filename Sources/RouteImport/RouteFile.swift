public import Journeys
import Text

/// Reads routes from files, which are recognised by their content.
public enum RouteFile {
    /// The routes of a file: of GPX each `rte`, or each `trk` if there is none; of GeoJSON, or of JSON as the program
    /// writes it, one.
    ///
    /// `name` is for a route without one, such as the file's name without its ending. A line with more corners than a route
    /// may have is thinned. Throws what is wrong; a file with a mistake is not read in part.
    public static func routes(_ bytes: [UInt8], name: String) throws(JourneyError) -> [JourneyRoute] {
        guard bytes.count <= RouteFileLimits.bytes else {
            throw .malformed("a file of routes has at most \(RouteFileLimits.bytes >> 20) MiB")
        }
        let name = String((name.isEmpty ? "Route" : name).prefix(JourneyLimits.name))
        let start = ByteOrderMark.length(in: bytes)
        let first = bytes[start...].first { $0 > 0x20 }
        switch first {
        case UInt8(ascii: "<")?, 0xFE?, 0xFF?:
            return try GPXRoutes.routes(of: try GPXReader.document(bytes), name: name)
        case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
            return [try JourneyRoute(json: start == 0 ? bytes : Array(bytes[start...]), name: name)]
        default: throw .malformed("the file is neither GPX nor GeoJSON nor JSON")
        }
    }

    /// The routes that a GPX file says are planned: each `rte` with at least two points; none of its tracks.
    public static func plannedRoutes(_ bytes: [UInt8], name: String) throws(JourneyError) -> [JourneyRoute] {
        guard bytes.count <= RouteFileLimits.bytes else {
            throw .malformed("a file of routes has at most \(RouteFileLimits.bytes >> 20) MiB")
        }
        var document = try GPXReader.document(bytes)
        document.tracks = []
        return try GPXRoutes.routes(
            of: document, name: String((name.isEmpty ? "Route" : name).prefix(JourneyLimits.name)))
    }
}
