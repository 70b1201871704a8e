import Digest
import SQLite

/// What was found damaged in a grid while it was read.
struct GridDamage: Error {
    var what: String
}

/// The checksum of a row of the grid, which stands in the last 8 bytes of its blob: so that no bytes are drawn that were not
/// written for this tile.
struct GridRowChecksum {
    /// Whose rows they are; the same bytes in another table are no row of it.
    enum Table: UInt64 {
        case tiles, logs, sums, histograms, lines, lineLogs, trackTiles, trackMonths, members, layerRows, touched
    }

    private var checksum: Checksum64
    static let byteCount = 8

    /// The seal of a row; what stands in its other columns is added.
    init(_ table: Table, key: Int64) {
        checksum = Checksum64(seed: table.rawValue)
        checksum.update(UInt64(bitPattern: key))
    }

    /// The seal of a row with one more column.
    func adding(_ number: Int64) -> GridRowChecksum {
        var seal = self
        seal.checksum.update(UInt64(bitPattern: number))
        return seal
    }

    /// The seal of a tile's head.
    static func tile(_ key: UInt64, digest: Int64, visits: Int64, cells: Int64, dense: Int64) -> GridRowChecksum {
        GridRowChecksum(.tiles, key: Int64(bitPattern: key)).adding(digest).adding(visits).adding(cells).adding(dense)
    }

    /// The seal of what the grid knows of a track.
    static func track(
        _ number: Int64, seed: Int64, activity: Int64, start: Int64?, days: (first: Int64?, last: Int64?)
    ) -> GridRowChecksum {
        // No time and no day is like any of these.
        let (start, first, last) = (start ?? .min, days.first ?? .min, days.last ?? .min)
        return GridRowChecksum(.trackMonths, key: number).adding(seed).adding(activity).adding(start).adding(first)
            .adding(
                last)
    }

    private func value(_ bytes: borrowing Span<UInt8>) -> UInt64 {
        var checksum = checksum
        checksum.update(bytes)
        return checksum.value
    }

    /// A blob as it is stored.
    func sealed(_ bytes: [UInt8]) -> Value {
        let value = value(bytes.span)
        var blob = bytes
        blob.reserveCapacity(bytes.count + Self.byteCount)
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            blob.append(UInt8(truncatingIfNeeded: value >> shift))
        }
        return .blob(blob)
    }

    /// Hands the bytes of a blob to `body`; throws `GridDamage` where they are not those that were sealed.
    func open<Result>(_ blob: borrowing Span<UInt8>, _ body: (borrowing Span<UInt8>) throws -> Result) throws -> Result
    {
        let count = blob.count - Self.byteCount
        guard count >= 0 else { throw GridDamage(what: "a row is cut off") }
        var stored: UInt64 = 0
        for index in count..<blob.count { stored = stored << 8 | UInt64(blob[index]) }
        let bytes = blob.extracting(0..<count)
        guard value(bytes) == stored else { throw GridDamage(what: "a row is not as it was written") }
        return try body(bytes)
    }
}

extension Statement {
    /// Lends the bytes of a sealed BLOB where SQLite has them.
    func withSealed<Result>(
        _ column: Int, _ seal: GridRowChecksum, _ body: (borrowing Span<UInt8>) throws -> Result
    ) throws -> Result {
        try withBlob(column) { try seal.open($0, body) }
    }

    /// A copy of the bytes of a sealed BLOB.
    func sealedBlob(_ column: Int, _ seal: GridRowChecksum) throws -> [UInt8] {
        let count = try withBlob(column) { span in try seal.open(span) { $0.count } }
        var bytes = blob(column)
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
