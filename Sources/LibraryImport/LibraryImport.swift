import Countries
package import GridStorage
import Locking
package import PrimaryStore
package import TrackImport
package import TrackStore

/// An import into a library: reads files, and stores their tracks and receipts. The command, the server and watched
/// folders run it.
package struct LibraryImport: Sendable {
    /// What is read.
    package enum Input: Sendable {
        /// Files and folders, as given.
        case paths([String])
        /// Files sent to a server.
        case uploads([Upload])

        fileprivate var names: [String] {
            switch self {
            case .paths(let paths): paths
            case .uploads(let uploads): uploads.map(\.name)
            }
        }
    }

    /// What became of an import. The map is not updated yet.
    package struct Result: Sendable {
        package var total = ImportReceipt()
        /// The number of the import; nil if it added nothing, and was deleted.
        package var number: Int64?
        /// What was stored before the library failed; nil if it did not fail, or if nothing was stored.
        package var storedBeforeFailure: ImportRecord?
        /// What the rules for old points have removed of what was imported; nil if there are none.
        package var retention: RetentionOutcome?
        /// Whether the library failed; the import has to be repeated.
        package var hasFailed = false
        /// Why receipts could not be stored, though everything that they report was.
        package var receiptsError: (any Error)?
    }

    private let input: Input
    private let library: Library
    private let options: ImportOptions
    private let number: Int64
    /// Whether what earlier imports have read from the same files is replaced.
    package var readsAnew = false
    /// Called with a file's path before it is read, from several threads; a file for which it throws is not read.
    package var willRead: @Sendable (String) throws -> Void = { _ in }

    /// Begins an import into a library; nothing is read or stored yet but its record.
    package init(_ input: Input, into library: Library, options: ImportOptions) throws {
        self.input = input
        self.library = library
        self.options = options
        number = try library.database.beginImportRun(input.names)
    }

    /// Runs the import, once. A receipt is reported when its data is durable, by one thread at a time.
    ///
    /// `drop` deletes pictures that show what was replaced. Throws if replacing fails; it is then completed when the
    /// library is next opened.
    package func run(
        isStopped: @escaping @Sendable () -> Bool = { false },
        drop: (GridChange) throws -> Void = { _ in }, report: @escaping @Sendable (ImportEvent) -> Void
    ) throws -> Result {
        // The map is updated afterwards, and needs them.
        LedgerMap.prepare()
        let database = library.database
        let receipts = StoredReceipts(database, import: number)
        let held = Locked<[FileReceipt]>([])
        let readsAnew = readsAnew
        var importer = Importer(options: options) { [number] in try database.beginImport(of: number) }
        importer.willRead = willRead
        importer.readVenues = VenueStoring(library, isDryRun: false).read
        importer.readRoutes = RouteStoring(library, isDryRun: false).read
        var result = Result()
        result.total = importer.run(input, isStopped) { event in
            guard case .finished(let receipt) = event else { return report(event) }
            // What reading it again has changed is known only at the end.
            if readsAnew { return held.withLock { $0.append(receipt) } }
            receipts.add(receipt)
            report(event)
        }
        var waiting = held.withLock { $0 }
        result.hasFailed = receipts.hasStoreFailed || waiting.contains { $0.hasStoreFailed }
        if readsAnew, !result.hasFailed, !result.total.stopped {
            waiting = try Replacement(library, import: number).replace(waiting, isStopped: isStopped, drop: drop)
        }
        for receipt in waiting {
            receipts.add(receipt)
            report(.finished(receipt))
        }
        result.receiptsError = receipts.finish()
        if result.hasFailed {
            // If the import cannot be ended, its record still says what was stored.
            result.storedBeforeFailure =
                (try? database.endFailedImport(number)) ?? (try? database.importRecord(number))
            result.number = result.storedBeforeFailure?.number
            return result
        }
        do { result.number = try database.deleteEmptyImport(number) ? nil : number } catch {
            (result.number, result.receiptsError) = (number, result.receiptsError ?? error)
        }
        // Otherwise, an import of an old file would bring back what they have removed.
        if !result.total.stopped {
            // What was imported is stored, whatever becomes of the rules: a server applies them again.
            do {
                result.retention = try library.applyRetention(
                    at: database.now(), waits: true, isStopped: isStopped, drop: drop)
            } catch {
                var outcome = RetentionOutcome()
                outcome.failure = error
                result.retention = outcome
            }
        }
        return result
    }

    /// Reads files as an import does, into a temporary database that has what `library` has, so that nothing is changed;
    /// nil stands for a library that does not exist yet.
    package static func dryRun(
        _ input: Input, into library: Library?, options: ImportOptions, readsAnew: Bool = false,
        isStopped: @escaping @Sendable () -> Bool = { false }, report: @escaping @Sendable (ImportEvent) -> Void
    ) throws -> Result {
        // A file that is read anew must not be compared with what was read from it before.
        let database = try TrackDatabase.dryRun(of: library?.database, comparing: !readsAnew)
        let held = Locked<[FileReceipt]>([])
        var importer = Importer(options: options) { try database.beginImport(of: dryRunNumber) }
        importer.readVenues = VenueStoring(library, isDryRun: true).read
        importer.readRoutes = RouteStoring(library, isDryRun: true).read
        var result = Result()
        result.total = importer.run(input, isStopped) { event in
            guard readsAnew, case .finished(let receipt) = event else { return report(event) }
            held.withLock { $0.append(receipt) }
        }
        var waiting = held.withLock { $0 }
        if readsAnew, let library, !result.total.stopped {
            waiting = try Replacement(library, import: .max).compare(waiting, readInto: database, as: dryRunNumber)
        }
        for receipt in waiting { report(.finished(receipt)) }
        return result
    }

    /// The number of an import that is not recorded.
    private static let dryRunNumber = ImportRecord.none
}

