import Database
import Digest

/// Damage of a grid, found while reading it.
struct GridDamage: Error {
    var what: String
}

/// The checksum of a row of the grid, stored in the last 8 bytes of its blob, so that bytes that were not written for
/// this tile are never drawn.
///
/// `row_sum` has sums of the same rows for another question: a row that is missing looks like an empty tile to its reader,
/// and only the sum of the whole table tells. Both together are 0.3 % of the instructions of an import.
package struct GridRowChecksum {
    /// The table of the row; the same bytes in another table have another checksum. The raw values are part of stored
    /// checksums: new tables are added at the end.
    package enum Table: UInt64 {
        case tiles, logs, sums, histograms, lines, lineLogs, trackTiles, trackMonths, members, layerRows, touched,
            totals, visits, ledger, stays, minutes, lineRasters, lineCodes
    }

    private var checksum: Checksum64
    static let byteCount = 8

    /// The checksum of a row; its other columns are added with `adding`.
    init(_ table: Table, key: Int64) {
        checksum = Checksum64(seed: table.rawValue)
        checksum.update(UInt64(bitPattern: key))
    }

    /// The checksum of a row with one more column.
    func adding(_ number: Int64) -> GridRowChecksum {
        var checksum = self
        checksum.checksum.update(UInt64(bitPattern: number))
        return checksum
    }

    /// The checksum of a tile's header row.
    static func tile(_ key: UInt64, digest: Int64, visits: Int64, cells: Int64, dense: Int64) -> GridRowChecksum {
        GridRowChecksum(.tiles, key: Int64(bitPattern: key)).adding(digest).adding(visits).adding(cells).adding(dense)
    }

    /// The checksum of the row of a track.
    static func track(
        _ number: Int64, digest: Int64, activity: Int64, start: Int64?, days: (first: Int64?, last: Int64?)
    ) -> GridRowChecksum {
        // A missing time or day is encoded as the smallest number, which is never used otherwise.
        let (start, first, last) = (start ?? .min, days.first ?? .min, days.last ?? .min)
        return GridRowChecksum(.trackMonths, key: number).adding(digest).adding(activity).adding(start).adding(first)
            .adding(
                last)
    }

    private func value(_ bytes: borrowing Span<UInt8>) -> UInt64 {
        var checksum = checksum
        checksum.update(bytes)
        return checksum.value
    }

    /// The blob with its checksum, as it is stored.
    func blobWithChecksum(_ bytes: [UInt8]) -> Value {
        let value = value(bytes.span)
        var blob = bytes
        blob.reserveCapacity(bytes.count + Self.byteCount)
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            blob.append(UInt8(truncatingIfNeeded: value >> shift))
        }
        return .blob(blob)
    }

    /// Calls `body` with the bytes of a blob; throws `GridDamage` if they do not match the checksum.
    func verify<Result>(_ blob: borrowing Span<UInt8>, _ body: (borrowing Span<UInt8>) throws -> Result) throws
        -> Result
    {
        let count = blob.count - Self.byteCount
        guard count >= 0 else { throw GridDamage(what: "a row is truncated") }
        var stored: UInt64 = 0
        for index in count..<blob.count { stored = stored << 8 | UInt64(blob[index]) }
        let bytes = blob.extracting(0..<count)
        guard value(bytes) == stored else { throw GridDamage(what: "the checksum of a row is wrong") }
        return try body(bytes)
    }
}

extension Row {
    /// Calls `body` with the bytes of a blob with checksum, in the database's memory.
    func withCheckedBlob<Result>(
        _ column: Int, _ checksum: GridRowChecksum, _ body: (borrowing Span<UInt8>) throws -> Result
    ) throws -> Result {
        try withBlob(column) { try checksum.verify($0, body) }
    }

    /// A copy of the bytes of a blob with checksum.
    func checkedBlob(_ column: Int, _ checksum: GridRowChecksum) throws -> [UInt8] {
        let count = try withBlob(column) { span in try checksum.verify(span) { $0.count } }
        var bytes = blob(column)
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
