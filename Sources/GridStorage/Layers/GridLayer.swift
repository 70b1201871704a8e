import Database
import Digest
import HeatGrid
public import TileLog
public import TileMath

/// A layer of the operator, as stored in the grid.
public struct GridLayer: Sendable, Equatable {
    /// How much of the layer is built.
    public enum Progress: Sendable, Equatable {
        /// All tiles are built.
        case ready
        /// The tiles before a packed key are built, `share` (0…1) of the work.
        case building(before: UInt64, share: Double)
    }

    /// The number of the layer in tiles and histograms.
    public var number: UInt8
    /// The name of the layer.
    public var name: String
    /// The condition by which its members were chosen.
    public var condition: String
    /// How much of the layer is built.
    public var progress: Progress

    /// Whether its counts can be read.
    public var isReady: Bool { progress == .ready }

    /// Whether a tile has rows of the layer and is counted in its histogram.
    package func includes(_ tile: UInt64) -> Bool {
        switch progress {
        case .ready: true
        case .building(let before, _): tile < before
        }
    }
}

/// The values of the column `state` of `layers`.
enum LayerState: Int64 {
    case ready = 0
    case building = 1
    /// No longer defined; its rows are being deleted.
    case beingDeleted = 2
}

extension GridReader {
    /// The layers of the operator, by number, without those that are being deleted.
    public func layers() throws -> [GridLayer] {
        try session.rows(
            "SELECT number, name, condition, state, cursor, done, work FROM layers WHERE state < 2 ORDER BY number"
        ) { row in
            let isReady = row.integer(3) == LayerState.ready.rawValue
            let share = min(1, Double(row.integer(5)) / Double(max(1, row.integer(6))))
            return GridLayer(
                number: UInt8(truncatingIfNeeded: row.integer(0)), name: row.text(1), condition: row.text(2),
                progress: isReady ? .ready : .building(before: UInt64(bitPattern: row.integer(4)), share: share))
        }
    }

    /// Throws if the tables of layers or activities were altered. Not to be called within a transaction that changes
    /// them, because their checksums are written at its end.
    public func checkLists() throws {
        if let altered = try session.alteredBlocks(of: ["layers", "activities"]).first {
            throw GridDamage(what: "the table of \(altered.table) was altered")
        }
    }

    /// Whether layers have to be built, or rows of removed layers to be deleted.
    package func hasLayerWork() throws -> Bool {
        try session.integer("SELECT 1 FROM layers WHERE state > 0 LIMIT 1") != nil
    }

    /// The digest of the content of an operator's layer in a tile; 0 if it has none.
    ///
    /// It depends only on the fragments of the layer's tracks, so changes of other tracks do not change it. Costs a
    /// pass over the headers of a log, or one row of a dense tile.
    public func contentDigest(of tile: TileKey, layer: UInt8, tracks: GridTracks) throws -> UInt64 {
        let found = try session.first(
            Self.tileRow, [.integer(Int64(tile.packed))]
        ) { row -> UInt64? in
            guard row.integer(0) == 0 else { return nil }
            return try row.withTile(tile.packed) { tracks.contentDigest(of: $0, layer: layer) }
        }
        guard let found else { return 0 }
        if let digest = found { return digest }
        return try layerRow(of: tile.packed, layer: layer, period: LayerHeader.period)
            .map { LayerHeader(decoding: $0.span).digest } ?? 0
    }

    /// The tracks of each layer of the operator.
    func members() throws -> [UInt8: LayerMembers] {
        var members = Dictionary(uniqueKeysWithValues: try layers().map { ($0.number, LayerMembers()) })
        try session.forEach("SELECT key, bits FROM members ORDER BY key") { row in
            let key = row.integer(0)
            let bits = try row.checkedBlob(1, GridRowChecksum(.members, key: key))
            members[UInt8(truncatingIfNeeded: key >> 40)]?.add(block: key & (1 << 40 - 1), bits)
        }
        return members
    }

    /// A digest over the layers and their readiness.
    func layersDigest() throws -> ContentDigest {
        var digester = Digester()
        for layer in try layers() {
            digester.update(Int64(layer.number))
            digester.update(layer.name)
            digester.update(layer.condition)
            digester.update(layer.isReady ? 1 : 0)
        }
        return digester.finish()
    }

    func layerRow(of tile: UInt64, layer: UInt8, period: UInt16) throws -> [UInt8]? {
        let key = GridSchema.layerRowNumber(tile, layer: layer, period: period)
        return try session.first("SELECT data FROM layer_rows WHERE key = $1", [.integer(key)]) {
            try $0.checkedBlob(0, GridRowChecksum(.layerRows, key: key))
        }
    }

    /// The rows of a layer that a change of a dense tile needs.
    func layerHeadAndSum(of tile: UInt64, layer: UInt8) throws -> [TileRow.Sum] {
        try [LayerHeader.period, UInt16.max].compactMap { period in
            try layerRow(of: tile, layer: layer, period: period).map {
                TileRow.Sum(layer: layer, period: period, data: $0)
            }
        }
    }

    /// The header and sums of a layer in a tile, ascending.
    func layerRows(of tile: UInt64, layer: UInt8) throws -> [TileRow.Sum] {
        try session.rows(
            "SELECT key, data FROM layer_rows WHERE key >= $1 AND key <= $2 ORDER BY key",
            [
                GridSchema.layerRowKey(tile, layer: layer, period: 0),
                GridSchema.layerRowKey(tile, layer: layer, period: .max),
            ]
        ) { row in
            TileRow.Sum(
                layer: layer, period: UInt16(truncatingIfNeeded: row.integer(0)),
                data: try row.checkedBlob(1, GridRowChecksum(.layerRows, key: row.integer(0))))
        }
    }
}
