public import Digest
internal import Files
internal import Locking
internal import Text
public import TileMath

/// The tiles of an archive that is being made, in a file beside it.
///
/// Archives have their tiles in an order of their own, which is not that in which they are drawn, and end with an index.
/// So tiles are appended to this file first; equal pictures are stored once. What was appended before an interruption is
/// found again. One thread at a time may store; any may ask.
public final class TileSpool: Sendable {
    /// A tile to store.
    public struct Tile: Sendable {
        public var tile: TileCoordinate
        /// The digest of what the picture was drawn from.
        public var source: ContentDigest
        public var bytes: [UInt8]

        public init(tile: TileCoordinate, source: ContentDigest, bytes: [UInt8]) {
            self.tile = tile
            self.source = source
            self.bytes = bytes
        }
    }

    /// The bytes of a picture in the file.
    struct Picture: Sendable {
        var offset: Int64
        var count: Int
    }

    fileprivate struct Entry {
        /// An index of `pictures`.
        var picture: Int
        /// The first 64 bits of the digest of what it was drawn from.
        var source: UInt64
    }

    fileprivate struct State {
        /// By `TileKey`'s order: zoom level and Morton code.
        var tiles: [TileCoordinate: Entry] = [:]
        var pictures: [Picture] = []
        var pictureOfContent: [ContentDigest: Int] = [:]
        var end: Int64
    }

    private let file: RandomAccessFile
    private let lock: LockFile
    private let state: Locked<State>

    /// "tstiles" and the version of this format.
    private static let magic = Array("tstiles1".utf8)
    private static let headerBytes = Int64(8 + ContentDigest.byteCount)
    /// The number of tiles of a batch, the number of bytes of its pictures, the checksum of all of it.
    private static let batchHeaderBytes = 24
    /// A tile of a batch: its zoom level and Morton code, the source, the content, the number of bytes; no bytes if the
    /// picture is stored already.
    private static let entryBytes = 16 + ContentDigest.byteCount + 8

    /// The file in which the tiles of the archive at `path` are collected.
    public static func path(of archive: String) -> String { archive + ".tiles.part" }

    /// Opens the file at `path`, which another process must not have open. If `resumes`, tiles that it contains of the
    /// same `job` are kept; else it is emptied.
    public init(path: String, job: ContentDigest, resumes: Bool) throws {
        guard let lock = try LockFile.take(path) else {
            throw ArchiveError(
                path, "another process is writing the archive", "wait until it has finished", isInUse: true)
        }
        self.lock = lock
        file = try RandomAccessFile(appendingTo: path)
        let header = Self.magic + job.bytes
        let isKnown = try resumes && file.read(at: 0, count: header.count) == header
        var state = State(end: Self.headerBytes)
        if isKnown {
            while let batch = try Self.batch(of: file, at: state.end) { state.add(batch) }
            try file.truncate(to: state.end)
        } else {
            try file.truncate(to: 0)
            try file.append(header)
        }
        self.state = Locked(state)
    }

    /// The number of tiles.
    public var count: Int { state.withLock { $0.tiles.count } }

    /// Whether a tile is there that was drawn from what `source` identifies.
    public func holds(_ tile: TileCoordinate, source: ContentDigest) -> Bool {
        state.withLock { $0.tiles[tile]?.source == source.first64 }
    }

    /// Appends tiles; those with the coordinates of earlier ones replace these.
    public func store(_ tiles: [Tile]) throws {
        guard !tiles.isEmpty else { return }
        let contents = tiles.map { ContentDigest(of: $0.bytes) }
        var batch = Batch()
        state.withLock { state in
            batch.start = state.end
            var isNew: Set<ContentDigest> = []
            for (tile, content) in zip(tiles, contents) {
                let isStored = state.pictureOfContent[content] != nil || !isNew.insert(content).inserted
                batch.entries.append(
                    BatchEntry(
                        tile: tile.tile, source: tile.source.first64, content: content,
                        count: isStored ? 0 : tile.bytes.count))
                if !isStored { batch.pictures += tile.bytes }
            }
        }
        try file.append(Self.bytes(of: batch))
        state.withLock { $0.add(batch) }
    }

    /// Drops the tiles that `fits` does not accept, and returns their number.
    public func drop(where fits: (TileCoordinate) -> Bool) -> Int {
        state.withLock { state in
            let count = state.tiles.count
            state.tiles = state.tiles.filter { !fits($0.key) }
            return count - state.tiles.count
        }
    }

    /// Removes the file.
    public func remove() throws {
        try AtomicFile.remove(file.path)
    }

    // MARK: Reading