extension Importer {
    fileprivate func run(
        _ input: LibraryImport.Input, _ isStopped: @escaping @Sendable () -> Bool,
        _ report: @escaping @Sendable (ImportEvent) -> Void
    ) -> ImportReceipt {
        switch input {
        case .paths(let paths): run(paths, isStopped: isStopped, report: report)
        case .uploads(let uploads): run(uploads, isStopped: isStopped, report: report)
        }
    }
}

extension FileReceipt {
    /// The receipt as it is stored with an import.
    var stored: StoredReceipt {
        StoredReceipt(
            json: json,
            file: format.map {
                ReadFile(number: number, name: file, digest: digest, format: $0.rawValue, reader: $0.readerVersion)
            })
    }
}

/// Receipts that are stored with an import, many in one transaction.
private final class StoredReceipts: Sendable {
    private struct State: Sendable {
        var waiting: [StoredReceipt] = []
        var hasStoreFailed = false
        var error: (any Error)?

        mutating func takeWaiting() -> [StoredReceipt] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let database: TrackDatabase
    private let number: Int64
    private let state = Locked(State())

    private static let perTransaction = 256

    init(_ database: TrackDatabase, import number: Int64) {
        self.database = database
        self.number = number
    }

    var hasStoreFailed: Bool { state.withLock { $0.hasStoreFailed } }

    func add(_ receipt: FileReceipt) {
        let batch = state.withLock { state in
            if receipt.hasStoreFailed { state.hasStoreFailed = true }
            // A folder may have any number of other files.
            if !receipt.isUnrecognisedFile { state.waiting.append(receipt.stored) }
            return state.waiting.count >= Self.perTransaction ? state.takeWaiting() : []
        }
        store(batch)
    }

    /// Stores the remaining receipts, and returns the first error of storing any.
    func finish() -> (any Error)? {
        store(state.withLock { $0.takeWaiting() })
        return state.withLock { $0.error }
    }

    private func store(_ batch: [StoredReceipt]) {
        do { try database.storeReceipts(batch, ofImport: number) } catch {
            state.withLock { $0.error = $0.error ?? error }
        }
    }
}
