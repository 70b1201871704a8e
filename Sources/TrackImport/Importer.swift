import Dispatch
import Files
import Locking
public import Tracks

/// What an importer tells while it works.
public enum ImportEvent: Sendable {
    /// A file is done; files are told in their order.
    case finished(FileReceipt)
    /// How far it is.
    case progress(ImportProgress)
}

/// How far an import is.
public struct ImportProgress: Sendable, Equatable {
    /// Files that are done.
    public var files = 0
    /// Files in all.
    public var filesInAll = 0
    /// Bytes read, packed.
    public var bytes: Int64 = 0
    /// Bytes of all files; what the standard input holds is not known and not counted.
    public var bytesInAll: Int64 = 0
    /// Points stored.
    public var points = 0
}

/// Reads files and folders into sinks, several files at once.
public struct Importer: Sendable {
    private let options: ImportOptions
    private let makeSink: @Sendable () throws -> any RecordingSink
    /// Called with a file's path before any of it is read, by several threads at once; a file for which it throws is not read.
    public var willRead: @Sendable (String) throws -> Void = { _ in }

    /// An importer that asks for a sink of its own for each of its workers.
    public init(options: ImportOptions, makeSink: @escaping @Sendable () throws -> any RecordingSink) {
        self.options = options
        self.makeSink = makeSink
    }

    /// Imports files, folders (with all in them, ordered by their bytes) and the standard input (`-`), and returns when all is
    /// done or `isStopped` has said so.
    ///
    /// A file that fails, fails alone; receipts are told once the sink has made durable what they tell. One that is stopped in mid-way leaves nothing of the recordings that were open; those not
    /// begun are not told of. `tell` is called by one thread at a time.
    public func run(
        _ paths: [String], isStopped: @escaping @Sendable () -> Bool = { false },
        tell: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) -> ImportReceipt {
        run(paths.flatMap(ImportInput.all), isStopped, tell)
    }

    /// Imports files that somebody has sent, as `run(_:isStopped:tell:)` those of a folder.
    public func run(
        _ uploads: [Upload], isStopped: @escaping @Sendable () -> Bool = { false },
        tell: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) -> ImportReceipt {
        run(uploads.map { ImportInput($0) }, isStopped, tell)
    }

    private func run(
        _ inputs: [ImportInput], _ isStopped: @escaping @Sendable () -> Bool,
        _ tell: @escaping @Sendable (ImportEvent) -> Void
    ) -> ImportReceipt {
        let work = Locked(ImportWork(inputs, tell))
        let news = ImportNews(mayWait: true)
        for input in inputs { input.tellActivities(to: news.activities) }
        runWorkers(min(options.workers, inputs.count), on: work, inputs, news, isStopped)
        // Files that lack what others may tell come last: by then all have.
        news.offsets.complete()
        let left = work.withLock { $0.beginAgain() }
        runWorkers(min(options.workers, left), on: work, inputs, news, isStopped)
        return work.withLock { work in
            if isStopped() { work.receipt.stopped = true }
            return work.receipt
        }
    }

    private func runWorkers(
        _ count: Int, on work: Locked<ImportWork>, _ inputs: [ImportInput], _ news: ImportNews,
        _ isStopped: @escaping @Sendable () -> Bool
    ) {
        let queue = DispatchQueue(label: "tileserve.import", qos: .utility, attributes: .concurrent)
        let group = DispatchGroup()
        for _ in 0..<count {
            queue.async(group: group) { [self] in self.work(on: work, inputs, news, isStopped) }
        }
        group.wait()
    }

    private func work(
        on shared: Locked<ImportWork>, _ inputs: [ImportInput], _ news: ImportNews,
        _ isStopped: @escaping @Sendable () -> Bool
    ) {
        let sink: any RecordingSink
        do { sink = PipelinedSink(try makeSink()) } catch {
            while let (index, _) = shared.withLock({ $0.takeNext() }) {
                var failed = FileReceipt(file: inputs[index].path)
                failed.failure = .store("\(error)")
                let told = failed
                shared.withLock { $0.finish([(index, told)]) }
            }
            return
        }
        var held = HeldReceipts()
        while !isStopped(), let (index, earlier) = shared.withLock({ $0.takeNext() }) {
            let again = earlier?.awaiting
            var receipt = read(inputs[index], again, into: sink, news, isStopped) { bytes in
                shared.withLock { $0.read(bytes) }
            }
            if var whole = earlier, !whole.members.isEmpty {
                whole.fill(from: receipt)
                receipt = whole
            }
            if again == nil, receipt.awaitsOthers {
                // Of an archive, some files may be stored already.
                do { try sink.finish() } catch { receipt.failure = .store("\(error)") }
            }
            let told = receipt
            if again == nil, told.awaitsOthers, told.failure?.endsImport != true {
                shared.withLock { $0.putAside(index, told) }
                continue
            }
            held.add(index, told)
            if held.areMany { held.release(sink, shared) }
        }
        held.release(sink, shared)
    }

