import Database
import Decompression
import Digest
import Files
import SQLite
import TestSupport
import Testing
import Text
import TileMath

@testable import TileArchive

/// Tiles of a spool, and the archives that are made of them.
@Suite struct ArchiveWritingTests {
    /// A folder with a spool.
    struct Fixture {
        let folder: TemporaryFolder
        let spool: TileSpool

        init(resumes: Bool = false) throws {
            folder = try TemporaryFolder()
            spool = try TileSpool(path: folder.path + "/a.tiles.part", job: ContentDigest(of: [1]), resumes: resumes)
        }

        func archive(_ kind: ArchiveKind, _ name: String = "a") throws -> String {
            let path = "\(folder.path)/\(name).\(kind.rawValue)"
            try ArchiveWriter.write(spool, ArchiveWritingTests.metadata, as: kind, to: path)
            return path
        }
    }

    static var metadata: ArchiveMetadata {
        ArchiveMetadata(
            texts: [("name", "Rides \"x\""), ("description", "d"), ("attribution", "a"), ("type", "overlay")],
            format: .png,
            bounds: BoundingBox(west: 8, south: 47, east: 9.25, north: 48)
                ?? BoundingBox(of: TileCoordinate(northWestOf: .deepest)),
            center: MapCenter(longitude: 8.5, latitude: 47.5, zoom: 22), tilePixels: 256)
    }

