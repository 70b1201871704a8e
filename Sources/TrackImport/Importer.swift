import Dispatch
import Files
import Locking
import Malloc
public import Tracks

/// Reads files and folders into sinks, several files concurrently.
public struct Importer: Sendable {
    private let options: ImportOptions
    private let makeSink: @Sendable () throws -> any RecordingSink
    /// Called with a file's path before it is read, from several threads; a file for which it throws is not read.
    public var willRead: @Sendable (String) throws -> Void = { _ in }

    /// Reads and stores the venues of a file, from several threads; empty if it is no venue after all. nil refuses venues.
    public var readVenues: (@Sendable (VenueFile) throws -> [VenueResult])?

    /// Stores the planned routes of a file, of which it gets name and content, from several threads. nil skips them.
    public var readRoutes: (@Sendable (_ name: String, _ bytes: [UInt8]) throws -> RouteResult)?

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
        let work = ImportWork(inputs, report)
        var sharedData = SharedImportData(mayDefer: true)
        sharedData.readRoutes = readRoutes
        for input in inputs { input.addActivities(to: sharedData.activities) }
        runWorkers(min(options.workers, inputs.count), on: work, sharedData, isStopped)
        // Files that need data of other files are read last, when all of it is known.
        sharedData.offsets.complete()
        let left = work.state.withLock { $0.beginSecondPass() }
        runWorkers(min(options.workers, left), on: work, sharedData, isStopped)
        work.release()
        return work.state.withLock { state in
            if isStopped() { state.receipt.stopped = true }
            return state.receipt
        }
    }

    private func runWorkers(
        _ count: Int, on work: ImportWork, _ sharedData: SharedImportData, _ isStopped: @escaping @Sendable () -> Bool
    ) {
        let queue = DispatchQueue(label: "tileserve.import", qos: .utility, attributes: .concurrent)
        let group = DispatchGroup()
        for _ in 0..<count {
            queue.async(group: group) { [self] in self.run(work, sharedData, isStopped) }
        }
        group.wait()
    }

    /// Reads files until none is left.
    private func run(
        _ work: ImportWork, _ sharedData: SharedImportData, _ isStopped: @escaping @Sendable () -> Bool
    ) {
        let sink: PipelinedSink
        do { sink = PipelinedSink(try makeSink()) } catch {
            while let next = work.state.withLock({ $0.takeNext() }) {
                var failed = FileReceipt(file: work.inputs[next.index].path)
                failed.failure = .store("\(error)")
                work.finish(next, failed, nil)
            }
            return
        }
        while !isStopped(), let next = work.state.withLock({ $0.takeNext() }) {
            let again = next.earlier?.deferredFiles
            var receipt = read(next, again, of: work, into: sink, sharedData, isStopped)
            if var whole = next.earlier, !whole.members.isEmpty {
                whole.fill(from: receipt)
                receipt = whole
            }
            if receipt.mayBeVenue, let readVenues, !work.inputs[next.index].isStandardInput {
                do {
                    let results = try readVenues(VenueFile(work.inputs[next.index], isStopped: isStopped))
                    // The whole file tells: with times, its lines are recordings.
                    if results.isEmpty, receipt.failure == .venue, receipt.members.isEmpty {
                        receipt = read(next, again, of: work, into: sink, sharedData, isStopped, excludesVenues: true)
                    }
                    receipt.take(results)
                } catch {
                    receipt.failure = .store("\(error)")
                }
            }
            if again == nil, receipt.needsOtherFiles, receipt.failure?.endsImport != true {
                work.postpone(next, receipt)
            } else {
                work.finish(next, receipt, sink)
            }
        }
    }

    /// Reads a file; of an archive that is read again, only the `wanted` members.
    private func read(
        _ file: FileToRead, _ wanted: Set<String>?, of work: ImportWork, into sink: any RecordingSink,
        _ sharedData: SharedImportData, _ isStopped: @escaping @Sendable () -> Bool, excludesVenues: Bool = false
    ) -> FileReceipt {
        let input = work.inputs[file.index]
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
                receipt, source: input.name, into: sink,
                store: { [order = work.order] in try order.store($0, $1, of: file.position) }, options: options,
                sharedData: sharedData, isStopped: isStopped)
            if let wanted, !wanted.contains(input.path) { reading.wanted = WantedFiles(wanted) }
            reading.excludesVenues = excludesVenues
            receipt = sharedData.readers.reading {
                FileImport.read(source, reading) { bytes in
                    // Bytes that are read again are no progress.
                    if !excludesVenues { work.state.withLock { $0.read(bytes) } }
                }
            }
        } catch let error as FileError {
            receipt.failure = error.isMissing ? .missing : .unreadable(error.reason)
        } catch {
            receipt.failure = .unreadable("\(error)")
        }
        receipt.wasFoundInFolder = input.wasFoundInFolder
        return receipt
    }
}
