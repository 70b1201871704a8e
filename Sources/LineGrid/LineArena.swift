public import PieceLog

/// Gathers the lines of many tracks for all zoom levels: 6–10 bytes for each point, and 32 for each part.
public struct LineArena: Sendable {
    /// What was gathered.
    public private(set) var parts = PartArena()
    private var level = LevelLines()
    private var spread = TileSpread()
    private var writer = RunWriter()

    /// Tiles' runs held at once before they are written: 32 MiB. Nothing but far lines in their thousands has so many.
    private static let entryLimit = 1 << 20

    /// An empty arena.
    public init() {}

    /// Bytes of memory in use, roughly.
    public var byteCount: Int { parts.byteCount }
    /// Whether nothing has been added.
    public var isEmpty: Bool { parts.isEmpty }

    /// Adds some polylines of one day at every zoom level; the packed keys of the tiles go to `tiles`, perhaps repeatedly.
    mutating func add(
        _ polylines: ArraySlice<LineRun>, of vertices: LineVertices, levels: [UInt8], track: Int64, person: Int64,
        tiles: inout [UInt64]
    ) {
        guard let day = polylines.first?.day else { return }
        let piece = parts.beginPiece(day: day, person: person, track: track)
        level.begin(polylines)
        for zoom in stride(from: 16, through: 0, by: -1) {
            level.show(polylines, of: vertices, levels: levels, zoom: zoom)
            for run in level.runs.indices {
                var start: Int? = level.runs[run].vertices.lowerBound
                while let from = start {
                    start = spread.add(level, run: run, from: from, zoom: zoom, limit: Self.entryLimit)
                    if start != nil { write(zoom: zoom, piece: piece, tiles: &tiles) }
                }
                if spread.entries.count >= Self.entryLimit { write(zoom: zoom, piece: piece, tiles: &tiles) }
            }
            write(zoom: zoom, piece: piece, tiles: &tiles)
        }
    }

    /// Writes the parts of what was spread.
    private mutating func write(zoom: Int, piece: Int32, tiles: inout [UInt64]) {
        guard !spread.isEmpty else { return }
        var tile: UInt64?
        spread.join(zoom: zoom)
        for index in spread.entries.indices {
            let entry = spread.entries[index]
            if let finished = tile, finished != entry.tile {
                parts.append(writer.written, tile: finished, piece: piece)
                writer.clear()
            }
            if tile != entry.tile {
                tile = entry.tile
                tiles.append(entry.tile)
            }
            writer.write(
                level, Int(entry.first)..<Int(entry.last) + 1,
                west: Int64(entry.column) * Int64(TileLines.unitsPerSide),
                north: Int64(entry.row) * Int64(TileLines.unitsPerSide), flags: level.runs[Int(entry.run)].flags)
        }
        if let tile { parts.append(writer.written, tile: tile, piece: piece) }
        writer.clear()
        spread.removeAll()
    }
}
