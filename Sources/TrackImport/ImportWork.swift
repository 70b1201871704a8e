import Locking

/// A file that a worker reads.
struct FileToRead: Sendable {
    let index: Int
    /// The receipt of its first reading, if it is read a second time.
    let earlier: FileReceipt?
    /// The place in the order in which recordings are stored.
    let position: Int
}

/// The files of an import, shared by its workers.
final class ImportWork: Sendable {
    let inputs: [ImportInput]
    let state: Locked<ImportState>
    let order = StoringOrder()
    private let pending = Locked(PendingReceipts())

    init(_ inputs: [ImportInput], _ report: @escaping @Sendable (ImportEvent) -> Void) {
        self.inputs = inputs
        state = Locked(ImportState(inputs, report))
    }

    /// Records that a file was read; its receipt is reported when its recordings are durable.
    func finish(_ file: FileToRead, _ receipt: FileReceipt, _ sink: PipelinedSink?) {
        order.finish(file.position) { [self] in
            var receipt = receipt
            if receipt.failure == nil, let error = order.failure(of: file.position) {
                receipt.failure = .store("\(error)")
            }
            let read = receipt
            pending.withLock { pending in
                pending.add(file.index, read, sink)
                if pending.hasReachedLimit { pending.release(to: state) }
            }
        }
    }

    /// Postpones a file until all others have been read.
    func postpone(_ file: FileToRead, _ receipt: FileReceipt) {
        state.withLock { $0.postpone(file.index, receipt) }
        order.finish(file.position) {}
    }

    /// Reports the remaining receipts.
    func release() {
        order.wait()
        pending.withLock { $0.release(to: state) }
    }
}

/// Receipts of files whose recordings are not durable yet; they are reported afterwards.
private struct PendingReceipts {
    /// A transaction per this many small files, or this many bytes of files, costs little compared with reading them.
    private static let fileLimit = 64
    private static let byteLimit = 8 << 20

    private var receipts: [(index: Int, receipt: FileReceipt)] = []
    private var sinks: [PipelinedSink] = []
    private var bytes = 0

    var hasReachedLimit: Bool { receipts.count >= Self.fileLimit || bytes >= Self.byteLimit }

    mutating func add(_ index: Int, _ receipt: FileReceipt, _ sink: PipelinedSink?) {
        receipts.append((index, receipt))
        bytes += receipt.bytes
        if let sink, !sinks.contains(where: { $0 === sink }) { sinks.append(sink) }
    }

    /// Makes all recordings durable, then reports the receipts.
    mutating func release(to state: Locked<ImportState>) {
        var released = receipts
        let sinks = sinks
        self = PendingReceipts()
        guard !released.isEmpty else { return }
        do { for sink in sinks { try sink.finish() } } catch {
            // It is unknown which of them are durable; a repeated import stores the missing ones.
            for index in released.indices where released[index].receipt.failure == nil {
                released[index].receipt.failure = .store("\(error)")
            }
        }
        // Recordings that are not durable must not be reported as stored.
        for index in released.indices {
            released[index].receipt.takeOutcome()
            released[index].receipt.resetUnstored()
        }
        let reported = released
        state.withLock { $0.finish(reported) }
    }
}

/// Which files are read, and what was reported.
struct ImportState {
    var receipt = ImportReceipt()
    private var toRead: ArraySlice<(index: Int, earlier: FileReceipt?)>
    private var taken = 0
    private var postponed: [(index: Int, earlier: FileReceipt?)] = []
    private var reported = 0
    private var done: [Int: FileReceipt] = [:]
    private var progress = ImportProgress()
    private let report: @Sendable (ImportEvent) -> Void

    init(_ inputs: [ImportInput], _ report: @escaping @Sendable (ImportEvent) -> Void) {
        toRead = inputs.indices.map { ($0, nil) }[...]
        self.report = report
        progress.totalFiles = inputs.count
        progress.totalBytes = inputs.reduce(0) { sum, input in
            // Sparse files may have any size.
            let (more, isTooMuch) = sum.addingReportingOverflow(input.byteCount)
            return isTooMuch ? .max : more
        }
    }

    /// The next file, with the receipt of its first reading if there was one.
    mutating func takeNext() -> FileToRead? {
        guard let next = toRead.popFirst() else { return nil }
        defer { taken += 1 }
        return FileToRead(index: next.index, earlier: next.earlier, position: taken)
    }

    /// Postpones a file until all others have been read.
    mutating func postpone(_ index: Int, _ receipt: FileReceipt) {
        postponed.append((index, receipt))
        progress.bytes -= Int64(receipt.bytes)
    }

    /// Starts the second pass, over the postponed files, and returns their number.
    mutating func beginSecondPass() -> Int {
        toRead = postponed.sorted { $0.index < $1.index }[...]
        postponed = []
        return toRead.count
    }

    mutating func read(_ bytes: Int) {
        progress.bytes += Int64(bytes)
        report(.progress(progress))
    }

    /// Adds receipts, and reports those whose predecessors are all reported.
    mutating func finish(_ finished: [(index: Int, receipt: FileReceipt)]) {
        for (index, receipt) in finished {
            done[index] = receipt
            progress.files += 1
            progress.points += receipt.points
        }
        while let ready = done.removeValue(forKey: reported) {
            reported += 1
            ready.forEachReported { one in
                receipt.add(one)
                report(.finished(one))
            }
        }
        report(.progress(progress))
    }
}
