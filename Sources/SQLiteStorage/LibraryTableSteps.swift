package import Database
internal import SQLite

/// The statements that create and upgrade the tables of a library, for other database systems to translate.
package enum LibraryTableSteps {
    /// `steps[n]` upgrades from version n to n + 1; if there is only one step, it creates all tables. Without the sums of
    /// rows, which are SQLite's.
    package static func steps(of kind: DatabaseKind) -> [[String]] {
        let definition =
            switch kind {
            case .tracks: TrackTables.definition
            case .grid: GridTables.definition
            }
        return definition.steps.map { statements in statements.filter { !$0.contains("row_sum") } }
    }
}
