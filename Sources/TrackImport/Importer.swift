import Dispatch
import Files
import Locking
import Malloc
public import Tracks

/// An event of a running import.
public enum ImportEvent: Sendable {
    /// A file is finished; the events come in the order of the files.
    case finished(FileReceipt)
    /// The import has progressed.
    case progress(ImportProgress)
}

/// Progress of an import.
public struct ImportProgress: Sendable, Equatable {
    /// Number of finished files.
    public var files = 0
    /// Number of all files.
    public var totalFiles = 0
    /// Bytes read, before decompression.
    public var bytes: Int64 = 0
    /// Bytes of all files; standard input is not counted, because its size is unknown.
    public var totalBytes: Int64 = 0
    /// Number of points stored.
    public var points = 0
}

/// Reads files and folders into sinks, several files concurrently.
public struct Importer: Sendable {
    private let options: ImportOptions
    private let makeSink: @Sendable () throws -> any RecordingSink
    /// Called with a file's path before it is read, from several threads; a file for which it throws is not read.
    public var willRead: @Sendable (String) throws -> Void = { _ in }

    /// Creates an importer that makes one sink per worker.
    public init(options: ImportOptions, makeSink: @escaping @Sendable () throws -> any RecordingSink) {
        self.options = options
        self.makeSink = makeSink
    }

    /// Imports files, folders (recursively, in byte order of the paths) and standard input (`-`).
    ///
    /// Returns when all files are done or `isStopped` returned true. A file that fails does not affect the others. A
    /// receipt is reported after the sink has made its recordings durable. A file that is stopped midway stores nothing
    /// of the recordings that were open; files not begun are not reported. `report` is called by one thread at a time.
    public func run(
        _ paths: [String], isStopped: @escaping @Sendable () -> Bool = { false },
        report: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) -> ImportReceipt {
        run(paths.flatMap(ImportInput.all), isStopped, report)
    }

    /// Imports uploaded files, like the files of a folder.
    public func run(
        _ uploads: [Upload], isStopped: @escaping @Sendable () -> Bool = { false },
        report: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) -> ImportReceipt {
        run(uploads.map { ImportInput($0) }, isStopped, report)
    }

    private func run(
        _ inputs: [ImportInput], _ isStopped: @escaping @Sendable () -> Bool,
        _ report: @escaping @Sendable (ImportEvent) -> Void
    ) -> ImportReceipt {
        // Odd files take much for a moment; the process may live for months.
        defer { Malloc.releaseFreePages() }
        let work = Locked(ImportState(inputs, report))
        let sharedData = SharedImportData(mayDefer: true)
        for input in inputs { input.addActivities(to: sharedData.activities) }
        runWorkers(min(options.workers, inputs.count), on: work, inputs, sharedData, isStopped)
        // Files that need data of other files are read last, when all of it is known.
        sharedData.offsets.complete()
        let left = work.withLock { $0.beginSecondPass() }
        runWorkers(min(options.workers, left), on: work, inputs, sharedData, isStopped)
        return work.withLock { work in
            if isStopped() { work.receipt.stopped = true }
            return work.receipt
        }
    }

    private func runWorkers(
        _ count: Int, on work: Locked<ImportState>, _ inputs: [ImportInput], _ sharedData: SharedImportData,
        _ isStopped: @escaping @Sendable () -> Bool
    ) {
        let queue = DispatchQueue(label: "tileserve.import", qos: .utility, attributes: .concurrent)
        let group = DispatchGroup()
        for _ in 0..<count {
            queue.async(group: group) { [self] in self.work(on: work, inputs, sharedData, isStopped) }
        }
        group.wait()
    }

    private func work(
        on shared: Locked<ImportState>, _ inputs: [ImportInput], _ sharedData: SharedImportData,
        _ isStopped: @escaping @Sendable () -> Bool
    ) {
        let sink: any RecordingSink
        do { sink = PipelinedSink(try makeSink()) } catch {
            while let (index, _) = shared.withLock({ $0.takeNext() }) {
                var failed = FileReceipt(file: inputs[index].path)
                failed.failure = .store("\(error)")
                let reported = failed
                shared.withLock { $0.finish([(index, reported)]) }
            }
            return
        }
        var pending = PendingReceipts()
        while !isStopped(), let (index, earlier) = shared.withLock({ $0.takeNext() }) {
            let again = earlier?.deferredFiles
            var receipt = read(inputs[index], again, into: sink, sharedData, isStopped) { bytes in
                shared.withLock { $0.read(bytes) }
            }
            if var whole = earlier, !whole.members.isEmpty {
                whole.fill(from: receipt)
                receipt = whole
            }
            if again == nil, receipt.needsOtherFiles {
                // Some files of an archive may be stored already.
                do { try sink.finish() } catch { receipt.failure = .store("\(error)") }
            }
            let reported = receipt
            if again == nil, reported.needsOtherFiles, reported.failure?.endsImport != true {
                shared.withLock { $0.postpone(index, reported) }
                continue
            }
            pending.add(index, reported)
            if pending.hasReachedLimit { pending.release(sink, shared) }
        }
        pending.release(sink, shared)
    }

