import Foundation
import HTTPCore
import RequestHandling
import Styling
import Text
import TileDrawing
import TileMath
import TrackStore

/// Draws tiles of a library as its server would: by the same function and from the same URLs, but without the tile
/// caches.
struct BenchRenderer {
    private let renderer: TileRenderer
    private let style: String
    private let query: String

    /// Query parameters of tiles, besides the style; each is an option.
    private static let parameters = ["layer", "from", "to", "minus", "span", "ramp", "theme", "track", "marks"]

    /// Takes `--library`, `--style` and the options that are query parameters of tiles.
    init(_ arguments: inout Arguments) throws {
        guard let place = arguments.text("library") else { throw Arguments.UsageError(text: "--library is required") }
        let library =
            ServerLocation.isLocation(place)
            ? try ServerLocation.folder(
                for: place, below: FileManager.default.temporaryDirectory.path + "/tileserve-bench-nodes")
            : place
        style = arguments.text("style") ?? TileRequest.defaultStyle
        query = Self.parameters.compactMap { name in
            arguments.text(name).map { "\(name)=\(PercentCoding.encode($0))" }
        }.joined(separator: "&")
        guard Library.exists(in: library) else {
            throw Arguments.UsageError(text: "--library \(place): no such library")
        }
        renderer = try TileRenderer(library: Library(folder: library), styles: .builtIn, workers: 1, disk: nil)
        // Checks that the style and the tracks exist before minutes of work.
        _ = try request(for: TileCoordinate(northWestOf: .deepestGrid))
    }

    /// How often this process has waited for the server of the library's databases.
    var roundTrips: Int { renderer.library.roundTrips }

    /// Draws a tile; the result includes the time of each step.
    func picture(of tile: TileCoordinate) throws -> TilePicture {
        try renderer.picture(try request(for: tile))
    }

    private func request(for tile: TileCoordinate) throws -> TileRequest {
        do {
            let path = "/tiles/\(style)/\(tile.zoom.number)/\(tile.x)/\(tile.y).png"
            let request = try TileTarget(RequestTarget(query.isEmpty ? path : "\(path)?\(query)")).request
            try renderer.check(request)
            return request
        } catch {
            throw Arguments.UsageError(text: Problem.problem(of: error).detail ?? "the tiles cannot be drawn")
        }
    }
}