    /// Reads a file; where it is an archive that is read again, the files of it that are `wanted`.
    private func read(
        _ input: ImportInput, _ wanted: Set<String>?, into sink: any RecordingSink, _ news: ImportNews,
        _ isStopped: @escaping @Sendable () -> Bool, _ progress: @escaping (Int) -> Void
    ) -> FileReceipt {
        var receipt = FileReceipt(file: input.path)
        do { try willRead(input.path) } catch {
            receipt.failure = .store("\(error)")
            return receipt
        }
        do {
            let source = try input.source()
            var news = news
            news.mayWait = wanted == nil && !input.isStandardInput
            let reading = FileReading(
                receipt, source: input.name, into: sink, options: options, news: news, isStopped: isStopped)
            if let wanted, !wanted.contains(input.path) { reading.wanted = WantedFiles(wanted) }
            receipt = FileImport.read(source, reading, progress: progress)
        } catch let error as FileError {
            receipt.failure = error.isMissing ? .missing : .unreadable(error.reason)
        } catch {
            receipt.failure = .unreadable("\(error)")
        }
        receipt.wasWalkedTo = input.wasWalkedTo
        return receipt
    }
}

/// A file to be read.
struct ImportInput: Sendable {
    let path: String
    let wasWalkedTo: Bool
    private let failure: FileError?
    private let upload: Upload?

    var isStandardInput: Bool { path == "-" && !wasWalkedTo && upload == nil }

    /// What recordings are said to come from.
    var name: String {
        isStandardInput ? "standard input" : path.split(separator: "/").last.map { String($0) } ?? path
    }

    /// The bytes that are known to be there.
    var byteCount: Int64 {
        if let upload { return Int64(upload.bytes.count) }
        return isStandardInput ? 0 : FileStatus.ifAny(of: path)?.byteCount ?? 0
    }

    init(_ upload: Upload) {
        path = upload.name
        wasWalkedTo = false
        failure = nil
        self.upload = upload
    }

    private init(_ path: String, wasWalkedTo: Bool = false, failure: FileError? = nil) {
        self.path = path
        self.wasWalkedTo = wasWalkedTo
        self.failure = failure
        upload = nil
    }

    /// The file of a path, or the files of a folder in their order; a folder that cannot be read fails as a file would.
    static func all(_ path: String) -> [ImportInput] {
        guard path != "-", FileStatus.ifAny(of: path)?.kind == .folder else { return [ImportInput(path)] }
        var inputs: [ImportInput] = []
        do {
            try Folder.walk(path, refused: { inputs.append(ImportInput($0.path, failure: $0)) }) {
                inputs.append(ImportInput($0, wasWalkedTo: true))
            }
        } catch let error as FileError {
            inputs.append(ImportInput(path, failure: error))
        } catch {
            inputs.append(ImportInput(path))
        }
        return inputs
    }

    /// Tells of the files that it names, if it is a list of activities.
    func tellActivities(to activities: ReportedActivities) {
        // What is wrong with it is told when it is read itself.
        guard ActivityList.isNamed(path), failure == nil,
            let bytes = try? whole(limit: ActivityList.sizeLimit), let list = ActivityList(bytes)
        else { return }
        activities.tell(list, in: ActivityList.folder(of: path))
    }

    /// All of it, where it is at most `limit` bytes; nil where it is more.
    private func whole(limit: Int) throws -> [UInt8]? {
        var source = try source()
        var bytes: [UInt8] = []
        while true {
            let block = try source.read()
            if block.isEmpty { return bytes }
            guard bytes.count + block.count <= limit else { return nil }
            bytes += block
        }
    }