    /// Reads a file; of an archive that is read again, only the `wanted` members.
    private func read(
        _ input: ImportInput, _ wanted: Set<String>?, into sink: any RecordingSink, _ sharedData: SharedImportData,
        _ isStopped: @escaping @Sendable () -> Bool, _ progress: @escaping (Int) -> Void
    ) -> FileReceipt {
        var receipt = FileReceipt(file: input.path)
        do { try willRead(input.path) } catch {
            receipt.failure = .store("\(error)")
            return receipt
        }
        do {
            let source = try input.source(isStopped)
            var sharedData = sharedData
            sharedData.mayDefer = wanted == nil && !input.isStandardInput
            let reading = FileReading(
                receipt, source: input.name, into: sink, options: options, sharedData: sharedData, isStopped: isStopped)
            if let wanted, !wanted.contains(input.path) { reading.wanted = WantedFiles(wanted) }
            receipt = FileImport.read(source, reading, progress: progress)
        } catch let error as FileError {
            receipt.failure = error.isMissing ? .missing : .unreadable(error.reason)
        } catch {
            receipt.failure = .unreadable("\(error)")
        }
        receipt.wasFoundInFolder = input.wasFoundInFolder
        return receipt
    }
}

/// Receipts of files whose recordings are not durable yet; they are reported afterwards.
private struct PendingReceipts {
    /// A transaction per this many small files, or this many points, costs little compared with reading them.
    private static let fileLimit = 64
    private static let pointLimit = 100_000

    private var receipts: [(index: Int, receipt: FileReceipt)] = []
    private var points = 0

    var hasReachedLimit: Bool { receipts.count >= Self.fileLimit || points >= Self.pointLimit }

    mutating func add(_ index: Int, _ receipt: FileReceipt) {
        receipts.append((index, receipt))
        points += receipt.points
    }

    /// Makes all recordings durable, then reports the receipts.
    mutating func release(_ sink: any RecordingSink, _ shared: Locked<ImportState>) {
        var released = receipts
        receipts = []
        points = 0
        guard !released.isEmpty else { return }
        do { try sink.finish() } catch {
            // It is unknown which of them are durable; a repeated import stores the missing ones.
            for index in released.indices where released[index].receipt.failure == nil {
                released[index].receipt.failure = .store("\(error)")
            }
        }
        // Recordings that are not durable must not be reported as stored.
        for index in released.indices { released[index].receipt.resetUnstored() }
        let reported = released
        shared.withLock { $0.finish(reported) }
    }
}

/// State shared by the workers.
private struct ImportState {
    var receipt = ImportReceipt()
    private var toRead: ArraySlice<(index: Int, earlier: FileReceipt?)>
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
    mutating func takeNext() -> (index: Int, earlier: FileReceipt?)? {
        toRead.popFirst()
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

/// Runs a sink on a thread of its own: it digests, encodes and measures points while the reader continues.
///
/// Chunks are handled in order, and some may wait. An error is thrown by a later call; the chunks after the failed one
/// are dropped until then.
private final class PipelinedSink: RecordingSink {
    /// Locked while it handles a chunk; the reader accesses only `failure`.
    private let sink: Locked<any RecordingSink>
    private let failure = Locked<(any Error)?>(nil)
    private let queue = DispatchQueue(label: "tileserve.import.sink")
    private let room: DispatchSemaphore

    /// Maximum number of waiting chunks: a few MiB.
    private static let chunkLimit = 16

    init(_ sink: sending any RecordingSink) {
        self.sink = Locked(sink)
        room = DispatchSemaphore(value: Self.chunkLimit)
    }

    func open() throws -> OpenRecording {
        try inTurn { try $0.open() }
    }

    func append(_ chunk: PointChunk, to recording: OpenRecording) throws {
        if let error = failure.withLock({ $0.take() }) { throw error }
        room.wait()
        queue.async { [sink, failure, room] in
            defer { room.signal() }
            guard failure.withLock({ $0 == nil }) else { return }
            do {
                try sink.withLock { try $0.append(chunk, to: recording) }
            } catch {
                failure.withLock { $0 = error }
            }
        }
    }

    func close(_ recording: OpenRecording, header: RecordingHeader) throws -> RecordingOutcome {
        try inTurn { try $0.close(recording, header: header) }
    }

    func abandon(_ recording: OpenRecording) {
        queue.sync {
            // The caller of `abandon` already knows of the failure.
            failure.withLock { $0 = nil }
            sink.withLock { $0.abandon(recording) }
        }
    }

    func finish() throws {
        try inTurn { try $0.finish() }
    }

    /// Runs `body` after the waiting chunks; throws the error of one of them instead, if there is one.
    private func inTurn<Result: Sendable>(_ body: (any RecordingSink) throws -> Result) throws -> Result {
        try queue.sync {
            if let error = failure.withLock({ $0.take() }) { throw error }
            return try sink.withLock { try body($0) }
        }
    }
}
