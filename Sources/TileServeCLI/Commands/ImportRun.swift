import Dispatch
import Foundation
import Locking
import TrackImport
import TrackStore
import Tracks

extension ImportCommand {
    func run(_ surroundings: Surroundings) throws -> ExitCode {
        if isDryRun { return try tried(surroundings) }
        let library = try OpenedLibrary.made(in: folder, environment: surroundings.environment)
        let truth = library.truth
        let receipts = ReceiptPrinter(surroundings.terminal, isJSON: isJSON) { try truth.flush() }
        let importer = Importer(options: options(libraryZone: try library.calendar().zone)) { try truth.beginImport() }
        let total = read(with: importer, receipts, surroundings)
        try receipts.finish()
        // What is stored is stored: whoever opens the library next goes on with the map.
        if !total.stopped {
            let progress = Progress(surroundings.terminal)
            defer { progress.end() }
            try library.catchUp { progress.update($0) }
        }
        return try conclude(total, receipts, surroundings.terminal)
    }

    /// Reads without a library, or with what an existing one says of times.
    private func tried(_ surroundings: Surroundings) throws -> ExitCode {
        let zone =
            Library.exists(in: folder)
            ? try OpenedLibrary.existing(in: folder).calendar().zone
            : OpenedLibrary.systemZone(surroundings.environment)
        let receipts = ReceiptPrinter(surroundings.terminal, isJSON: isJSON) {}
        let importer = Importer(options: options(libraryZone: zone)) { [gap] in CountingSink(gap: gap) }
        let total = read(with: importer, receipts, surroundings)
        try receipts.finish()
        return try conclude(total, receipts, surroundings.terminal)
    }

    private func options(libraryZone: String) -> ImportOptions {
        ImportOptions(
            person: person, device: device, activity: activity, zone: zone,
            libraryZone: TimeZone(identifier: libraryZone) ?? .gmt, gap: gap)
    }

    private func read(
        with importer: Importer, _ receipts: ReceiptPrinter, _ surroundings: Surroundings
    ) -> ImportReceipt {
        let stop = surroundings.stop
        return importer.run(paths, isStopped: { stop.isMade }) { event in
            switch event {
            case .finished(let receipt): receipts.add(receipt)
            case .progress(let progress): receipts.progress.update(progress)
            }
        }
    }

    private func conclude(
        _ total: ImportReceipt, _ receipts: ReceiptPrinter, _ terminal: Terminal
    ) throws -> ExitCode {
        let dry = isDryRun ? "would be: " : ""
        try terminal.say(isJSON ? total.json : dry + total.line)
        if total.stopped { terminal.note("tileserve import: stopped; repeat the command to go on where it was") }
        if receipts.storeFailed { return .disk }
        if total.files == 0 || total.files == total.unrecognised {
            terminal.note("tileserve import: no track file found; see 'tileserve import --help' for what is read")
            return .incomplete
        }
        if receipts.missing == total.files { return .noInput }
        return total.failed > 0 || total.stopped ? .incomplete : .done
    }
}

extension Progress {
    /// Tells how far an import is.
    func update(_ progress: ImportProgress) {
        let fraction = progress.bytesInAll > 0 ? Double(progress.bytes) / Double(progress.bytesInAll) : nil
        update(fraction: fraction) { seconds in
            let rate = seconds > 0 ? " · \(Words.bytes(Int(Double(progress.bytes) / seconds)))/s" : ""
            return "reading: \(Words.count(progress.files)) of \(Words.count(progress.filesInAll, "file")) · "
                + "\(Words.count(progress.points, "point"))\(rate)"
        }
    }
}

/// Prints receipts, each after what it tells of has become durable.
private final class ReceiptPrinter: Sendable {
    private struct State: Sendable {
        var pending: [FileReceipt] = []
        var isScheduled = false
        var missing = 0
        var storeFailed = false
        var failure: (any Error)?
    }

    /// Making durable waits for the disk; twice a second is often enough for a reader.
    private static let interval = DispatchTimeInterval.milliseconds(500)

    let progress: Progress
    private let terminal: Terminal
    private let isJSON: Bool
    private let makeDurable: @Sendable () throws -> Void
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "tileserve.receipts")

    init(_ terminal: Terminal, isJSON: Bool, makeDurable: @escaping @Sendable () throws -> Void) {
        self.terminal = terminal
        self.isJSON = isJSON
        self.makeDurable = makeDurable
        progress = Progress(terminal)
    }

    /// How many of the paths given lead nowhere.
    var missing: Int { state.withLock { $0.missing } }
    /// Whether the library could not take something.
    var storeFailed: Bool { state.withLock { $0.storeFailed } }

    /// Takes a receipt, to be printed soon.
    func add(_ receipt: FileReceipt) {
        let isFirst = state.withLock { state in
            state.pending.append(receipt)
            switch receipt.failure {
            case .missing: state.missing += 1
            case .store: state.storeFailed = true
            default: break
            }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + Self.interval) { [self] in
            do { try print() } catch { state.withLock { $0.failure = $0.failure ?? error } }
        }
    }

    /// Prints what waits, and takes the line of progress away.
    func finish() throws {
        try queue.sync { try print() }
        progress.end()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func print() throws {
        let receipts = state.withLock { state in
            defer { state.pending = [] }
            state.isScheduled = false
            return state.pending
        }
        try makeDurable()
        let lines = receipts.flatMap { isJSON ? [$0.json] : $0.isPassedOver ? [] : $0.lines }
        guard !lines.isEmpty else { return }
        try progress.aside { try terminal.out(lines.map { $0 + "\n" }.joined()) }
    }
}