    static func tile(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileCoordinate {
        let level = try #require(ZoomLevel(zoom))
        return try #require(TileCoordinate(zoom: level, x: x, y: y))
    }

    static func picture(_ number: Int, bytes: Int = 40) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47] + (0..<bytes).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0 &* (number | 1)) }
    }

    static func source(_ number: Int) -> ContentDigest { ContentDigest(of: Array("\(number)".utf8)) }

    /// All tiles of zoom levels 0 to `last`; those whose column is even have the same picture.
    static func pyramid(_ last: Int, seed: UInt64? = nil) throws -> [TileSpool.Tile] {
        var tiles: [TileSpool.Tile] = []
        for zoom in 0...last {
            for x in 0..<(1 << zoom) {
                for y in 0..<(1 << zoom) {
                    let number = x.isMultiple(of: 2) ? 0 : tiles.count
                    tiles.append(
                        TileSpool.Tile(tile: try tile(zoom, x, y), source: source(tiles.count), bytes: picture(number)))
                }
            }
        }
        if let seed {
            var random = SplitMix64(seed: seed)
            for index in tiles.indices.reversed() {
                tiles.swapAt(index, Int(random.next() % UInt64(index + 1)))
            }
        }
        return tiles
    }

    // MARK: The spool

    @Test func `an interrupted spool has its complete batches, and equal pictures once`() throws {
        let fixture = try Fixture()
        let path = fixture.folder.path + "/b.tiles.part"
        let job = ContentDigest(of: [7])
        let tiles = try Self.pyramid(3)
        do {
            let spool = try TileSpool(path: path, job: job, resumes: false)
            try spool.store(Array(tiles[..<50]))
            try spool.store(Array(tiles[50...]))
            #expect(spool.count == 85)
        }
        let whole = try #require(try AtomicFile.read(path))
        for (cut, count) in [(whole.count, 85), (whole.count - 1, 50), (60, 0), (3, 0)] {
            try AtomicFile.write(Array(whole[..<cut]), to: path)
            let spool = try TileSpool(path: path, job: job, resumes: true)
            #expect(spool.count == count, "cut at \(cut)")
            for (number, tile) in tiles.enumerated() {
                #expect(spool.holds(tile.tile, source: tile.source) == (number < count))
                #expect(!spool.holds(tile.tile, source: Self.source(1_000_000)))
            }
            try spool.store(Array(tiles[count...]))
            let pictures = spool.pictures()
            for (tile, picture) in spool.tiles() {
                let stored = try #require(tiles.first { $0.tile == tile })
                #expect(try spool.bytes(of: pictures[picture]) == stored.bytes)
            }
            #expect(pictures.count == Set(tiles.map(\.bytes)).count)
        }
        // A changed byte ends the batches like a missing one.
        var changed = whole
        changed[whole.count - 5] ^= 1
        try AtomicFile.write(changed, to: path)
        #expect(try TileSpool(path: path, job: job, resumes: true).count == 50)
        #expect(try TileSpool(path: path, job: ContentDigest(of: [8]), resumes: true).count == 0)
        try AtomicFile.write(whole, to: path)
        #expect(try TileSpool(path: path, job: job, resumes: false).count == 0)
    }

    @Test func `one process at a time has the spool of an archive`() throws {
        let fixture = try Fixture()
        let error = #expect(throws: ArchiveError.self) {
            try TileSpool(path: fixture.folder.path + "/a.tiles.part", job: Self.source(1), resumes: true)
        }
        #expect(error?.isInUse == true)
    }

    // MARK: All formats

    @Test(arguments: ArchiveKind.allCases)
    func `the same tiles give the same file, in whatever order and however often they were drawn`(
        _ kind: ArchiveKind
    ) throws {
        let files = try [UInt64?.none, 1, 2].map { seed throws -> [UInt8] in
            let fixture = try Fixture()
            let tiles = try Self.pyramid(4, seed: seed)
            if seed == 2 {
                // Drawn from other data before.
                let old = tiles.map { TileSpool.Tile(tile: $0.tile, source: $0.source, bytes: [1] + $0.bytes) }
                try fixture.spool.store(old)
            }
            for start in stride(from: 0, to: tiles.count, by: 100) {
                try fixture.spool.store(Array(tiles[start..<min(start + 100, tiles.count)]))
            }
            let path = try fixture.archive(kind)
            #expect(
                try Folder.entries(of: fixture.folder.path).map { $0.path.split(separator: "/").last } == [
                    "a.\(kind.rawValue)", "a.tiles.part",
                ])
            return try #require(try AtomicFile.read(path))
        }
        #expect(files[0] == files[1] && files[1] == files[2])
        #expect(!files[0].isEmpty)
    }

    @Test(arguments: [ArchiveKind.mbtiles, .pmtiles])
    func `every tile is read back, and no other`(_ kind: ArchiveKind) throws {
        let fixture = try Fixture()
        let last = (1 << 22) - 1
        let tiles =
            try Self.pyramid(5) + [
                TileSpool.Tile(tile: try Self.tile(22, last, 0), source: Self.source(1), bytes: Self.picture(3)),
                TileSpool.Tile(tile: try Self.tile(22, 0, last), source: Self.source(1), bytes: Self.picture(4)),
            ]
        try fixture.spool.store(tiles)
        let reader = try TileArchives.open(try fixture.archive(kind))
        for tile in tiles {
            #expect(try reader.tile(tile.tile) == StoredTile(bytes: tile.bytes, isGzipped: false), "\(tile.tile)")
        }
        for absent in [try Self.tile(6, 3, 3), try Self.tile(22, 0, 0), try Self.tile(22, last, last)] {
            #expect(try reader.tile(absent) == nil)
        }
        let about = reader.description
        #expect(about.format == .png && about.zooms == 0...22 && about.name == "Rides \"x\"")
        #expect(about.description == "d" && about.attribution == "a" && about.vectorLayers.isEmpty)
        #expect(about.bounds == BoundingBox(west: 8, south: 47, east: 9.25, north: 48))
        #expect(about.center == MapCenter(longitude: 8.5, latitude: 47.5, zoom: 22))
    }

    @Test(arguments: ArchiveKind.allCases)
    func `an existing archive is replaced when the new one is complete`(_ kind: ArchiveKind) throws {
        let fixture = try Fixture()
        try fixture.spool.store([
            TileSpool.Tile(tile: try Self.tile(3, 1, 2), source: Self.source(1), bytes: Self.picture(3))
        ])
        let path = "\(fixture.folder.path)/a.\(kind.rawValue)"
        try AtomicFile.write([1, 2, 3], to: path)
        try AtomicFile.write([4, 5], to: path + ".part")
        #expect(try fixture.archive(kind) == path)
        #expect(try #require(try AtomicFile.read(path)).count > 100)
        #expect(FileStatus.ifExists(of: path + ".part") == nil)
    }

    // MARK: MBTiles

    @Test func `MBTiles has the tables of version 1.3, pictures once, and digests that prove them`() throws {
        let fixture = try Fixture()
        let tiles = try Self.pyramid(4)
        try fixture.spool.store(tiles)
        let database = try UntrustedDatabase(path: try fixture.archive(.mbtiles))
        func rows(_ sql: String) throws -> [[Value]] {
            var rows: [[Value]] = []
            try database.forEach(sql) { row in rows.append((0..<row.columnCount).map { row.value($0) }) }
            return rows
        }
        #expect(try rows("PRAGMA application_id") == [[.integer(0x4D50_4258)]])
        #expect(try rows("PRAGMA journal_mode") == [[.text("delete")]])
        #expect(try rows("PRAGMA page_size") == [[.integer(4096)]])
        #expect(try rows("PRAGMA integrity_check") == [[.text("ok")]])
        #expect(try rows("SELECT count(*) FROM map") == [[.integer(341)]])
        #expect(try rows("SELECT count(*) FROM images") == [[.integer(Int64(Set(tiles.map(\.bytes)).count))]])
        var texts: [String: String] = [:]
        try database.forEach("SELECT name, value FROM metadata") { texts[$0.text(0)] = $0.text(1) }
        #expect(texts["format"] == "png" && texts["bounds"] == "8,47,9.25,48" && texts["center"] == "8.5,47.5,4")
        #expect(texts["minzoom"] == "0" && texts["maxzoom"] == "4" && texts["type"] == "overlay")
        // Martin: upper-case MD5 of zoom level, column, row and bytes of all tiles in this order.
        var all = MD5()
        var count = 0
        try database.forEach(
            "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles ORDER BY zoom_level, tile_column, tile_row"
        ) { row in
            let (zoom, x, row_) = (Int(row.integer(0)), Int(row.integer(1)), Int(row.integer(2)))
            let stored = tiles.first {
                $0.tile.zoom.number == zoom && $0.tile.x == x && $0.tile.y == (1 << zoom) - 1 - row_
            }
            #expect(stored?.bytes == row.blob(3))
            all.update(Array("\(zoom)\(x)\(row_)".utf8))
            all.update(row.blob(3))
            count += 1
        }
        #expect(count == 341)
        func hexadecimal(_ bytes: [UInt8]) -> String { HexDigits.text(bytes).uppercased() }
        #expect(texts["agg_tiles_hash"] == hexadecimal(all.finish()))
        try database.forEach("SELECT tile_id, tile_data FROM images") { row in
            #expect(row.text(0) == hexadecimal(MD5.digest(of: row.blob(1))))
        }
        // Martin recognises the tables by these types, and demands a unique index of just these columns.
        #expect(
            try rows("SELECT name, type FROM pragma_table_info('map') ORDER BY cid").flatMap { $0 } == [
                .text("zoom_level"), .text("INTEGER"), .text("tile_column"), .text("INTEGER"), .text("tile_row"),
                .text("INTEGER"), .text("tile_id"), .text("TEXT"),
            ])
        #expect(
            try rows("SELECT name FROM pragma_index_info('map_index')").flatMap { $0 } == [
                .text("zoom_level"), .text("tile_column"), .text("tile_row"),
            ])
    }

    // MARK: OsmAnd

    @Test func `sqlitedb numbers zoom levels from 17 downwards`() throws {
        let fixture = try Fixture()
        let places = [(3, 5, 1), (17, 70_000, 40_000), (20, 500_000, 300_000)]
        try fixture.spool.store(
            try places.map {
                TileSpool.Tile(tile: try Self.tile($0, $1, $2), source: Self.source($0), bytes: Self.picture($0))
            })
        let database = try UntrustedDatabase(path: try fixture.archive(.sqlitedb))
        for (zoom, x, y) in places {
            var found: [[UInt8]] = []
            try database.forEach(
                "SELECT image FROM tiles WHERE x = $1 AND y = $2 AND z = $3 AND s = 0",
                [.integer(Int64(x)), .integer(Int64(y)), .integer(Int64(17 - zoom))]
            ) { found.append($0.blob(0)) }
            #expect(found == [Self.picture(zoom)])
        }
        var info: [Value] = []
        try database.forEach("SELECT minzoom, maxzoom, tilenumbering, timecolumn, tilesize FROM info") { row in
            info += (0..<row.columnCount).map { row.value($0) }
        }
        #expect(info == [.integer(-3), .integer(14), .text("BigPlanet"), .text("no"), .integer(256)])
    }

    // MARK: PMTiles

    /// What `go-pmtiles verify` demands, and that contents are in the order of the tiles.
    private func verify(_ path: String, tiles: Int, contents: Int) throws {
        let bytes = try #require(try AtomicFile.read(path))
        let header = try #require(PMTilesHeader(Array(bytes.prefix(127))))
        #expect([header.root, header.metadata, header.leaves, header.tileData].allSatisfy { $0.offset > 0 })
        let parts = [header.root, header.metadata, header.leaves, header.tileData].reduce(127) { $0 + Int($1.count) }
        #expect(bytes.count == parts)
        #expect(header.root.offset + header.root.count <= 16_384)
        func directory(_ start: UInt64, _ count: UInt64) throws -> [PMTilesEntry] {
            let part = Array(bytes[Int(start)..<Int(start + count)])
            let entries = PMTilesDirectory.entries(try Gzip.decompressed(part, limit: 1 << 22))
            return try #require(entries).flatMap { entry in
                entry.run > 0 ? [entry] : try directory(header.leaves.offset + entry.offset, UInt64(entry.count))
            }
        }
        let entries = try directory(header.root.offset, header.root.count)
        #expect(entries.reduce(0) { $0 + Int($1.run) } == tiles && header.counts.addressed == UInt64(tiles))
        #expect(header.counts.entries == UInt64(entries.count))
        #expect(Set(entries.map(\.offset)).count == contents && header.counts.contents == UInt64(contents))
        var end: UInt64 = 0
        for entry in entries {
            #expect(entry.offset <= end, "an entry that does not follow the contents before it")
            end = max(end, entry.offset + UInt64(entry.count))
        }
        #expect(end == header.tileData.count && header.isClustered)
        for (entry, next) in zip(entries, entries.dropFirst()) {
            #expect(entry.id + UInt64(entry.run) <= next.id)
            #expect(entry.offset != next.offset || entry.id + UInt64(entry.run) < next.id, "a run that was divided")
        }
        let first = try #require(entries.first).id
        let last = try #require(entries.last)
        #expect(PMTileID.tile(of: first)?.zoom.number == Int(header.zooms.lowest))
        #expect(PMTileID.tile(of: last.id + UInt64(last.run) - 1)?.zoom.number == Int(header.zooms.deepest))
        #expect((header.zooms.lowest...header.zooms.deepest).contains(header.centerZoom))
        #expect(header.bounds[0] < header.bounds[2] && header.bounds[1] < header.bounds[3])
        #expect(header.tileType == 2 && header.tileCompression == .none && header.internalCompression == .gzip)
    }

    @Test func `PMTiles with a root directory alone are as verifiers demand`() throws {
        let fixture = try Fixture()
        let tiles = try Self.pyramid(5)
        try fixture.spool.store(tiles)
        let path = try fixture.archive(.pmtiles)
        try verify(path, tiles: 1365, contents: Set(tiles.map(\.bytes)).count)
        let header = try #require(PMTilesHeader(Array(AtomicFile.read(path)?.prefix(127) ?? [])))
        #expect(header.leaves.count == 0)
        #expect(header.center == [85_000_000, 475_000_000] && header.centerZoom == 5)
    }

    @Test func `PMTiles with many tiles have leaf directories`() throws {
        let fixture = try Fixture()
        var random = SplitMix64(seed: 5)
        var seen: Set<TileCoordinate> = []
        var tiles: [TileSpool.Tile] = []
        while tiles.count < 40_000 {
            let tile = try Self.tile(14, Int(random.next() % 16_384), Int(random.next() % 16_384))
            guard seen.insert(tile).inserted else { continue }
            let picture = Self.picture(tiles.count, bytes: Int(random.next() % 30))
            tiles.append(TileSpool.Tile(tile: tile, source: Self.source(tiles.count), bytes: picture))
        }
        try fixture.spool.store(tiles)
        let path = try fixture.archive(.pmtiles)
        try verify(path, tiles: 40_000, contents: Set(tiles.map(\.bytes)).count)
        let reader = try TileArchives.open(path)
        for tile in tiles.prefix(2000) { #expect(try reader.tile(tile.tile)?.bytes == tile.bytes) }
        let header = try #require(PMTilesHeader(Array(AtomicFile.read(path)?.prefix(127) ?? [])))
        #expect(header.leaves.count > 0)
    }

    @Test func `metadata can be set, and its JSON is part of the metadata of PMTiles`() throws {
        let fixture = try Fixture()
        try fixture.spool.store([
            TileSpool.Tile(tile: try Self.tile(3, 1, 2), source: Self.source(1), bytes: Self.picture(3))
        ])
        var metadata = Self.metadata
        metadata.set("name", "Other")
        metadata.set("license", "CC0")
        metadata.set("json", #"{"name":"no","made":{"by":["a",1]}}"#)
        metadata.set("center", "9,47.25,2")
        let path = fixture.folder.path + "/x.pmtiles"
        try ArchiveWriter.write(fixture.spool, metadata, as: .pmtiles, to: path)
        let bytes = try #require(try AtomicFile.read(path))
        let header = try #require(PMTilesHeader(Array(bytes.prefix(127))))
        let start = Int(header.metadata.offset)
        let json = try Gzip.decompressed(
            Array(bytes[start..<start + Int(header.metadata.count)]), limit: 10_000)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"name":"Other","description":"d","attribution":"a","type":"overlay","license":"CC0","made":{"by":["a",1]}}"#
        )
        #expect(header.center == [90_000_000, 472_500_000] && header.centerZoom == 3)
        for (name, value) in [
            ("", "a"), ("format", "png"), ("minzoom", "3"), ("agg_tiles_hash", ""), ("type", "x"), ("name", ""),
            ("center", "8,47"), ("center", "8,91,3"), ("json", "{"), ("a\nb", "c"),
            ("x", String(repeating: "x", count: 100_001)),
        ] {
            #expect(ArchiveMetadata.refusal(of: name, value) != nil, "\(name)")
        }
    }
}
