import Foundation
import HeatGrid
import PieceLog
import Styling
import TileMath
import TileRendering
import TrackStore
import Tracks

/// `tileserve-bench tiles`: draws the heat tiles of a list from a library's grid, one after the other on one thread, each
/// once and with no cache of pictures, and tells as one line of JSON how long a tile took.
struct TilesCommand {
    private let library: String
    private let list: URL
    private let question: TileQuestion

    /// Tiles drawn before the measurement, as the peers do: the first drawings load libraries and make surfaces.
    private static let warmUp = 3

    /// What is told.
    private struct Report: Encodable {
        var tiles: Int
        var medianMs: Double
        var p95Ms: Double
        /// Reading and counting alone.
        var gridMedianMs: Double
        var gridP95Ms: Double
        /// Set pixels and bytes, a tile each, in the list's order.
        var sizes: [[Int]]
    }

    private struct Timings {
        var total: [Double] = []
        var grid: [Double] = []
        var sizes: [[Int]] = []
    }

    init(_ given: Arguments) throws {
        var arguments = given
        guard let library = arguments.text("library"), let list = arguments.text("list") else {
            throw Arguments.Mistake(text: "--library and --list: needed")
        }
        self.library = library
        self.list = URL(fileURLWithPath: list)
        let window = DayWindow(from: try Self.day("from", &arguments), to: try Self.day("to", &arguments))
        var question = TileQuestion.everything
        question.window = window
        self.question = question
        try arguments.finish()
    }

    /// Draws and tells.
    func run() throws {
        let tiles = try readList()
        guard let look = StyleSheet.builtIn[StyleSheet.defaultName]?.heat else {
            throw Arguments.Mistake(text: "no style \(StyleSheet.defaultName) is built in")
        }
        let grid = try GridStore(folder: library)
        let tables = try grid.read { reader in
            try ZoomLevel.withGrid.map { ColorTable(look: look, histogram: try reader.histogram(zoom: $0, layer: 0)) }
        }
        let canvas = try Canvas()
        var reader = TileReader()
        var discarded = Timings()
        for tile in tiles.suffix(Self.warmUp) {
            try draw(tile, grid, tables, canvas, &reader, &discarded)
        }
        var timings = Timings()
        for tile in tiles { try draw(tile, grid, tables, canvas, &reader, &timings) }
        let report = Report(
            tiles: tiles.count, medianMs: Self.quantile(0.5, of: timings.total),
            p95Ms: Self.quantile(0.95, of: timings.total), gridMedianMs: Self.quantile(0.5, of: timings.grid),
            gridP95Ms: Self.quantile(0.95, of: timings.grid), sizes: timings.sizes)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        FileHandle.standardOutput.write(try encoder.encode(report) + Data("\n".utf8))
    }

    private func draw(
        _ tile: TileCoordinate, _ grid: GridStore, _ tables: [ColorTable], _ canvas: Canvas,
        _ reader: inout TileReader, _ timings: inout Timings
    ) throws {
        let start = ContinuousClock.now
        let recipe = HeatRecipe(tile: tile, scale: .one)
        let counts = try grid.read { grid in
            try recipe.tilesNeeded.map { needed in
                guard let key = TileKey(needed) else { return CellCounts() }
                return try grid.counts(of: key, question, using: &reader)
            }
        }
        let counted = ContinuousClock.now
        let picture = try canvas.picture(recipe, counts: counts, shading: .table(tables[tile.zoom.number]))
        let drawn = ContinuousClock.now
        timings.total.append(start.duration(to: drawn) / .milliseconds(1))
        timings.grid.append(start.duration(to: counted) / .milliseconds(1))
        timings.sizes.append([counts.reduce(0) { $0 + $1.cells.count }, picture.count])
    }

    /// The tiles of a list, one `z x y` a line, zoom levels 0–16.
    private func readList() throws -> [TileCoordinate] {
        let text = String(decoding: try Data(contentsOf: list), as: UTF8.self)
        let tiles = try text.split(separator: "\n").map { line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 3, let zoom = ZoomLevel(numbers[0]), zoom <= .deepestGrid,
                let tile = TileCoordinate(zoom: zoom, x: numbers[1], y: numbers[2])
            else { throw Arguments.Mistake(text: "\(list.path): \(line): not a tile of zoom levels 0–16") }
            return tile
        }
        guard !tiles.isEmpty else { throw Arguments.Mistake(text: "\(list.path): no tiles") }
        return tiles
    }

    /// The smallest value that at least that share of all does not exceed.
    private static func quantile(_ share: Double, of values: [Double]) -> Double {
        let index = Int((Double(values.count) * share).rounded(.up)) - 1
        return values.sorted()[max(0, index)]
    }

    private static func day(_ name: String, _ arguments: inout Arguments) throws -> Int32? {
        guard let text = arguments.text(name) else { return nil }
        let numbers = text.split(separator: "-").compactMap { Int($0) }
        guard numbers.count == 3, let day = CivilDay(year: numbers[0], month: numbers[1], day: numbers[2]) else {
            throw Arguments.Mistake(text: "--\(name) \(text): not a date like 2019-03-17")
        }
        return day.daysSince1970
    }
}
