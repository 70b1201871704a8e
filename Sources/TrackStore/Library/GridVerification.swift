internal import Countries
internal import GridStorage
internal import HeatGrid
internal import LineGrid
internal import PrimaryStore
import TileLog
internal import TileMath

extension Library {
    /// Number of occupied tiles of zoom level 16 that `verify` builds again for comparison, spread evenly.
    private static let sampleTiles = 24
    /// A tile with more tracks than this is skipped, because building it would take as long as a rebuild.
    private static let sampleTracks = 400

    /// The problems of the library, one sentence each; empty if there are none.
    ///
    /// Checks both databases completely, compares each track with its digest, and builds a sample of tiles of the grid
    /// again. `update` brings the grid up to date for the sample, after its rows were compared with their sums: an update
    /// would otherwise replace altered rows of `meta` and `layers`, and nobody would know.
    package func verify(update: () throws -> Void = {}) throws -> [String] {
        var problems = try database.verify()
        problems += try grid.integrityProblems().map { "\(grid.path): \($0); run `tileserve rebuild`" }
        guard problems.isEmpty else { return problems }
        try update()
        guard try gridIsCurrent() else {
            return ["\(grid.path): is older than the tracks; it is updated when the library is next used"]
        }
        do {
            return try sampleProblems()
        } catch let error as LibraryError {
            guard case .gridDamaged = error else { throw error }
            return [error.description]
        }
    }

    private func sampleProblems() throws -> [String] {
        let source = TrackGridSource(database)
        _ = try source.prepare()
        let calendar = try calendar()
        var problems: [String] = []
        var checked: Set<Int64> = []
        for tile in try sample() {
            let numbers = try grid.read { try $0.tracks(touching: tile) }
            guard numbers.count <= Self.sampleTracks else { continue }
            let build = GridBuild(
                source: source, calendar: calendar, outlierRule: try source.outlierRule(),
                memoryBytes: GridStore.defaultMemoryBytes, storage: database.storage,
                report: { _ in })
            var rasterised = try build.rasterise(numbers)
            let statistics = try rasterised.rows.takeStatistics().sorted { $0.key < $1.key }
            for (number, statistics) in statistics where checked.insert(number).inserted {
                guard try grid.read({ try $0.statistics(ofTrack: number) }) != statistics else { continue }
                problems.append(
                    "\(grid.path): the totals, visits, countries or stays of track number \(number) do not match its points; "
                        + "run `tileserve rebuild`")
            }
            let cells = try rasterised.cells.takeRun().log(of: tile)
            let lines = try rasterised.lines.takeRun().log(of: tile)
            let stored = try grid.read {
                (
                    log: try $0.log(of: tile.packed), tracks: try $0.tracks(), row: try $0.row(of: tile.packed),
                    layers: try $0.layers().filter { $0.includes(tile.packed) }.map(\.number),
                    lines: try $0.lineRow(of: tile.packed),
                    hasRasters: try $0.hasRastersOfLogs(tile.packed, tracks: try $0.tracks())
                )
            }
            var builder = TileBuilder()
            if stored.log != cells
                || cells.map({ builder.row(log: $0, tracks: stored.tracks, layers: stored.layers).row }) != stored.row
                || lines.map({ LineRow(log: $0, tracks: stored.tracks, rule: SumRule()) }) != stored.lines
                || !stored.hasRasters
            {
                problems.append("\(grid.path): tile \(tile.tile) does not match its tracks; run `tileserve rebuild`")
            }
        }
        return problems
    }

    private func sample() throws -> [TileKey] {
        try grid.read { reader in
            let count = try reader.occupiedCount(zoom: .deepestGrid)
            let tiles = try reader.occupiedTiles(zoom: .deepestGrid, after: nil, limit: count)
            return stride(from: 0, to: count, by: max(1, count / Self.sampleTiles)).map { tiles[$0] }
        }
    }
}

extension GridReader {
    /// The numbers of the tracks that pass through a tile of zoom level 16, or close enough for their lines to reach
    /// it.
    func tracks(touching tile: TileKey) throws -> [Int64] {
        let cells = try log(of: tile.packed).map { TileLog<CellDeltas>.tracks(in: $0) } ?? []
        let lines = try lineRow(of: tile.packed).map { TileLog<LineRuns>.tracks(in: $0.wholeLog) } ?? []
        return cells.union(lines).sorted()
    }
}

extension GridRun {
    /// The log of a tile; nil if it has none. Reads the run to its end.
    fileprivate consuming func log(of tile: TileKey) throws -> [UInt8]? {
        var run = self
        var log: [UInt8]?
        while let next = run.nextTile {
            let nextLog = try run.takeLog()
            if next == tile.packed { log = nextLog }
        }
        return log
    }
}