    /// All tiles with the index of their picture, in no order.
    func tiles() -> [(tile: TileCoordinate, picture: Int)] {
        state.withLock { state in state.tiles.map { ($0.key, $0.value.picture) } }
    }

    /// The pictures, of which some may not belong to a tile any more.
    func pictures() -> [Picture] { state.withLock { $0.pictures } }

    /// The bytes of a picture.
    func bytes(of picture: Picture) throws -> [UInt8] {
        let bytes = try file.read(at: picture.offset, count: picture.count)
        guard bytes.count == picture.count else {
            throw ArchiveError.damaged(file.path, "it was cut while it was open")
        }
        return bytes
    }

    // MARK: Batches

    fileprivate struct BatchEntry {
        var tile: TileCoordinate
        var source: UInt64
        var content: ContentDigest
        /// 0 if the picture is stored already.
        var count: Int
    }

    /// What one call of `store` appends.
    fileprivate struct Batch {
        var start: Int64 = 0
        var entries: [BatchEntry] = []
        var pictures: [UInt8] = []

        /// The offset of the first picture.
        var picturesStart: Int64 {
            start + Int64(TileSpool.batchHeaderBytes + entries.count * TileSpool.entryBytes)
        }
    }

    private static func bytes(of batch: Batch) -> [UInt8] {
        var entries: [UInt8] = []
        entries.reserveCapacity(batch.entries.count * entryBytes)
        for entry in batch.entries {
            LittleEndian.append(UInt64(entry.tile.zoom.number) << 56 | entry.tile.morton, to: &entries)
            LittleEndian.append(entry.source, to: &entries)
            entries += entry.content.bytes
            LittleEndian.append(UInt64(entry.count), to: &entries)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(batchHeaderBytes + entries.count + batch.pictures.count)
        LittleEndian.append(UInt64(batch.entries.count), to: &bytes)
        LittleEndian.append(UInt64(batch.pictures.count), to: &bytes)
        LittleEndian.append(checksum(entries, batch.pictures), to: &bytes)
        return bytes + entries + batch.pictures
    }

    private static func checksum(_ entries: [UInt8], _ pictures: [UInt8]) -> UInt64 {
        var checksum = Checksum64()
        checksum.update(entries.span)
        checksum.update(pictures.span)
        return checksum.value
    }

    /// The batch at an offset; nil if it is not complete, as the last one after an interruption.
    private static func batch(of file: RandomAccessFile, at start: Int64) throws -> Batch? {
        let header = try file.read(at: start, count: batchHeaderBytes)
        guard header.count == batchHeaderBytes else { return nil }
        let rest = try file.byteCount - start - Int64(batchHeaderBytes)
        let count = LittleEndian.number(header, at: 0)
        let pictureBytes = LittleEndian.number(header, at: 8)
        guard count > 0, count <= UInt64(rest) / UInt64(entryBytes),
            pictureBytes <= UInt64(rest) - count * UInt64(entryBytes)
        else { return nil }
        let entriesStart = start + Int64(batchHeaderBytes)
        let entries = try file.read(at: entriesStart, count: Int(count) * entryBytes)
        let pictures = try file.read(at: entriesStart + Int64(entries.count), count: Int(pictureBytes))
        guard checksum(entries, pictures) == LittleEndian.number(header, at: 16) else { return nil }
        var batch = Batch(start: start, pictures: pictures)
        for place in stride(from: 0, to: entries.count, by: entryBytes) {
            let key = LittleEndian.number(entries, at: place)
            let digestStart = place + 16
            guard let zoom = ZoomLevel(Int(key >> 56)),
                let tile = TileCoordinate(zoom: zoom, morton: key & (1 << 56 - 1)),
                let content = ContentDigest(
                    bytes: Array(entries[digestStart..<digestStart + ContentDigest.byteCount]))
            else { return nil }
            batch.entries.append(
                BatchEntry(
                    tile: tile, source: LittleEndian.number(entries, at: place + 8), content: content,
                    count: Int(LittleEndian.number(entries, at: digestStart + ContentDigest.byteCount))))
        }
        return batch
    }
}

extension TileSpool.State {
    fileprivate mutating func add(_ batch: TileSpool.Batch) {
        var offset = batch.picturesStart
        for entry in batch.entries {
            if entry.count > 0 {
                pictureOfContent[entry.content] = pictures.count
                pictures.append(TileSpool.Picture(offset: offset, count: entry.count))
                offset += Int64(entry.count)
            }
            // Another version may have written what this one does not find; then the tile is drawn again.
            guard let picture = pictureOfContent[entry.content] else { continue }
            tiles[entry.tile] = TileSpool.Entry(picture: picture, source: entry.source)
        }
        end = batch.picturesStart + Int64(batch.pictures.count)
    }
}
