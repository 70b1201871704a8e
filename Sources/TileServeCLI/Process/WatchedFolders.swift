import Dispatch
import Files
import Foundation
import LibraryImport
import Locking
import Parallelism
import PrimaryStore
import RequestHandling
import Text
import TrackImport
import TrackStore
import Tracks

/// Imports files that appear in watched folders, once they are complete.
///
/// A file is complete when it has not changed between two scans. The list of imported files is kept in the library's
/// folder, so that a restarted server does not read them again; a changed file is read again. Folders are scanned
/// periodically instead of watched by the kernel, because that also works on network file systems. Files of a file system
/// that is not mounted are not read again when it is mounted again. A file during whose
/// import the server crashed is skipped (`ReadJournal`).
final class WatchedFolders: Sendable {
    private struct ScanState {
        /// The state at the last scan of files that are not imported yet.
        var lastScan: [String: FileVersion] = [:]
        var imported: [String: FileVersion]
        var problems: Set<String> = []
        /// Why the last import failed; nil if it did not.
        var failure: FailedRun?
    }

    /// An import that failed as a whole, because of the library or its disk and not of a file.
    private struct FailedRun {
        /// The first error, for the log. On a full disk every file fails, each time anew.
        var line: String?
        /// The same for `/health`.
        var cause: String?
        /// How often imports have failed one after the other.
        var count = 0
        var retry = ContinuousClock.now

        mutating func add(_ error: any Error) {
            line = line ?? Failure(error, command: "tileserve serve").line
            cause = cause ?? LibraryError.cause(of: error)
        }
    }

    private let folders: [String]
    private let library: Library
    private let terminal: Terminal
    private let scanState: Locked<ScanState>
    private let list: WatchList
    private let readJournal: ReadJournal
    private let isStopped = Locked(false)
    private let queue = DispatchQueue(label: "tileserve.folders", qos: .utility)
    private let timer = PollingTimer()

    /// Long enough for a file that is being copied to grow between two scans.
    private static let periodMilliseconds = 2000
    /// The longest pause before files are tried again after a failure. It doubles with each failure: on a full disk, each try
    /// reads whole files in vain.
    private static let longestPauseSeconds = 64

    /// Folders that are scanned after `start` is called.
    init(_ folders: [String], into library: Library, terminal: Terminal) {
        self.folders = folders
        self.library = library
        self.terminal = terminal
        list = WatchList(in: library.folder, shared: library.coordination.shared)
        scanState = Locked(ScanState(imported: list.imported()))
        readJournal = ReadJournal(in: library.folder)
    }

    /// Starts scanning periodically.
    func start() {
        reportSkipped()
        timer.start(periodMilliseconds: Self.periodMilliseconds, on: queue) { [weak self] in self?.poll() }
    }

    /// Stops scanning; an import in progress stops after the current file or track.
    func stop() {
        isStopped.withLock { $0 = true }
        timer.stop()
        queue.sync {}
        list.release()
    }

    /// Reports the files that are skipped.
    func reportSkipped() {
        for path in readJournal.skipped
        where FileStatus.ifExists(of: path).map({ readJournal.isSkipped(path, FileVersion($0)) }) == true {
            terminal.report(
                "\(path): the server crashed while reading this file; skipped until it changes ('touch' it to read it again)"
                    .singleLine)
        }
    }

    /// Why files are not imported, for `/health`; nil if nothing has failed.
    var failure: String? {
        scanState.withLock { $0.failure }.map {
            "files of watched folders are not imported: \($0.cause ?? "see the server's log")"
        }
    }

