/// A table with a key and a blob.
package struct BlobTable {
    static let logs = BlobTable("logs", .logs)
    static let sums = BlobTable("sums", .sums)
    static let lineLogs = BlobTable("line_logs", .lineLogs)
    static let lineRasters = BlobTable("line_rasters", .lineRasters)
    static let lineCodes = BlobTable("line_codes", .lineCodes)
    static let layerRows = BlobTable("layer_rows", .layerRows)
    static let members = BlobTable("members", .members, column: "bits")
    static let totals = BlobTable("totals", .totals)
    static let visits = BlobTable("visits", .visits)
    static let ledger = BlobTable("ledger", .ledger)
    static let minutes = BlobTable("minutes", .minutes)
    package static let stays = BlobTable("stays", .stays)

    let name: String
    package let checksum: GridRowChecksum.Table
    /// Inserts or replaces a row.
    let insertion: String
    /// Deletes a row by its key.
    let deletion: String
    /// The blob of a key.
    let selection: String
    /// The keys from one to another, and the deletion of their rows.
    let keysOfRange: String
    let deletionOfRange: String

    private init(_ name: String, _ checksum: GridRowChecksum.Table, column: String = "data") {
        self.name = name
        self.checksum = checksum
        insertion =
            "INSERT INTO \(name) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET \(column) = excluded.\(column)"
        deletion = "DELETE FROM \(name) WHERE key = $1"
        selection = "SELECT \(column) FROM \(name) WHERE key = $1"
        keysOfRange = "SELECT key FROM \(name) WHERE key >= $1 AND key <= $2 ORDER BY key"
        deletionOfRange = "DELETE FROM \(name) WHERE key >= $1 AND key <= $2"
    }
}
