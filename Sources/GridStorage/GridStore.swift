package import Database
import Foundation
package import HeatGrid
import Locking
import Malloc
import PrimaryStore
package import Tracks

/// The database `grid.sqlite`: the grids of all zoom levels, derived from the primary store. It is rebuilt when it does
/// not match the primary store or is damaged.
package final class GridStore: Sendable {
    /// Names the grid in messages: the path of `grid.sqlite`.
    package var path: String { database.name }
    let storage: any LibraryStorage
    let database: any Database
    let rule: SumRule
    private let help: BuildHelp?
    /// Whether the grid is opened read-only.
    var isReadOnly: Bool { database.isReadOnly }
    private let state = Locked(State())

    private struct State {
        /// The damage that was found, until the grid is rebuilt.
        var damage: String?
        /// The damages that were repaired since `takeRepairs` was last called.
        var repaired: [String] = []
    }

    /// Opens the grid of a library or creates an empty one; a grid that is damaged or of another version is replaced.
    ///
    /// With `isReadOnly`, it is opened without a change.
    package init(
        _ storage: any LibraryStorage, rule: SumRule = SumRule(), isReadOnly: Bool = false,
        jobPoints: Int = BuildHelp.defaultJobPoints
    ) throws {
        self.storage = storage
        help = isReadOnly ? nil : storage.jobs.map { BuildHelp(jobs: $0, storage: storage, jobPoints: jobPoints) }
        self.rule = rule
        database = try storage.database(.grid, isReadOnly: isReadOnly)
        guard !isReadOnly else {
            guard try database.snapshot({ try database.schemaState(in: $0) }) == .current else {
                throw LibraryError.gridDamaged(path: path, what: "it is of another version")
            }
            return
        }
        if let damage = try prepare() { state.withLock { $0.repaired.append(damage) } }
    }

    /// A number that changes with every commit, see `Database.changeToken`.
    package func version() throws -> Int64 { try database.changeToken() }

    /// How often this process has waited for an answer of the server of the database.
    package var roundTrips: Int { database.roundTrips }

    /// Calls `body` with a snapshot of the grid.
    ///
    /// Throws `LibraryError.gridDamaged` if damage is found; the next `catchUp` then rebuilds the grid.
    package func read<Result>(_ body: (GridReader) throws -> Result) throws -> Result {
        do {
            return try database.snapshot { try body(GridReader($0)) }
        } catch let error as GridDamage {
            throw recordDamage(error.what)
        } catch let error as StoreError where isDamage(error) {
            throw recordDamage(error.message)
        }
    }

    /// Compares all rows with their sums: a reader cannot distinguish a tile whose row is missing from an empty one.
    /// Reads the whole file: 1 GB/s.
    ///
    /// Throws `LibraryError.gridDamaged` as `read` does.
    package func checkRows() throws {
        try read { reader in
            guard let altered = try reader.session.alteredBlocks(of: nil).first else { return }
            throw GridDamage(what: "rows of table \(altered.table) were altered")
        }
    }

    /// Whether damage was found, so that the grid has to be rebuilt.
    package var isDamaged: Bool { state.withLock { $0.damage != nil } }

    /// The damages of grids that were repaired since the last call.
    package func takeRepairs() -> [String] {
        state.withLock { state in
            defer { state.repaired = [] }
            return state.repaired
        }
    }

    /// Checks whether the database was replaced or deleted since the readers opened it; if so, they open the one that is
    /// there now.
    package func poll() {
        guard !isReadOnly, !database.refresh() else { return }
        state.withLock { $0.damage = $0.damage ?? "the file is missing" }
    }

    private func recordDamage(_ what: String) -> LibraryError {
        state.withLock { $0.damage = what }
        return .gridDamaged(path: path, what: what)
    }

    /// Whether an error concerns the content of the file: damaged pages, unexpected tables, or a file that was deleted
    /// while it was open.
    private func isDamage(_ error: StoreError) -> Bool {
        error.kind == .damaged || error.kind == .schemaMismatch
            || error.kind == .cannotOpen && !database.exists() && !isReadOnly
    }

    /// Updates the grid to the newest revision of the primary store. If it does not descend from the store's change
    /// log, if rules or time zone have changed, or if it is damaged, it is rebuilt. One process does so at a time;
    /// others wait.
    package func catchUp(
        with source: any GridSource, calendar: DayCalendar, rebuilding: Bool = false,
        memoryBytes: Int = GridStore.defaultMemoryBytes,
        report: @escaping @Sendable (GridProgress) -> Void = { _ in }
    ) throws -> GridChange? {
        guard !isReadOnly else { return nil }
        let lock = try lock(source, calendar, memoryBytes: memoryBytes)
        // The optimiser may release an object after its last use, and with it the lock.
        defer { withExtendedLifetime(lock) {} }
        func run(_ session: any Session, rebuilding: Bool) throws -> GridChange? {
            let update = GridUpdate(
                session: session, source: source, calendar: calendar, rule: rule,
                resources: BuildResources(storage: storage, memoryBytes: memoryBytes, help: help), report: report)
            return try update.run(rebuilding: rebuilding)
        }
        func run(rebuilding: Bool) throws -> GridChange? {
            var writer: (any Session)? = try database.writer()
            if let session = writer, try !isFirstOfMany(session, source) {
                return try run(session, rebuilding: rebuilding)
            }
            // `fill` needs to be alone.
            writer = nil
            return try database.fill { try run($0, rebuilding: rebuilding) }
        }
        let known = state.withLock { $0.damage }
        do {
            let change = try run(rebuilding: rebuilding || known != nil)
            if let known { repaired(known) }
            if let change, change.tiles.map({ $0.count > Self.fewTiles }) ?? true { Malloc.releaseFreePages() }
            return change
        } catch let error as GridDamage {
            return try rebuildDamaged(error.what) { try run(rebuilding: true) }
        } catch let error as StoreError where isDamage(error) {
            return try rebuildDamaged(error.message) { try run(rebuilding: true) }
        }
    }

    /// Waits for the lock of the grid, and meanwhile helps the process that holds it.
    private func lock(_ source: any GridSource, _ calendar: DayCalendar, memoryBytes: Int) throws -> any HeldLock {
        guard let help else { return try database.lock(.grid) }
        while true {
            if let lock = try database.lockIfFree(.grid) { return lock }
            repeat {
                // What this process cannot do, the one that builds does itself.
                let hasHelped = try? help.rasterise(source, calendar, rule, memoryBytes: memoryBytes)
                if hasHelped != true { Thread.sleep(forTimeInterval: Self.lockPauseSeconds) }
            } while try database.isLocked(.grid)
        }
    }

    /// Others finish small changes within this time.
    private static let lockPauseSeconds = 0.05

    /// Rebuilds a damaged grid from nothing: everything in it can be derived from the tracks.
    private func rebuildDamaged(_ damage: String, _ run: () throws -> GridChange?) throws -> GridChange? {
        try database.recreate()
        let change = try run()
        repaired(damage)
        return change
    }

    private func repaired(_ damage: String) {
        _ = database.refresh()
        state.withLock { state in
            state.damage = nil
            state.repaired.append(damage)
        }
    }

    /// Moves the content of the WAL into the database and truncates the WAL, if there is one and no reader prevents it.
    @discardableResult
    package func truncateLog() throws -> Erasure {
        try database.writer().eraseDeleted()
    }

    /// The problems found by a check of the whole database, and the tables with altered rows.
    package func integrityProblems() throws -> [String] {
        do {
            return try database.snapshot { session in
                let problems = try session.integrityProblems()
                guard problems.isEmpty else { return problems }
                return try session.alteredBlocks(of: nil).map {
                    "rows of table \($0.table) were altered"
                }
            }
        } catch let error as StoreError where isDamage(error) {
            return [error.message]
        }
    }

    /// Whether the tables that a session reads contain a grid.
    package static func isBuilt(_ session: any Session) throws -> Bool {
        try GridReader(session).state() != nil
    }

    /// Whether a library has a grid that was built from tracks, or one that cannot be read.
    package static func isFilled(in storage: any LibraryStorage) -> Bool {
        guard storage.hasContent(.grid) else { return false }
        do {
            let database = try storage.database(.grid, isReadOnly: true)
            return try database.snapshot { try GridReader($0).state().map { $0.revision > 0 } ?? false }
        } catch {
            // A grid that cannot be read may have been built from tracks; an empty library must not take their place.
            return true
        }
    }

    /// Whether the grid has never been built, and will have many points.
    private func isFirstOfMany(_ session: any Session, _ source: any GridSource) throws -> Bool {
        try GridReader(session).state() == nil && source.points(ofTracks: source.trackNumbers()) > Self.fewPoints
    }

    /// A grid of no more points fits in the cache of its writer.
    private static let fewPoints = 500_000
    /// A change of no more tiles takes little memory: there is little to release after it.
    private static let fewTiles = 4096
    /// The default memory limit for building a grid in bytes, besides what a single track needs.
    package static let defaultMemoryBytes = 288 << 20

    // MARK: Creating the tables

    /// Creates the tables if they are missing or different; returns the damage of a database that had to be replaced.
    private func prepare() throws -> String? {
        // Checked without the lock first, because a process that builds a large grid holds it for long.
        if try schema().state == .current { return nil }
        let lock = try database.lock(.grid)
        defer { withExtendedLifetime(lock) {} }
        let found = try schema()
        if found.state == .current { return nil }
        try database.recreate()
        // A grid of another version is replaced without a report.
        return found.state == .altered ? "its tables do not match this version" : found.damage
    }

    /// The state of the tables; if they cannot be read, the damage.
    private func schema() throws -> (state: SchemaState?, damage: String?) {
        do {
            return (try database.schemaState(in: database.writer()), nil)
        } catch let error as StoreError where isDamage(error) {
            return (nil, error.message)
        }
    }
}
