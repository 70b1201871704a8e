import Foundation
import Locking
import TrackImport
import TrackStore
import Tracks

extension ImportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        if isDryRun { return try runDry(context) }
        let library = try OpenedLibrary.made(in: folder, environment: context.environment)
        let database = library.database
        let number = try database.beginImportRun(paths)
        let receipts = ReceiptPrinter(context.terminal, isJSON: isJSON) {
            try database.storeReceipts($0, ofImport: number)
        }
        let importer = Importer(options: options(libraryZone: try library.calendar().zone)) {
            try database.beginImport(of: number)
        }
        let total = read(with: importer, receipts, context)
        guard !receipts.storeFailed else {
            // If this fails, the cause is the same as that of the failure reported below.
            try? receipts.finish()
            let stored = try? database.endFailedImport(number)
            let code = try conclude(total, import: stored?.number, receipts, context.terminal)
            context.terminal.note("tileserve import: \(Self.sentence(ofStored: stored))")
            return code
        }
        try receipts.finish()
        let isKept = try !database.deleteEmptyImport(number)
        // The import is already stored; the next program that opens the library continues with the map.
        if !total.stopped {
            _ = try library.updateMap(context)
        }
        return try conclude(total, import: isKept ? number : nil, receipts, context.terminal)
    }

    /// The sentence that says what a failed import has stored.
    private static func sentence(ofStored record: ImportRecord?) -> String {
        guard let record else { return "nothing was stored; free disk space and repeat the command" }
        let parts =
            [record.recordings > 0 ? NumberText.count(record.recordings, "track") : nil]
            + [record.streams > 0 ? "parts of " + NumberText.count(record.streams, "stream") : nil]
        return parts.compactMap { $0 }.joined(separator: " and ")
            + " were stored as import \(record.number), the rest was not; free disk space and repeat the command"
    }

    /// Dry run: reads the files without storing; the time zone and thresholds are those of the library, if there is
    /// one.
    private func runDry(_ context: CommandEnvironment) throws -> ExitCode {
        let library = Library.exists(in: folder) ? try OpenedLibrary.existing(in: folder) : nil
        let zone = try library?.calendar().zone ?? OpenedLibrary.systemZone(context.environment)
        let cleaning = try library?.database.cleaning() ?? .standard
        let receipts = ReceiptPrinter(context.terminal, isJSON: isJSON)
        let importer = Importer(options: options(libraryZone: zone)) { [gap, cleaning] in
            CountingSink(gap: gap, cleaning: cleaning)
        }
        let total = read(with: importer, receipts, context)
        try receipts.finish()
        return try conclude(total, import: nil, receipts, context.terminal)
    }

    private func options(libraryZone: String) -> ImportOptions {
        ImportOptions(
            person: person, device: device, activity: activity, zone: zone,
            libraryZone: TimeZone(identifier: libraryZone) ?? .gmt, gap: gap)
    }

    private func read(
        with importer: Importer, _ receipts: ReceiptPrinter, _ context: CommandEnvironment
    ) -> ImportReceipt {
        let stop = context.stop
        return importer.run(paths, isStopped: { stop.isRequested }) { event in
            switch event {
            case .finished(let receipt): receipts.add(receipt)
            case .progress(let progress): receipts.progress.update(progress)
            }
        }
    }

    private func conclude(
        _ total: ImportReceipt, import number: Int64?, _ receipts: ReceiptPrinter, _ terminal: Terminal
    ) throws -> ExitCode {
        let dry = isDryRun ? "would be stored: " : ""
        try terminal.say(isJSON ? total.json(import: number) : dry + total.line)
        if receipts.storeFailed { return .disk }
        if total.stopped {
            terminal.note("tileserve import: stopped; repeat the command to continue")
            return .incomplete
        }
        if total.files == 0 || total.files == total.unrecognised {
            terminal.note(
                "tileserve import: no track file found; see 'tileserve import --help' for the supported formats")
            return .incomplete
        }
        if receipts.missing == total.files { return .noInput }
        return total.failed > 0 ? .incomplete : .done
    }
}

extension Progress {
    /// Shows the progress of an import.
    func update(_ progress: ImportProgress) {
        let fraction = progress.totalBytes > 0 ? Double(progress.bytes) / Double(progress.totalBytes) : nil
        update(fraction: fraction) { seconds in
            let rate = seconds > 0 ? " · \(NumberText.bytes(Int(Double(progress.bytes) / seconds)))/s" : ""
            return "reading: \(NumberText.count(progress.files)) of \(NumberText.count(progress.totalFiles, "file")) · "
                + "\(NumberText.count(progress.points, "point"))\(rate)"
        }
    }
}

/// Prints receipts as they arrive; a receipt arrives when its data is durable.
private final class ReceiptPrinter: Sendable {
    private struct State: Sendable {
        var missing = 0
        /// Receipts that are not stored in the library yet.
        var waiting: [String] = []
        var storeFailed = false
        var failure: (any Error)?

        mutating func takeWaiting() -> [String] {
            defer { waiting = [] }
            return waiting
        }
    }

    let progress: Progress
    private let terminal: Terminal
    private let isJSON: Bool
    private let state = Locked(State())

    private let storeReceipts: @Sendable ([String]) throws -> Void

    /// Receipts stored in one transaction.
    private static let receiptsPerTransaction = 256

    init(
        _ terminal: Terminal, isJSON: Bool, storeReceipts: @escaping @Sendable ([String]) throws -> Void = { _ in }
    ) {
        self.storeReceipts = storeReceipts
        self.terminal = terminal
        self.isJSON = isJSON
        progress = Progress(terminal)
    }

    /// The number of given paths that do not exist.
    var missing: Int { state.withLock { $0.missing } }
    /// Whether writing to the library failed.
    var storeFailed: Bool { state.withLock { $0.storeFailed } }

    /// Prints a receipt and queues it to be stored.
    func add(_ receipt: FileReceipt) {
        let lines = isJSON ? [receipt.json] : receipt.isUnrecognisedFile ? [] : receipt.lines
        var failure: (any Error)?
        do {
            let text = lines.map { $0 + "\n" }.joined()
            if !text.isEmpty { try progress.withLineHidden { try terminal.out(text) } }
        } catch {
            failure = error
        }
        if !receipt.isUnrecognisedFile {
            let batch = state.withLock { state in
                state.waiting.append(receipt.json)
                return state.waiting.count >= Self.receiptsPerTransaction ? state.takeWaiting() : []
            }
            do { try storeReceipts(batch) } catch { failure = failure ?? error }
        }
        let outFailure = failure
        state.withLock { state in
            state.failure = state.failure ?? outFailure
            switch receipt.failure {
            case .missing: state.missing += 1
            case .store: state.storeFailed = true
            default: break
            }
        }
    }

    /// Removes the progress line and stores the remaining receipts; throws the first error of printing or storing.
    func finish() throws {
        progress.end()
        try storeReceipts(state.withLock { $0.takeWaiting() })
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}
