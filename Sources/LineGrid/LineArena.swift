public import TileLog
import TileMath

/// Collects the lines of many tracks for all zoom levels: 6–10 bytes per point and 48 per fragment.
public struct LineArena: Sendable {
    /// The collected fragments.
    public private(set) var fragments = FragmentArena()
    private var level = ZoomLevelLines()
    /// The long steps in quarter pixels of zoom level 16.
    private var exact = ZoomLevelLines()
    private var tiler = LineTiler()
    private var writer = RunWriter()

    /// The maximum number of tile entries held before they are written: 32 MiB. Only thousands of far lines reach it.
    private static let entryLimit = 1 << 20

    /// Creates an empty arena.
    public init() {}

    /// Approximate memory in use, in bytes.
    public var byteCount: Int { fragments.byteCount }
    /// Whether nothing has been added.
    public var isEmpty: Bool { fragments.isEmpty }

    /// Adds polylines of one day at every zoom level. The packed keys of their tiles are appended to `tiles`, possibly
    /// with duplicates.
    mutating func add(
        _ polylines: ArraySlice<LineRun>, of vertices: LineVertices, levels: [UInt8], track: Int64, person: Int64,
        tiles: inout [UInt64]
    ) {
        guard let day = polylines.first?.day else { return }
        let personDay = fragments.beginPersonDay(day: day, person: person, track: track)
        level.begin(polylines)
        for zoom in stride(from: 16, through: 0, by: -1) {
            level.show(polylines, of: vertices, levels: levels, zoom: zoom)
            writeRuns(zoom: zoom, personDay: personDay, areLongSteps: false, tiles: &tiles)
        }
        let longStepZooms = polylines.reduce(0) { $0 | $1.longStepZooms }
        for zoom in 0..<16 where longStepZooms & 1 << UInt32(zoom) != 0 {
            level.showLongSteps(polylines, of: vertices, drawnDownTo: zoom, roundedAt: zoom)
            exact.showLongSteps(polylines, of: vertices, drawnDownTo: zoom, roundedAt: 16)
            writeRuns(zoom: zoom, personDay: personDay, areLongSteps: true, tiles: &tiles)
        }
    }

    /// Writes the runs of `level` to the tiles of a zoom level; long steps are written with the coordinates in `exact`.
    private mutating func writeRuns(zoom: Int, personDay: Int32, areLongSteps: Bool, tiles: inout [UInt64]) {
        for run in level.runs.indices {
            var start: Int? = level.runs[run].vertices.lowerBound
            while let from = start {
                start = tiler.add(level, run: run, from: from, zoom: zoom, limit: Self.entryLimit)
                if start != nil { write(zoom: zoom, personDay: personDay, areLongSteps: areLongSteps, tiles: &tiles) }
            }
            if tiler.entries.count >= Self.entryLimit {
                write(zoom: zoom, personDay: personDay, areLongSteps: areLongSteps, tiles: &tiles)
            }
        }
        write(zoom: zoom, personDay: personDay, areLongSteps: areLongSteps, tiles: &tiles)
    }

    /// Writes the fragments of the collected entries.
    private mutating func write(zoom: Int, personDay: Int32, areLongSteps: Bool, tiles: inout [UInt64]) {
        guard !tiler.isEmpty else { return }
        var tile: UInt64?
        tiler.join(zoom: zoom)
        // Long steps are stored in quarter pixels of the deepest zoom level, because deeper tiles read them.
        let side = Int64(TileLines.unitsPerSide) << Int64(areLongSteps ? 16 - zoom : 0)
        for index in tiler.entries.indices {
            let entry = tiler.entries[index]
            let key = areLongSteps ? TileKey(zoom: zoom, morton: entry.tile & 0xFFFF_FFFF).packedLongSteps : entry.tile
            if let finished = tile, finished != key {
                fragments.append(writer.written, tile: finished, personDay: personDay)
                writer.clear()
            }
            if tile != key {
                tile = key
                tiles.append(key)
            }
            writer.write(
                areLongSteps ? exact : level, Int(entry.first)..<Int(entry.last) + 1,
                west: Int64(entry.column) * side, north: Int64(entry.row) * side,
                flags: level.runs[Int(entry.run)].flags)
        }
        if let tile { fragments.append(writer.written, tile: tile, personDay: personDay) }
        writer.clear()
        tiler.removeAll()
    }
}
