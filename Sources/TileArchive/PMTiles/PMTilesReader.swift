internal import Caching
internal import Decompression
internal import Text
package import TileMath

/// Reads PMTiles 3. The root directory is in memory; leaf directories are cached.
package final class PMTilesReader: TileArchiveReader {
    package let description: ArchiveDescription

    private let file: any ByteSource
    private let name: String
    private let header: PMTilesHeader
    private let root: [PMTilesEntry]
    private let leaves = SharedCache<UInt64, [PMTilesEntry]>(costLimit: cacheBytes)

    /// Leaf directories in memory: those of a few thousand requests of a planet.
    private static let cacheBytes = 32 << 20
    /// Directories of a planet have less than 100,000 entries of up to ten bytes.
    private static let directoryLimit = 4 << 20
    private static let metadataLimit = 16 << 20
    /// Levels of directories: the root and, in practice, one below. A file may have leaves that point to themselves.
    private static let depthLimit = 4

    /// Reads header, root directory and metadata; `name` is shown in errors.
    package init(_ file: any ByteSource, name: String) throws {
        let fileBytes = UInt64(try file.byteCount)
        let start = try file.bytes(at: 0, count: PMTilesHeader.byteCount)
        guard let header = PMTilesHeader(start) else { throw Self.unreadable(start, name) }
        guard [header.internalCompression, header.tileCompression].allSatisfy({ $0 != .brotli && $0 != .zstd }) else {
            throw ArchiveError(
                name, "it is compressed with brotli or zstd", "make it with gzip, or without compression")
        }
        for section in [header.root, header.metadata, header.leaves, header.tileData] {
            guard let end = section.end, end <= fileBytes else {
                throw ArchiveError.damaged(name, "it ends before its header says")
            }
        }
        guard let format = TileFormat(numberInPMTiles: header.tileType) else {
            throw ArchiveError(
                name, "its tiles are of an unknown format (\(header.tileType))", "use PNG, JPEG, WebP or vector tiles")
        }
        guard let zooms = ArchiveDescription.zooms(Int(header.zooms.lowest), Int(header.zooms.deepest)) else {
            throw ArchiveError.damaged(name, "its zoom levels are not within 0 to 22")
        }
        self.file = file
        self.name = name
        self.header = header
        root = try Self.directory(file, header.root, header.internalCompression, name)
        var description = ArchiveDescription(format: format, zooms: zooms)
        description.setPositions(header)
        let texts = try Self.section(
            file, header.metadata, header.internalCompression, limit: Self.metadataLimit, name)
        guard header.metadata.count == 0 || Self.read(texts, into: &description) else {
            throw ArchiveError.damaged(name, "its metadata is not a JSON object")
        }
        self.description = description
    }

    package func tile(_ tile: TileCoordinate) throws -> StoredTile? {
        let id = PMTileID.id(of: tile)
        var entries = root
        for _ in 0..<Self.depthLimit {
            guard let entry = PMTilesDirectory.entry(for: id, in: entries) else { return nil }
            if entry.run > 0 { return try stored(entry) }
            entries = try leaf(entry)
        }
        throw ArchiveError.damaged(name, "its directories have more than \(Self.depthLimit) levels")
    }

    private func stored(_ entry: PMTilesEntry) throws -> StoredTile {
        let bytes = try Self.bytes(file, part(entry, of: header.tileData), limit: StoredTile.byteLimit, name)
        let isGzipped =
            header.tileCompression == .gzip || header.tileCompression == .unknown && Gzip.recognises(bytes)
        guard isGzipped, description.format.isRaster else { return StoredTile(bytes: bytes, isGzipped: isGzipped) }
        return StoredTile(
            bytes: try Self.decompressed(bytes, limit: StoredTile.byteLimit, name), isGzipped: false)
    }

    private func leaf(_ entry: PMTilesEntry) throws -> [PMTilesEntry] {
        try leaves.value(for: entry.offset, cost: { $0.count * MemoryLayout<PMTilesEntry>.stride + 64 }) {
            let entries = try Self.directory(
                file, part(entry, of: header.leaves), header.internalCompression, name)
            guard let first = entries.first, first.id >= entry.id else {
                throw ArchiveError.damaged(name, "a directory has not the tiles that the one above says")
            }
            return entries
        }
    }

    /// The part of the file that an entry names.
    private func part(_ entry: PMTilesEntry, of section: PMTilesHeader.Section) throws -> PMTilesHeader.Section {
        let (end, isTooLarge) = entry.offset.addingReportingOverflow(UInt64(entry.count))
        guard !isTooLarge, end <= section.count else {
            throw ArchiveError.damaged(name, "a directory names bytes behind the end")
        }
        return PMTilesHeader.Section(offset: section.offset + entry.offset, count: UInt64(entry.count))
    }

    // MARK: Parts of the file

    private static func unreadable(_ start: [UInt8], _ name: String) -> ArchiveError {
        // Versions 1 and 2 begin with PM and a number of two bytes.
        if start.count > 7, start.starts(with: PMTilesHeader.magic) {
            return start[7] == PMTilesHeader.version
                ? .damaged(name, "its header is incomplete")
                : ArchiveError(name, "it is PMTiles of version \(start[7])", "convert it to version 3")
        }
        if start.count > 3, start[2] == 1 || start[2] == 2, start[3] == 0 {
            return ArchiveError(name, "it is PMTiles of version \(start[2])", "convert it to version 3")
        }
        return .damaged(name, "its header is incomplete")
    }

    private static func bytes(
        _ file: any ByteSource, _ section: PMTilesHeader.Section, limit: Int, _ name: String
    ) throws -> [UInt8] {
        guard section.count <= UInt64(limit), let offset = Int64(exactly: section.offset) else {
            throw ArchiveError.damaged(name, "a part of it has more than \(limit >> 20) MiB")
        }
        let bytes = try file.bytes(at: offset, count: Int(section.count))
        guard bytes.count == Int(section.count) else {
            throw ArchiveError.damaged(name, "it ends before its directories say")
        }
        return bytes
    }

    /// A part without its compression.
    private static func section(
        _ file: any ByteSource, _ section: PMTilesHeader.Section, _ compression: PMTilesHeader.Compression, limit: Int,
        _ name: String
    ) throws -> [UInt8] {
        let bytes = try bytes(file, section, limit: limit, name)
        guard compression == .gzip || compression == .unknown && Gzip.recognises(bytes), !bytes.isEmpty else {
            return bytes
        }
        return try decompressed(bytes, limit: limit, name)
    }

    private static func decompressed(_ bytes: [UInt8], limit: Int, _ name: String) throws -> [UInt8] {
        do { return try Gzip.decompressed(bytes, limit: limit) } catch {
            throw ArchiveError.damaged(name, "a part of it cannot be decompressed to up to \(limit >> 20) MiB")
        }
    }

    private static func directory(
        _ file: any ByteSource, _ place: PMTilesHeader.Section, _ compression: PMTilesHeader.Compression,
        _ name: String
    ) throws -> [PMTilesEntry] {
        let bytes = try section(file, place, compression, limit: directoryLimit, name)
        guard let entries = PMTilesDirectory.entries(bytes) else {
            throw ArchiveError.damaged(name, "a directory cannot be read")
        }
        return entries
    }

    private static func read(_ json: [UInt8], into description: inout ArchiveDescription) -> Bool {
        guard case .object(let members)? = try? JSONReader.value(json) else { return false }
        for member in members {
            if let text = member.value.text { description.set(member.name, text) }
        }
        description.setVectorLayers(of: .object(members))
        // Programs that convert MBTiles leave its metadata `json` as the text that it is there.
        if description.vectorLayers.isEmpty, case .text(let text)? = JSONValue.object(members)["json"],
            let value = try? JSONReader.value(Array(text.utf8))
        {
            description.setVectorLayers(of: value)
        }
        return true
    }
}

extension ArchiveDescription {
    /// Reads bounds and centre of a header, as far as they are places on Earth.
    fileprivate mutating func setPositions(_ header: PMTilesHeader) {
        let edges = header.bounds.map { Double($0) / 1e7 }
        if edges[0] < edges[2], edges[1] < edges[3] {
            bounds = BoundingBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
        }
        let place = header.center.map { Double($0) / 1e7 }
        if abs(place[0]) <= 180, abs(place[1]) <= 90, zooms.contains(Int(header.centerZoom)) {
            center = MapCenter(longitude: place[0], latitude: place[1], zoom: Int(header.centerZoom))
        }
    }
}
