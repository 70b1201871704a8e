internal import Database
internal import Tracks

/// A spill file for points of open recordings: blocks in a temporary database, which is deleted with this object.
final class PointSpillFile {
    /// The processing state of a block.
    enum Kind: Int, Sendable {
        /// A full chunk, digested and measured.
        case full
        /// Other points, neither digested nor measured.
        case raw
    }

    private let session: any Session
    // Keeps the data while it is in use.
    private let database: any TemporaryDatabase
    private var count: UInt32 = 0

    /// Creates the spill file in a new database with the table `block`.
    init(in database: any TemporaryDatabase) throws {
        self.database = database
        session = try database.session()
        // One transaction that is never committed.
        try session.begin(.writing)
    }

    /// Stores a block of a recording and returns its number. `before` is the recording's previous block: only this file
    /// stores which blocks belong to a recording.
    func write(_ data: [UInt8], _ kind: Kind, behind before: UInt32?) throws -> UInt32 {
        let (number, overflow) = count.addingReportingOverflow(1)
        guard !overflow else { throw RecordingRejected("more than \(UInt32.max) blocks of open recordings") }
        count = number
        try session.run(
            "INSERT INTO block VALUES ($1, $2, $3, $4)",
            [
                .integer(Int64(number)), .integer(kind.rawValue), before.map { .integer(Int64($0)) } ?? .null,
                .blob(data),
            ])
        return number
    }

    /// The blocks of a recording up to its newest, in the order in which they were stored.
    func blocks(upTo newest: UInt32) throws -> [UInt32] {
        var blocks = [newest]
        while let last = blocks.last,
            let before = try session.integer("SELECT before FROM block WHERE number = $1", [.integer(Int64(last))])
        {
            blocks.append(UInt32(clamping: before))
        }
        return blocks.reversed()
    }

    /// Reads a stored block.
    func read(_ number: UInt32) throws -> (kind: Kind, data: [UInt8]) {
        let found = try session.first("SELECT kind, data FROM block WHERE number = $1", [.integer(Int64(number))]) {
            (Kind(rawValue: Int($0.integer(0))), $0.blob(1))
        }
        guard let found, let kind = found.0 else {
            throw LibraryError.damaged(path: session.databaseName, what: "points of an open recording are missing")
        }
        return (kind, found.1)
    }
}
