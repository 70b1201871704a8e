import Foundation
import PNG
import Text
import TileDrawing
import TileMath

/// `tileserve-bench tiles`: draws the tiles of a list as a server would, each once, one after another on one thread
/// and without the tile cache. Prints one line of JSON: the time for a tile.
struct TilesCommand {
    private let drawing: BenchRenderer
    private let list: URL

    /// The printed result.
    private struct Report: Encodable {
        var tiles: Int
        var medianMs: Double
        var p95Ms: Double
        /// Reading and counting alone.
        var gridMedianMs: Double
        var gridP95Ms: Double
        /// CPU of the process for a tile, on average.
        var cpuMs = 0.0
        /// Round trips to the server of the database for a tile; 0 without one.
        var roundTrips = 0.0
        var p95RoundTrips = 0.0
        /// The number of non-transparent pixels and of bytes of each tile, in the order of the list.
        var sizes: [[Int]]

        /// The names that `Scripts/bench` reads, as in the output of the systems compared with.
        enum CodingKeys: String, CodingKey {
            case tiles
            case medianMs = "median_ms"
            case p95Ms = "p95_ms"
            case gridMedianMs = "grid_median_ms"
            case gridP95Ms = "grid_p95_ms"
            case cpuMs = "cpu_ms"
            case roundTrips = "round_trips"
            case p95RoundTrips = "p95_round_trips"
            case sizes
        }
    }

    init(_ given: Arguments) throws {
        var arguments = given
        guard let list = arguments.text("list") else { throw Arguments.UsageError(text: "--list is required") }
        self.list = URL(fileURLWithPath: list)
        drawing = try BenchRenderer(&arguments)
        try arguments.finish()
    }

    /// Draws the tiles and prints the result.
    func run() throws {
        let tiles = try readList()
        // A warm-up, as in the systems compared with: the first drawings load libraries, allocate surfaces and compute
        // the colours of each zoom level.
        let lastOfEach = Dictionary(tiles.map { ($0.zoom, $0) }) { $1 }
        for tile in lastOfEach.values { _ = try drawing.picture(of: tile) }
        var total: [Double] = []
        var grid: [Double] = []
        var trips: [Double] = []
        var pictures: [[UInt8]] = []
        let cpuBefore = Self.cpuSeconds
        for tile in tiles {
            let tripsBefore = drawing.roundTrips
            let start = ContinuousClock.now
            let picture = try drawing.picture(of: tile)
            total.append(start.duration(to: .now) / .milliseconds(1))
            grid.append(picture.timing.grid)
            trips.append(Double(drawing.roundTrips - tripsBefore))
            pictures.append(picture.bytes)
        }
        let cpu = Self.cpuSeconds - cpuBefore
        let sizes = try pictures.map { [try Self.setPixels(of: $0), $0.count] }
        var report = Report(
            tiles: tiles.count, medianMs: Self.quantile(0.5, of: total), p95Ms: Self.quantile(0.95, of: total),
            gridMedianMs: Self.quantile(0.5, of: grid), gridP95Ms: Self.quantile(0.95, of: grid), sizes: sizes)
        report.cpuMs = cpu * 1000 / Double(tiles.count)
        report.roundTrips = Self.quantile(0.5, of: trips)
        report.p95RoundTrips = Self.quantile(0.95, of: trips)
        FileHandle.standardOutput.write(Data(try JSONCoding.bytes(of: report)) + Data("\n".utf8))
    }

    private static func setPixels(of png: [UInt8]) throws -> Int {
        let image = try PNGReader.image(of: png)
        return stride(from: 3, to: image.bytes.count, by: 4).count { image.bytes[$0] > 0 }
    }

    /// The tiles of the list, one `z x y` per line.
    private func readList() throws -> [TileCoordinate] {
        let text = String(decoding: try Data(contentsOf: list), as: UTF8.self)
        let tiles = try text.split(separator: "\n").map { line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 3, let zoom = ZoomLevel(numbers[0]),
                let tile = TileCoordinate(zoom: zoom, x: numbers[1], y: numbers[2])
            else { throw Arguments.UsageError(text: "\(list.path): \(line): not a tile of zoom levels 0–22") }
            return tile
        }
        guard !tiles.isEmpty else { throw Arguments.UsageError(text: "\(list.path): no tiles") }
        return tiles
    }

    /// The CPU that this process has used. POSIX has a million ticks a second, whatever the system.
    private static var cpuSeconds: Double { Double(clock()) / 1e6 }

    /// The smallest value that is at least as great as that share of all values.
    private static func quantile(_ share: Double, of values: [Double]) -> Double {
        let index = Int((Double(values.count) * share).rounded(.up)) - 1
        return values.sorted()[max(0, index)]
    }
}
