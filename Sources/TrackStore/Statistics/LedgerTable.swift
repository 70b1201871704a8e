package import Countries
import Database

// The table `ledger` of the grid: the parts of each track by country. They also depend on the embedded boundaries and
// places, whose digest is in the grid's fingerprint.

extension GridWriter {
    /// Writes the parts of a track by country.
    func write(ledger rows: [LedgerRow], ofTrack number: Int64) throws {
        try write(rows.isEmpty ? nil : LedgerRows.encoded(rows), .ledger, number)
    }
}

extension GridReader {
    /// Calls `body` with each part of each track, by track number; some million parts a second.
    package func forEachLedgerRow(_ body: (_ number: Int64, LedgerRow) throws -> Void) throws {
        try forEachTrackRow(.ledger) { number, bytes in
            try LedgerRows.forEach(in: bytes) { try body(number, $0) }
        }
    }

    /// The parts of a track by country; empty if it has none.
    package func ledger(ofTrack number: Int64) throws -> [LedgerRow] {
        var rows: [LedgerRow] = []
        _ = try trackRow(.ledger, ofTrack: number) { bytes in LedgerRows.forEach(in: bytes) { rows.append($0) } }
        return rows
    }
}
