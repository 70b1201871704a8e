import Dispatch
import Files
import Foundation
import Locking
import TrackImport
import TrackStore
import Tracks

/// Imports files that appear in watched folders, once they are complete.
///
/// A file is complete when it has not changed between two scans. The list of imported files is kept in the library's
/// folder, so that a restarted server does not read them again; a changed file is read again. Folders are scanned
/// periodically instead of watched by the kernel, because that also works on network file systems. A file during whose
/// import the server crashed is skipped (`ReadingNotes`).
final class WatchedFolders: Sendable {
    private struct Memory {
        /// The state at the last scan of files that are not imported yet.
        var growing: [String: WatchedFile] = [:]
        var imported: [String: WatchedFile]
        var trouble: Set<String> = []
    }

    private let folders: [String]
    private let library: Library
    private let terminal: Terminal
    private let memory: Locked<Memory>
    private let notes: ReadingNotes
    private let isStopped = Locked(false)
    private let queue = DispatchQueue(label: "tileserve.folders", qos: .utility)
    private let timer = Locked<(any DispatchSourceTimer)?>(nil)

    /// Long enough for a file that is being copied to grow between two scans.
    private static let periodSeconds = 2

    /// Folders that are scanned after `start` is called.
    init(_ folders: [String], into library: Library, terminal: Terminal) {
        self.folders = folders
        self.library = library
        self.terminal = terminal
        memory = Locked(Memory(imported: Self.stored(in: library.folder)))
        notes = ReadingNotes(in: library.folder)
    }

    /// Starts scanning periodically.
    func start() {
        tellSkipped()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .seconds(Self.periodSeconds))
        timer.setEventHandler { [weak self] in self?.look() }
        self.timer.withLock { $0 = timer }
        timer.resume()
    }

    /// Stops scanning; an import in progress stops after the current file or track.
    func stop() {
        isStopped.withLock { $0 = true }
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
        queue.sync {}
    }

    /// Reports the files that are skipped.
    func tellSkipped() {
        for path in notes.skipped
        where FileStatus.ifAny(of: path).map({ notes.isSkipped(path, WatchedFile($0)) }) == true {
            terminal.note(
                "\(path): the server crashed while reading this file; skipped until it changes ('touch' it to read it again)"
                    .asOneLine)
        }
    }

    /// Scans once; must not be called concurrently.
    func look() {
        var ready: [String] = []
        var present: [String: WatchedFile] = [:]
        var trouble: Set<String> = []
        for folder in folders {
            do {
                try Folder.walk(folder, refused: { trouble.insert("\($0)") }) { path in
                    guard let facts = FileStatus.ifAny(of: path), !Self.isHidden(path) else { return }
                    let state = WatchedFile(facts)
                    if !notes.isSkipped(path, state) { present[path] = state }
                }
            } catch {
                trouble.insert("\(error)")
            }
        }
        let seen = present
        memory.withLock { memory in
            ready = seen.keys.filter { seen[$0] != memory.imported[$0] && seen[$0] == memory.growing[$0] }.sorted()
            memory.growing = seen.filter { $0.value != memory.imported[$0.key] }
        }
        tell(trouble)
        let suspects = ready.filter { path in seen[path].map { notes.isSuspect(path, $0) } == true }
        let others = ready.filter { !suspects.contains($0) }
        for paths in suspects.map({ [$0] }) + [others] where !paths.isEmpty {
            guard !isStopped.withLock({ $0 }) else { return }
            do { try importFiles(paths, as: seen) } catch { tell(error) }
            do { try notes.finish() } catch { tell(error) }
        }
    }

    private func importFiles(_ paths: [String], as seen: [String: WatchedFile]) throws {
        let truth = library.truth
        let zone = TimeZone(identifier: try library.calendar().zone) ?? .gmt
        let number = try truth.beginImportRun(paths)
        var importer = Importer(options: ImportOptions(libraryZone: zone)) { try truth.beginImport(of: number) }
        importer.willRead = { [notes] path in
            if let state = seen[path] { try notes.begin(path, state) }
        }
        let receipts = Locked<[String]>([])
        let handled = Locked<[String]>([])
        _ = importer.run(paths, isStopped: { [isStopped] in isStopped.withLock { $0 } }) { [terminal, notes] event in
            guard case .finished(let receipt) = event else { return }
            notes.end(receipt.file)
            for line in receipt.lines { terminal.note(line) }
            receipts.withLock { $0.append(receipt.json) }
            // Not for a file that failed because of the library or was interrupted: it will be read again.
            if receipt.failure?.endsImport != true { handled.withLock { $0.append(receipt.file) } }
        }
        try truth.keep(receipts.withLock { $0 }, ofImport: number)
        try truth.dropEmptyImport(number)
        try library.catchUp()
        let done = handled.withLock { $0 }
        let imported = memory.withLock { memory in
            for path in done { memory.imported[path] = seen[path] }
            memory.imported = memory.imported.filter { FileStatus.ifAny(of: $0.key) != nil }
            return memory.imported
        }
        try AtomicFile.write(
            Array(try JSONEncoder().encode(imported)), to: Self.path(in: library.folder), durability: .cached)
    }

    private func tell(_ error: any Error) {
        terminal.note(Failure(error, command: "tileserve serve").line)
    }

    /// Reports each problem once, until it is resolved.
    private func tell(_ trouble: Set<String>) {
        let new = memory.withLock { memory in
            defer { memory.trouble = trouble }
            return trouble.subtracting(memory.trouble)
        }
        for line in new.sorted() { terminal.note(line) }
    }

    /// Programs write to a hidden file, or one with such an ending, and rename it when it is complete.
    private static func isHidden(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix(".") || [".part", ".tmp", ".crdownload"].contains { name.hasSuffix($0) }
    }

    private static func path(in folder: String) -> String { folder + "/watched.json" }

    /// The files imported by an earlier server; empty if the list cannot be read, so that they are read a second time.
    private static func stored(in folder: String) -> [String: WatchedFile] {
        guard let bytes = try? AtomicFile.read(path(in: folder)) else { return [:] }
        return (try? JSONDecoder().decode([String: WatchedFile].self, from: Data(bytes))) ?? [:]
    }
}
