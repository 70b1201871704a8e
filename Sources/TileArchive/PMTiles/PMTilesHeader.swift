internal import TileMath

/// The first 127 bytes of a PMTiles file of version 3.
struct PMTilesHeader: Equatable {
    /// A part of the file.
    struct Section: Equatable {
        var offset: UInt64 = 0
        var count: UInt64 = 0

        /// The offset after the last byte; nil if it does not fit in 64 bits.
        var end: UInt64? {
            let (end, isTooLarge) = offset.addingReportingOverflow(count)
            return isTooLarge ? nil : end
        }
    }

    enum Compression: UInt8 {
        case unknown = 0
        case none = 1
        case gzip = 2
        case brotli = 3
        case zstd = 4
    }

    var root = Section()
    var metadata = Section()
    var leaves = Section()
    var tileData = Section()
    /// Tiles; entries of directories that are tiles; different contents.
    var counts: (addressed: UInt64, entries: UInt64, contents: UInt64) = (0, 0, 0)
    var isClustered = false
    var internalCompression = Compression.gzip
    var tileCompression = Compression.none
    /// The number of the format of tiles.
    var tileType: UInt8 = 0
    var zooms: (lowest: UInt8, deepest: UInt8) = (0, 0)
    /// West, south, east, north, in 1e-7°.
    var bounds: [Int32] = [0, 0, 0, 0]
    /// Longitude and latitude, in 1e-7°.
    var center: [Int32] = [0, 0]
    var centerZoom: UInt8 = 0

    static let byteCount = 127
    static let magic = Array("PMTiles".utf8)
    static let version: UInt8 = 3

    init() {}

    /// Reads a header; nil if it is not one of version 3. Its numbers are those of the file, unchecked.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic), bytes[7] == Self.version,
            let internalCompression = Compression(rawValue: bytes[97]),
            let tileCompression = Compression(rawValue: bytes[98])
        else { return nil }
        let sections = (0..<4).map { index in
            Section(
                offset: LittleEndian.number(bytes, at: 8 + 16 * index),
                count: LittleEndian.number(bytes, at: 16 + 16 * index))
        }
        (root, metadata, leaves, tileData) = (sections[0], sections[1], sections[2], sections[3])
        counts = (
            LittleEndian.number(bytes, at: 72), LittleEndian.number(bytes, at: 80), LittleEndian.number(bytes, at: 88)
        )
        isClustered = bytes[96] == 1
        self.internalCompression = internalCompression
        self.tileCompression = tileCompression
        tileType = bytes[99]
        zooms = (bytes[100], bytes[101])
        bounds = (0..<4).map { LittleEndian.number(bytes, at: 102 + 4 * $0, as: Int32.self) }
        centerZoom = bytes[118]
        center = (0..<2).map { LittleEndian.number(bytes, at: 119 + 4 * $0, as: Int32.self) }
    }

    var bytes: [UInt8] {
        var bytes = Self.magic + [Self.version]
        for section in [root, metadata, leaves, tileData] {
            LittleEndian.append(section.offset, to: &bytes)
            LittleEndian.append(section.count, to: &bytes)
        }
        for count in [counts.addressed, counts.entries, counts.contents] { LittleEndian.append(count, to: &bytes) }
        bytes += [
            isClustered ? 1 : 0, internalCompression.rawValue, tileCompression.rawValue, tileType, zooms.lowest,
            zooms.deepest,
        ]
        for edge in bounds { LittleEndian.append(edge, to: &bytes) }
        bytes.append(centerZoom)
        for coordinate in center { LittleEndian.append(coordinate, to: &bytes) }
        return bytes
    }

    static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
}

extension TileFormat {
    /// The number of the format in a header.
    var numberInPMTiles: UInt8 {
        switch self {
        case .mvt: 1
        case .png: 2
        case .jpg: 3
        case .webp: 4
        }
    }

    /// The format of a number in a header; nil for others, such as AVIF.
    init?(numberInPMTiles number: UInt8) {
        guard let format = Self.allCases.first(where: { $0.numberInPMTiles == number }) else { return nil }
        self = format
    }
}
