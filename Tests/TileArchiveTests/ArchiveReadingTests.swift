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

/// Archives of other programs, and damaged or hostile ones.
@Suite struct ArchiveReadingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tile(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileCoordinate {
        let level = try #require(ZoomLevel(zoom))
        return try #require(TileCoordinate(zoom: level, x: x, y: y))
    }

    // MARK: PMTiles

    /// A file of PMTiles with these directories.
    private struct Parts {
        var header = PMTilesHeader()
        var root: [PMTilesEntry] = []
        var leaves: [UInt8] = []
        var metadata = Array("{}".utf8)
        var tileData: [UInt8] = []

        init() {
            header.internalCompression = .none
            header.tileType = 1
            header.zooms = (0, 14)
        }

        var bytes: [UInt8] {
            var header = header
            let root = PMTilesDirectory.bytes(of: root[...])
            var end: UInt64 = 127
            func section(_ bytes: [UInt8]) -> PMTilesHeader.Section {
                defer { end += UInt64(bytes.count) }
                return PMTilesHeader.Section(offset: end, count: UInt64(bytes.count))
            }
            header.root = section(root)
            header.metadata = section(metadata)
            header.leaves = section(leaves)
            header.tileData = section(tileData)
            return header.bytes + root + metadata + leaves + tileData
        }

        func reader() throws -> PMTilesReader { try PMTilesReader(BytesInMemory(bytes), name: "a.pmtiles") }
    }

    @Test func `vector tiles are given as they are stored, runs have one content, and metadata has layers`() throws {
        let content = try Gzip.compress(Array("tile".utf8))
        var parts = Parts()
        parts.header.tileCompression = .gzip
        parts.root = [PMTilesEntry(id: 5, offset: 0, count: UInt32(content.count), run: 3)]
        parts.tileData = content
        parts.metadata = Array(
            #"{"name":"M","vector_layers":[{"id":"roads","fields":{"kind":"String"}},{"fields":{}},7],"version":"2.0.0"}"#
                .utf8)
        let reader = try parts.reader()
        for id in UInt64(5)...7 {
            let place = try #require(PMTileID.tile(of: id))
            #expect(try reader.tile(place) == StoredTile(bytes: content, isGzipped: true))
        }
        for id in [UInt64(4), 8] { #expect(try reader.tile(try #require(PMTileID.tile(of: id))) == nil) }
        var json = JSONWriter()
        json.array(reader.description.vectorLayers) { $0.add($1) }
        #expect(json.text == #"[{"id":"roads","fields":{"kind":"String"}}]"#)
        #expect(reader.description.format == .mvt && reader.description.version == "2.0.0")
    }

    @Test func `pictures that are compressed with gzip are given as pictures`() throws {
        var parts = Parts()
        parts.header.tileType = 3
        parts.header.tileCompression = .gzip
        parts.tileData = try Gzip.compress([0xFF, 0xD8, 0xFF, 1])
        parts.root = [PMTilesEntry(id: 0, offset: 0, count: UInt32(parts.tileData.count), run: 1)]
        #expect(
            try parts.reader().tile(try tile(0, 0, 0)) == StoredTile(bytes: [0xFF, 0xD8, 0xFF, 1], isGzipped: false))
    }

    @Test func `directories that point to themselves or behind the end are errors, not loops`() throws {
        var cyclic = Parts()
        let leaf = PMTilesDirectory.bytes(of: [PMTilesEntry(id: 0, offset: 0, count: 6, run: 0)][...])
        cyclic.leaves = leaf
        cyclic.root = [PMTilesEntry(id: 0, offset: 0, count: UInt32(leaf.count), run: 0)]
        let text = #expect(throws: ArchiveError.self) { try cyclic.reader().tile(try tile(3, 1, 1)) }
        #expect(text?.description.contains("a.pmtiles: it is damaged") == true)
        for entry in [
            PMTilesEntry(id: 0, offset: 5, count: 1, run: 1), PMTilesEntry(id: 0, offset: 1 << 62, count: 9, run: 1),
            PMTilesEntry(id: 0, offset: 0, count: .max, run: 1), PMTilesEntry(id: 0, offset: 3, count: 3, run: 0),
        ] {
            var parts = Parts()
            parts.tileData = [1, 2, 3, 4]
            parts.root = [entry]
            guard let reader = try? parts.reader() else { continue }
            #expect(throws: ArchiveError.self) { try reader.tile(try tile(0, 0, 0)) }
        }
    }

    @Test func `what decompresses to more than a limit is refused`() throws {
        let bomb = try Gzip.compress([UInt8](repeating: 0, count: 40 << 20))
        var parts = Parts()
        parts.header.tileType = 2
        parts.header.tileCompression = .gzip
        parts.tileData = bomb
        parts.root = [PMTilesEntry(id: 0, offset: 0, count: UInt32(bomb.count), run: 1)]
        #expect(throws: ArchiveError.self) { try parts.reader().tile(try tile(0, 0, 0)) }
        parts.header.internalCompression = .gzip
        parts.metadata = bomb
        #expect(throws: ArchiveError.self) { try parts.reader() }
    }

    @Test func `directories that are none are refused`() {
        let varint = { (numbers: [UInt64]) -> [UInt8] in
            var bytes: [UInt8] = []
            for number in numbers { Varint.append(number, to: &bytes) }
            return bytes
        }
        // A count without entries, ids that do not rise, a first offset of 0, a length of 0, numbers that are too large.
        for bytes in [
            [], varint([1]), varint([1 << 40]), [0xFF], varint([2, 1, 0, 1, 1, 1, 1, 1, 1]),
            varint([1, 0, 1, 4, 0]), varint([1, 0, 1, 0, 1]), varint([1, 0, 1 << 32, 4, 1]),
            varint([1, 0, 1, 1 << 32, 1]), varint([2, .max, 1, 1, 1, 1, 1, 1, 1]), varint([1, 0, 1, 4, .max]),
            [UInt8](repeating: 0xFF, count: 30),
        ] as [[UInt8]] {
            #expect(PMTilesDirectory.entries(bytes) == nil, "\(bytes)")
        }
        #expect(PMTilesDirectory.entries(varint([0])) == [])
        #expect(
            PMTilesDirectory.entries(varint([2, 3, 1, 1, 1, 4, 6, 1, 0])) == [
                PMTilesEntry(id: 3, offset: 0, count: 4, run: 1), PMTilesEntry(id: 4, offset: 4, count: 6, run: 1),
            ])
    }

    @Test func `a file cut anywhere, or with a byte changed anywhere, never stops the program`() throws {
        let fixture = try ArchiveWritingTests.Fixture()
        try fixture.spool.store(try ArchiveWritingTests.pyramid(3))
        let whole = try #require(try AtomicFile.read(try fixture.archive(.pmtiles)))
        let tiles = try ArchiveWritingTests.pyramid(3).map(\.tile)
        var opened = 0
        func use(_ bytes: [UInt8]) {
            guard let reader = try? PMTilesReader(BytesInMemory(bytes), name: "a") else { return }
            opened += 1
            for tile in tiles { _ = try? reader.tile(tile) }
        }
        for cut in 0..<whole.count { use(Array(whole[..<cut])) }
        #expect(opened == 0)
        for place in 0..<min(whole.count, 600) {
            for bit in [1, 0x80, 0xFF] as [UInt8] {
                var changed = whole
                changed[place] ^= bit
                use(changed)
            }
        }
        #expect(opened > 0)
    }

    // MARK: Files

    @Test func `files that are no archives are named with what they are`() throws {
        var old = Parts().bytes
        old[7] = 2
        var brotli = Parts()
        brotli.header.internalCompression = .brotli
        var unknown = Parts()
        unknown.header.tileType = 5
        var deep = Parts()
        deep.header.zooms = (30, 31)
        let valid = Parts().bytes
        let cases: [([UInt8], String)] = [
            (Array("<html>".utf8), "it is neither MBTiles nor PMTiles"), ([], "it is neither"),
            (old, "PMTiles of version 2; convert it to version 3"),
            (Array("PM".utf8) + [1, 0, 0, 0, 0, 0], "PMTiles of version 1"),
            (Array(valid[..<100]), "its header is incomplete"),
            (Array(valid[..<128]), "it ends before its header says"),
            (brotli.bytes, "brotli or zstd"), (unknown.bytes, "unknown format (5)"), (deep.bytes, "zoom levels"),
            (Array("SQLite format 3\0".utf8), "its header is incomplete"),
        ]
        for (number, (bytes, text)) in cases.enumerated() {
            let path = folder.path + "/file-\(number)"
            try AtomicFile.write(bytes, to: path)
            let error = #expect(throws: ArchiveError.self) { try TileArchives.open(path) }
            #expect(error?.description.contains(text) == true, "\(text): \(error?.description ?? "")")
        }
        #expect(throws: FileError.self) { try TileArchives.open(folder.path + "/nowhere") }
        #expect(throws: FileError.self) { try TileArchives.open(folder.path) }
    }

    // MARK: MBTiles

    /// A database with these statements.
    private func database(_ name: String, _ sql: String) throws -> String {
        let path = folder.path + "/" + name
        let connection = try Connection(path: path)
        _ = try connection.useRollbackJournal()
        try connection.execute(sql)
        return path
    }

    @Test func `MBTiles of other programs may have one table, and little metadata`() throws {
        let path = try database(
            "flat.mbtiles",
            """
            CREATE TABLE metadata (name text, value text);
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            INSERT INTO tiles VALUES (2, 1, 3, x'FFD8FF01'), (4, 0, 15, x'FFD8FF02'), (3, 0, 0, NULL), (40, 0, 0, x'00');
            """)
        let reader = try TileArchives.open(path)
        #expect(reader.description.format == .jpg && reader.description.zooms == 2...4)
        #expect(reader.description.bounds == nil && reader.description.name == nil)
        #expect(try reader.tile(try tile(2, 1, 0))?.bytes == [0xFF, 0xD8, 0xFF, 1])
        #expect(try reader.tile(try tile(4, 0, 0))?.bytes == [0xFF, 0xD8, 0xFF, 2])
        #expect(try reader.tile(try tile(3, 0, 7)) == nil)
    }

    @Test func `vector tiles of MBTiles are compressed or not, and json has their layers`() throws {
        let content = HexDigits.text(try Gzip.compress([26, 0]))
        let path = try database(
            "vector.mbtiles",
            """
            CREATE TABLE metadata (name text, value text);
            INSERT INTO metadata VALUES ('format', 'pbf'), ('minzoom', '0'), ('maxzoom', '1'), ('bounds', '1,2,x'),
              ('json', '{"vector_layers":[{"id":"water","fields":{}}]}'), ('name', 'V');
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            INSERT INTO tiles VALUES (0, 0, 0, x'\(content)'), (1, 0, 0, x'1A00'), (1, 1, 0, x'1F8B0800');
            """)
        let reader = try TileArchives.open(path)
        #expect(reader.description.format == .mvt && reader.description.vectorLayers.count == 1)
        #expect(try reader.tile(try tile(0, 0, 0))?.isGzipped == true)
        #expect(try reader.tile(try tile(1, 0, 1)) == StoredTile(bytes: [26, 0], isGzipped: false))
        #expect(reader.description.bounds == nil)
    }

    @Test func `databases that are not MBTiles, or hostile, are refused`() throws {
        let cases = [
            ("CREATE TABLE a (b)", "not MBTiles"),
            ("CREATE TABLE metadata (name, value); CREATE TABLE tiles (a)", "not MBTiles"),
            (
                "CREATE TABLE metadata (name, value); CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)",
                "it has no tiles"
            ),
            (
                """
                CREATE TABLE metadata (name, value); CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
                INSERT INTO tiles VALUES (0, 0, 0, x'00')
                """, "unknown format (none named)"
            ),
            (
                """
                CREATE TABLE metadata (name, value);
                CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                  SELECT i % 7 - 9 AS zoom_level, i AS tile_column, i AS tile_row, i AS tile_data FROM n
                """, "SQLite cannot read it (interrupted)"
            ),
        ]
        for (number, (sql, text)) in cases.enumerated() {
            let path = try database("case-\(number).mbtiles", sql)
            let error = #expect(throws: ArchiveError.self) { try TileArchives.open(path) }
            #expect(error?.description.contains(text) == true, "\(text): \(error?.description ?? "")")
        }
    }

    @Test func `MBTiles cut anywhere, or with bytes changed, never stop the program`() throws {
        let fixture = try ArchiveWritingTests.Fixture()
        try fixture.spool.store(try ArchiveWritingTests.pyramid(3))
        let whole = try #require(try AtomicFile.read(try fixture.archive(.mbtiles)))
        let path = folder.path + "/changed.mbtiles"
        func use(_ bytes: [UInt8]) throws {
            try AtomicFile.write(bytes, to: path, durability: .cached)
            guard let reader = try? TileArchives.open(path) else { return }
            for place in try ArchiveWritingTests.pyramid(2).map(\.tile) { _ = try? reader.tile(place) }
        }
        for cut in stride(from: 0, to: whole.count, by: 509) {
            try AtomicFile.write(Array(whole[..<cut]), to: path, durability: .cached)
            #expect(throws: ArchiveError.self) { try TileArchives.open(path) }
        }
        var random = SplitMix64(seed: 11)
        for _ in 0..<300 {
            var changed = whole
            for _ in 0..<4 {
                changed[Int(random.next() % UInt64(whole.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            try use(changed)
        }
    }
}
