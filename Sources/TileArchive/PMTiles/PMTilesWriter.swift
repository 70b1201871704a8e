internal import Decompression
internal import Files
internal import Text
internal import TileMath

/// Writes PMTiles 3: the header, the root directory, metadata, leaf directories, and the pictures in the order of the
/// first tile that shows each.
enum PMTilesWriter {
    /// Header and root directory fit in the first 16 KiB, which clients read at once.
    static let rootLimit = 16_384 - PMTilesHeader.byteCount
    /// The entries of a leaf directory, doubled until the root directory is small enough.
    private static let leafEntries = 4096
    /// A root directory of more entries is not tried without leaves.
    private static let rootEntries = 16_384
    /// Pictures are written together up to this size.
    private static let blockBytes = 1 << 20

    static func write(_ spool: TileSpool, _ metadata: ArchiveMetadata, to path: String) throws {
        let tiles = spool.tiles(by: PMTileID.id)
        let zooms = tiles.zooms ?? 0...0
        let plan = Plan(tiles, spool.pictures())
        let directories = try Directories(plan.entries)
        let texts = try Gzip.compress(json(metadata))
        var header = PMTilesHeader()
        var end = UInt64(PMTilesHeader.byteCount)
        func section(_ count: Int) -> PMTilesHeader.Section {
            defer { end += UInt64(count) }
            return PMTilesHeader.Section(offset: end, count: UInt64(count))
        }
        header.root = section(directories.root.count)
        header.metadata = section(texts.count)
        header.leaves = section(directories.leaves.count)
        header.tileData = section(plan.byteCount)
        header.counts = (UInt64(tiles.count), UInt64(plan.entries.count), UInt64(plan.pictures.count))
        header.isClustered = true
        header.tileType = metadata.format.numberInPMTiles
        header.zooms = (UInt8(zooms.lowerBound), UInt8(zooms.upperBound))
        let bounds = metadata.bounds
        header.bounds = [bounds.west, bounds.south, bounds.east, bounds.north].map(e7)
        let center = metadata.center.limited(to: zooms)
        header.center = [e7(center.longitude), e7(center.latitude)]
        header.centerZoom = UInt8(center.zoom)

        let file = try RandomAccessFile(appendingTo: path, access: .shared)
        var block = header.bytes + directories.root + texts + directories.leaves
        for picture in plan.pictures {
            block += try spool.bytes(of: picture)
            guard block.count >= blockBytes else { continue }
            try file.append(block)
            block.removeAll(keepingCapacity: true)
        }
        try file.append(block)
    }

    private static func e7(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }

    /// Where each tile and picture is.
    struct Plan {
        private(set) var entries: [PMTilesEntry] = []
        /// In the order of the file.
        private(set) var pictures: [TileSpool.Picture] = []
        private(set) var byteCount = 0

        /// Plans tiles in the order of their numbers.
        init(_ tiles: [OrderedTile], _ stored: [TileSpool.Picture]) {
            var offsets = [Int?](repeating: nil, count: stored.count)
            for tile in tiles {
                let picture = stored[tile.picture]
                let offset = offsets[tile.picture] ?? byteCount
                if offsets[tile.picture] == nil {
                    offsets[tile.picture] = offset
                    pictures.append(picture)
                    byteCount += picture.count
                }
                // A run continues if both the number and the content do.
                if let last = entries.last, last.offset == UInt64(offset), last.id + UInt64(last.run) == tile.order {
                    entries[entries.count - 1].run += 1
                } else {
                    entries.append(
                        PMTilesEntry(id: tile.order, offset: UInt64(offset), count: UInt32(picture.count), run: 1))
                }
            }
        }
    }

    /// The compressed directories.
    struct Directories {
        let root: [UInt8]
        let leaves: [UInt8]

        init(_ entries: [PMTilesEntry]) throws {
            if entries.count <= rootEntries {
                let root = try Gzip.compress(PMTilesDirectory.bytes(of: entries[...]))
                if root.count <= rootLimit {
                    (self.root, leaves) = (root, [])
                    return
                }
            }
            var size = leafEntries
            while true {
                var (pointers, leaves): ([PMTilesEntry], [UInt8]) = ([], [])
                for start in stride(from: 0, to: entries.count, by: size) {
                    let part = entries[start..<min(start + size, entries.count)]
                    let leaf = try Gzip.compress(PMTilesDirectory.bytes(of: part))
                    pointers.append(
                        PMTilesEntry(
                            id: entries[start].id, offset: UInt64(leaves.count), count: UInt32(leaf.count), run: 0))
                    leaves += leaf
                }
                let root = try Gzip.compress(PMTilesDirectory.bytes(of: pointers[...]))
                if root.count <= rootLimit {
                    (self.root, self.leaves) = (root, leaves)
                    return
                }
                size *= 2
            }
        }
    }

    /// The texts as a JSON object. The members of `json` are among them, as clients of vector tiles expect.
    private static func json(_ metadata: ArchiveMetadata) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            for (name, value) in metadata.texts where name != "json" { json.add(name, value) }
            let more = metadata.texts.first { $0.name == "json" }.map { try? JSONReader.value(Array($0.value.utf8)) }
            for member in more??.members ?? [] where !metadata.texts.contains(where: { $0.name == member.name }) {
                json.key(member.name)
                json.add(member.value)
            }
        }
        return json.bytes
    }
}