    /// Scans once; must not be called concurrently.
    func poll(now: ContinuousClock.Instant = .now) {
        var ready: [String] = []
        var present: [String: FileVersion] = [:]
        var problems: Set<String> = []
        for folder in folders {
            do {
                guard try isOurs(folder) else { continue }
                try Folder.walk(folder, refused: { problems.insert("\($0)") }) { path in
                    guard let fileStatus = FileStatus.ifExists(of: path), !Self.isHidden(path) else { return }
                    let state = FileVersion(fileStatus)
                    if !readJournal.isSkipped(path, state) { present[path] = state }
                }
            } catch {
                problems.insert("\(error)")
            }
        }
        let seen = present
        scanState.withLock { scanState in
            ready = seen.keys.filter { seen[$0] != scanState.imported[$0] && seen[$0] == scanState.lastScan[$0] }
                .sorted()
            // With the number of the device that its file system has now.
            for (path, state) in seen where state == scanState.imported[path] { scanState.imported[path] = state }
            scanState.lastScan = seen.filter { $0.value != scanState.imported[$0.key] }
        }
        report(problems)
        let known = scanState.withLock { $0.failure }
        // Files that have gone need no disk.
        if let known, now < known.retry, !ready.isEmpty { return }
        var failure = FailedRun()
        let suspects = ready.filter { path in seen[path].map { readJournal.isSuspect(path, $0) } == true }
        let others = ready.filter { !suspects.contains($0) }
        // Each suspect alone: if the server crashes again, the journal names the one file that causes it.
        for paths in suspects.map({ [$0] }) + [others] where !paths.isEmpty {
            guard !isStopped.withLock({ $0 }) else { return }
            do { try importFiles(paths, as: seen, &failure) } catch { failure.add(error) }
            do { try readJournal.finish() } catch { failure.add(error) }
        }
        guard let line = failure.line else {
            if known != nil, !ready.isEmpty {
                terminal.report("tileserve serve: files of watched folders are imported again")
            }
            return scanState.withLock { $0.failure = nil }
        }
        // Only the first of a series: with a try every minute, a full disk would fill the log in a night.
        if known == nil { terminal.report(line) }
        failure.count = (known?.count ?? 0) + 1
        let pause = min(Self.longestPauseSeconds, 1 << min(failure.count, 30))
        failure.retry = now + .seconds(pause)
        let current = failure
        scanState.withLock { $0.failure = current }
    }

    /// Whether this process reads a folder.
    private func isOurs(_ folder: String) throws -> Bool {
        try list.isOurs(folder) {
            // Another process may have imported files of it.
            let imported = list.imported()
            scanState.withLock { $0.imported.merge(imported) { $1 } }
        }
    }

    private func importFiles(
        _ paths: [String], as seen: [String: FileVersion], _ failure: inout FailedRun
    ) throws {
        let zone = TimeZone(identifier: try library.calendar().zone) ?? .gmt
        var files = try LibraryImport(.paths(paths), into: library, options: ImportOptions(libraryZone: zone))
        files.willRead = { [readJournal] path in
            if let state = seen[path] { try readJournal.begin(path, state) }
        }
        let handled = Locked<[String]>([])
        let failed = Locked<[String]>([])
        defer { failure.line = failure.line ?? failed.withLock { $0.first } }
        let result = try files.run(
            isStopped: { [isStopped] in isStopped.withLock { $0 } }, drop: { try DiskCache.drop($0, of: library) }
        ) {
            [terminal, readJournal] event in
            guard case .finished(let receipt) = event else { return }
            readJournal.end(receipt.file)
            if case .store? = receipt.failure { return failed.withLock { $0 += receipt.lines } }
            for line in receipt.lines { terminal.report(line) }
            // Not for a file that was interrupted, or failed because of the library: it will be read again.
            if receipt.failure?.endsImport != true { handled.withLock { $0.append(receipt.file) } }
        }
        if let error = result.receiptsError { report(error) }
        for line in try result.retention?.lines(library.calendar()) ?? [] { terminal.report(line) }
        if let failure = result.retention?.failure { report(failure) }
        try library.catchUp()
        let done = handled.withLock { $0 }
        let new = Dictionary(uniqueKeysWithValues: Set(done).compactMap { path in seen[path].map { (path, $0) } })
        // Those of before, too, with the numbers of their devices.
        let known = scanState.withLock { $0.imported }.merging(new) { $1 }
        let imported = try list.change(adding: known) { path, version in version.isRemoved(path) }
        scanState.withLock { $0.imported = imported }
    }

    private func report(_ error: any Error) {
        terminal.report(Failure(error, command: "tileserve serve").line)
    }

    /// Reports each problem once, until it is resolved.
    private func report(_ problems: Set<String>) {
        let new = scanState.withLock { scanState in
            defer { scanState.problems = problems }
            return problems.subtracting(scanState.problems)
        }
        for line in new.sorted() { terminal.report(line) }
    }

    /// Programs write to a hidden file, or one with such an ending, and rename it when it is complete.
    private static func isHidden(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix(".") || [".part", ".tmp", ".crdownload"].contains { name.hasSuffix($0) }
    }
}
