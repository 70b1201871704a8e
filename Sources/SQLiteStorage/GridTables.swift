internal import Database
internal import SQLite
import Text

/// The tables of `grid.sqlite`.
enum GridTables {
    static let definition = TableDefinition(
        // "tsgr" in ASCII: identifies the database as a grid of tileserve.
        applicationID: 0x7473_6772, version: LibraryTables.gridVersion, steps: [statements],
        summed: LibraryTables.grid.map { ChecksummedTable($0, .one) })

    private static let tables = """
        CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE tiles (key INTEGER PRIMARY KEY, digest INTEGER NOT NULL, visits INTEGER NOT NULL,
            cells INTEGER NOT NULL, dense INTEGER NOT NULL, data BLOB NOT NULL);
        CREATE TABLE logs (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE sums (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE histograms (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE lines (key INTEGER PRIMARY KEY, digest INTEGER NOT NULL, bytes INTEGER NOT NULL, data BLOB NOT NULL);
        CREATE TABLE line_logs (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE line_rasters (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE line_codes (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE tracks (number INTEGER PRIMARY KEY, seed INTEGER NOT NULL, activity INTEGER NOT NULL, start INTEGER,
            first_day INTEGER, last_day INTEGER, months BLOB NOT NULL, tiles BLOB NOT NULL);
        CREATE INDEX first_days ON tracks (first_day);
        CREATE INDEX last_days ON tracks (last_day);
        CREATE TABLE activities (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE layers (number INTEGER PRIMARY KEY, name TEXT NOT NULL, condition TEXT NOT NULL, state INTEGER NOT NULL,
            cursor INTEGER NOT NULL, done INTEGER NOT NULL, work INTEGER NOT NULL);
        CREATE TABLE totals (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE visits (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE ledger (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE minutes (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE stays (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE members (key INTEGER PRIMARY KEY, bits BLOB NOT NULL);
        CREATE TABLE layer_rows (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE touched (revision INTEGER PRIMARY KEY, since INTEGER NOT NULL, tiles BLOB NOT NULL);
        """

    /// The statements that create the tables and indices, as SQLite stores them in its schema.
    private static let statements =
        tables.split(separator: ";").map { $0.trimmed }.filter { !$0.isEmpty } + [ChecksummedTable.schema]
}
