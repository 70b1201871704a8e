internal import Text

/// An entry of a directory: a run of tiles with the same content, or a directory one level below.
struct PMTilesEntry: Equatable, Sendable {
    /// The number of the first tile.
    var id: UInt64
    /// Within the section of tiles, or of leaf directories.
    var offset: UInt64
    var count: UInt32
    /// The number of tiles; 0 for a directory.
    var run: UInt32
}

/// The directories of PMTiles, without their compression: columns of varints.
enum PMTilesDirectory {
    /// The bytes of a directory.
    static func bytes(of entries: ArraySlice<PMTilesEntry>) -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(UInt64(entries.count), to: &bytes)
        var last: UInt64 = 0
        for entry in entries {
            Varint.append(entry.id - last, to: &bytes)
            last = entry.id
        }
        for entry in entries { Varint.append(UInt64(entry.run), to: &bytes) }
        for entry in entries { Varint.append(UInt64(entry.count), to: &bytes) }
        // 0: the content follows that of the entry before.
        var end: UInt64?
        for entry in entries {
            Varint.append(entry.offset == end ? 0 : entry.offset + 1, to: &bytes)
            end = entry.offset + UInt64(entry.count)
        }
        return bytes
    }

    /// The entries of a directory; nil if the bytes are none: they end early, ids do not rise, or numbers are too large.
    static func entries(_ bytes: [UInt8]) -> [PMTilesEntry]? {
        try? read(bytes)
    }

    private struct Invalid: Error {}

    private static func read(_ bytes: [UInt8]) throws -> [PMTilesEntry] {
        let span = bytes.span
        var position = 0
        func next() throws -> UInt64 { try Varint.read(span, &position, end: span.count) }
        let count = try next()
        // Each entry takes at least four bytes.
        guard count <= UInt64(bytes.count / 4) else { throw Invalid() }
        var entries: [PMTilesEntry] = []
        entries.reserveCapacity(Int(count))
        var id: UInt64 = 0
        for index in 0..<Int(count) {
            let step = try next()
            let (sum, isTooLarge) = id.addingReportingOverflow(step)
            guard !isTooLarge, index == 0 || step > 0 else { throw Invalid() }
            id = sum
            entries.append(PMTilesEntry(id: id, offset: 0, count: 0, run: 0))
        }
        for index in entries.indices {
            guard let run = UInt32(exactly: try next()) else { throw Invalid() }
            entries[index].run = run
        }
        for index in entries.indices {
            guard let length = UInt32(exactly: try next()), length > 0 else { throw Invalid() }
            entries[index].count = length
        }
        var end: UInt64?
        for index in entries.indices {
            let number = try next()
            guard let offset = number == 0 ? end : number - 1 else { throw Invalid() }
            entries[index].offset = offset
            let (sum, isTooLarge) = offset.addingReportingOverflow(UInt64(entries[index].count))
            guard !isTooLarge else { throw Invalid() }
            end = sum
        }
        return entries
    }

    /// The entry that has a tile, or the directory that may have it; nil if there is none.
    static func entry(for id: UInt64, in entries: [PMTilesEntry]) -> PMTilesEntry? {
        // The last entry that does not begin behind the tile.
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id <= id { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.run == 0 || id - entry.id < UInt64(entry.run) ? entry : nil
    }
}