    func source() throws -> any ByteSource {
        if let failure { throw failure }
        if let upload {
            let file = try FileSource(path: upload.path)
            try file.move(to: upload.bytes.lowerBound)
            return FileBytes(file, limit: Int64(upload.bytes.count))
        }
        return FileBytes(try isStandardInput ? FileSource(standardInput: ()) : FileSource(path: path))
    }
}

/// A file as a source of bytes.
private struct FileBytes: ByteSource {
    private let file: FileSource
    private var left: Int64

    /// The next `limit` bytes of a file, or all.
    init(_ file: FileSource, limit: Int64 = .max) {
        self.file = file
        left = limit
    }

    mutating func read() throws -> [UInt8] {
        guard left > 0 else { return [] }
        do throws(FileError) {
            let block = try file.read(upTo: Int(min(Int64(blockSize), left)))
            left -= Int64(block.count)
            return block
        } catch {
            throw ImportFailure.unreadable(error.reason)
        }
    }
}

/// Receipts of files whose recordings the sink has yet to make durable: nobody is told of them before.
private struct HeldReceipts {
    /// A transaction for so many small files, or so many points, costs little beside reading them.
    private static let fileLimit = 64
    private static let pointLimit = 100_000

    private var receipts: [(index: Int, receipt: FileReceipt)] = []
    private var points = 0

    var areMany: Bool { receipts.count >= Self.fileLimit || points >= Self.pointLimit }

    mutating func add(_ index: Int, _ receipt: FileReceipt) {
        receipts.append((index, receipt))
        points += receipt.points
    }

    /// Has the sink make all durable, and tells of it.
    mutating func release(_ sink: any RecordingSink, _ shared: Locked<ImportWork>) {
        var released = receipts
        receipts = []
        points = 0
        guard !released.isEmpty else { return }
        do { try sink.finish() } catch {
            // Which of them are durable is not known; a repeated import tells them apart.
            for index in released.indices where released[index].receipt.failure == nil {
                released[index].receipt.failure = .store("\(error)")
            }
        }
        // What the library did not make durable is not said to be stored.
        for index in released.indices { released[index].receipt.forgetUnstored() }
        let told = released
        shared.withLock { $0.finish(told) }
    }
}

/// The state that workers share.
private struct ImportWork {
    var receipt = ImportReceipt()
    private var toRead: ArraySlice<(index: Int, earlier: FileReceipt?)>
    private var aside: [(index: Int, earlier: FileReceipt?)] = []
    private var told = 0
    private var done: [Int: FileReceipt] = [:]
    private var progress = ImportProgress()
    private let tell: @Sendable (ImportEvent) -> Void

    init(_ inputs: [ImportInput], _ tell: @escaping @Sendable (ImportEvent) -> Void) {
        toRead = inputs.indices.map { ($0, nil) }[...]
        self.tell = tell
        progress.filesInAll = inputs.count
        progress.bytesInAll = inputs.reduce(0) { sum, input in
            // Files with holes may tell of any size.
            let (more, isTooMuch) = sum.addingReportingOverflow(input.byteCount)
            return isTooMuch ? .max : more
        }
    }

    /// The next file, with what its first reading left to be done, if there was one.
    mutating func takeNext() -> (index: Int, earlier: FileReceipt?)? {
        toRead.popFirst()
    }

    /// Keeps a file to be read again behind all others.
    mutating func putAside(_ index: Int, _ receipt: FileReceipt) {
        aside.append((index, receipt))
        progress.bytes -= Int64(receipt.bytes)
    }

    /// Gives the files that were put aside to be taken, and says how many there are.
    mutating func beginAgain() -> Int {
        toRead = aside.sorted { $0.index < $1.index }[...]
        aside = []
        return toRead.count
    }

    mutating func read(_ bytes: Int) {
        progress.bytes += Int64(bytes)
        tell(.progress(progress))
    }

    /// Tells the receipts that no earlier one is missing for.
    mutating func finish(_ finished: [(index: Int, receipt: FileReceipt)]) {
        for (index, receipt) in finished {
            done[index] = receipt
            progress.files += 1
            progress.points += receipt.points
        }
        while let ready = done.removeValue(forKey: told) {
            told += 1
            ready.eachTold { one in
                receipt.add(one)
                tell(.finished(one))
            }
        }
        tell(.progress(progress))
    }
}
