internal import Database
package import Files
internal import Locking
internal import Parallelism
internal import PrimaryStore

/// The recording log of a library in the folder `LIBRARY/recording`.
///
/// A session has a random name. Its files are: a segment `SESSION-N.points`, or `SESSION-N-MS.points` with the sampling
/// period in milliseconds; the lock `SESSION.lock`, held while the process is running; and `SESSION.flush`, with which
/// other processes request a flush. Sessions of this object are flushed without a file.
package final class RecordingFolder: RecordingLog {
    let path: String
    /// The running sessions of this object, with the call that flushes each.
    private let own = Locked<[String: @Sendable () -> Bool]>([:])

    /// The name of the folder in that of the library.
    package static let name = "recording"

    /// The log of the library in a folder.
    package init(library: String) {
        path = library + "/" + Self.name
    }

    /// The segments of all sessions, opened: they can be read to their end even if they are deleted. Those that are deleted
    /// before are left out.
    package static func openSegments(ofLibrary library: String) throws -> [(name: String, file: FileSource)] {
        let path = library + "/" + name
        guard FileStatus.ifExists(of: path) != nil else { return [] }
        return try LibraryError.mappingFiles {
            try Folder.entries(of: path).filter { $0.path.hasSuffix(Suffix.segment.rawValue) }.compactMap { entry in
                do throws(FileError) {
                    return (SegmentFile(path: entry.path).name, try FileSource(path: entry.path))
                } catch {
                    if error.isMissing { return nil }
                    throw error
                }
            }
        }
    }

    package func begin(
        samplingMilliseconds: Int64?, flush: @escaping @Sendable () -> Bool
    ) throws -> any RecordingSession {
        try LibraryError.mappingFiles {
            try Folder.make(path, access: .owner)
            let session = try FolderSession(in: self, samplingMilliseconds: samplingMilliseconds)
            own.withLock { $0[session.name] = flush }
            return session
        }
    }

    fileprivate func forget(session: String) {
        own.withLock { $0[session] = nil }
    }

    package func contains(segment name: String) -> Bool {
        FileStatus.ifExists(of: path + "/" + name) != nil
    }

    package func forEachAbandoned(_ body: (any RecordedSegment) throws -> Bool) throws {
        guard FileStatus.ifExists(of: path) != nil else { return }
        try LibraryError.mappingFiles {
            var failure: (any Error)?
            sessions: for session in try sessions() {
                guard let lock = try LockFile.take(file(session, .lock)) else { continue }
                do {
                    var hasFailed = false
                    for segment in try segments(of: session) {
                        do {
                            guard try body(segment) else { break sessions }
                        } catch let error as LibraryError where !error.concernsAllData {
                            failure = failure ?? error
                            hasFailed = true
                        }
                    }
                    guard !hasFailed else { continue }
                    // The lock is the last file: as long as it exists, the session is found again.
                    try AtomicFile.remove(file(session, .request))
                    try AtomicFile.remove(lock.path)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
    }

    package func flushSessions(timeoutMilliseconds: Int) throws -> Bool {
        let mine = own.withLock { $0 }
        var areFlushed = true
        for flush in mine.values where !flush() { areFlushed = false }
        guard FileStatus.ifExists(of: path) != nil else { return areFlushed }
        return try LibraryError.mappingFiles {
            let others = try sessions().filter { mine[$0] == nil }
            // Not fsynced: after a power failure, neither this process waits nor does the other one run.
            for session in others { try AtomicFile.write([], to: file(session, .request), durability: .cached) }
            let haveOthers = try pollUntil(
                within: .milliseconds(timeoutMilliseconds), periodSeconds: Self.pollSeconds
            ) { try !others.contains(where: hasPendingFlush) }
            return areFlushed && haveOthers
        }
    }

    package func newPoints(since position: inout RecordedPosition) throws -> [RecordedPoints] {
        guard FileStatus.ifExists(of: path) != nil else {
            position = RecordedPosition(ends: [:], isFirst: false)
            return []
        }
        let mine = own.withLock { $0 }
        return try LibraryError.mappingFiles {
            var ends: [String: Int64] = [:]
            var points: [RecordedPoints] = []
            for entry in try Folder.entries(of: path) where entry.path.hasSuffix(Suffix.segment.rawValue) {
                let segment = SegmentFile(path: entry.path)
                guard mine[segment.session] == nil, let size = FileStatus.ifExists(of: entry.path)?.byteCount else {
                    continue
                }
                // What was recorded before the first call is not new.
                let known = position.ends[segment.name] ?? (position.isFirst ? size : 0)
                ends[segment.name] = known
                guard size > known, let bytes = try AtomicFile.read(entry.path) else { continue }
                let new = LogFrame.complete(bytes.dropFirst(Int(known)))
                points += new.entries.compactMap { RecordedPoints(decoding: $0) }
                ends[segment.name] = known + Int64(new.byteCount)
            }
            position = RecordedPosition(ends: ends, isFirst: false)
            return points
        }
    }

    /// Servers check several times a second; polling more often than this gives nothing.
    private static let pollSeconds = 0.02

    private func hasPendingFlush(_ session: String) throws -> Bool {
        guard FileStatus.ifExists(of: file(session, .request)) != nil else { return false }
        return try LockFile.isHeld(file(session, .lock))
    }

    // MARK: Files

    /// The ending of a file's name.
    fileprivate enum Suffix: String {
        case lock = ".lock"
        case segment = ".points"
        case request = ".flush"
    }

    fileprivate func file(_ name: String, _ suffix: Suffix) -> String {
        path + "/" + name + suffix.rawValue
    }

    /// The sessions that have any file.
    private func sessions() throws -> [String] {
        var sessions: Set<String> = []
        for entry in try Folder.entries(of: path) where entry.kind == .file {
            guard let name = entry.path.split(separator: "/").last else { continue }
            sessions.insert(String(name.prefix { $0 != "-" && $0 != "." }))
        }
        return sessions.sorted()
    }

    /// The segments of a session in the order in which they were written.
    private func segments(of session: String) throws -> [SegmentFile] {
        try Folder.entries(of: path).map(\.path).filter {
            $0.hasPrefix(path + "/" + session + "-") && $0.hasSuffix(Suffix.segment.rawValue)
        }.map(SegmentFile.init).sorted { $0.number < $1.number }
    }
}

/// What this process records, in files of a `RecordingFolder`. When it is released, others may move what is left.
private final class FolderSession: RecordingSession {
    let name: String
    private let folder: RecordingFolder
    private let samplingMilliseconds: Int64?
    private let files: Locked<OpenFiles>

    private struct OpenFiles {
        var lock: LockFile?
        var current: AppendLog?
        var count = 0
    }

    init(in folder: RecordingFolder, samplingMilliseconds: Int64?) throws(FileError) {
        self.folder = folder
        self.samplingMilliseconds = samplingMilliseconds
        name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        files = Locked(OpenFiles(lock: try LockFile.wait(for: folder.file(name, .lock))))
    }

    deinit {
        folder.forget(session: name)
    }

    /// The lock is held as long as the process runs.
    var isLost: Bool { false }

    func append(_ bytes: [UInt8]) throws -> Int {
        try LibraryError.mappingFiles {
            try files.withLock { files in
                if files.current == nil { try begin(&files) }
                try files.current?.append(bytes)
                try files.current?.flushToDisk()
                return files.current?.byteCount ?? 0
            }
        }
    }

    private func begin(_ files: inout OpenFiles) throws {
        files.count += 1
        let sampling = samplingMilliseconds.map { "-\($0)" } ?? ""
        files.current = try AppendLog(new: folder.file("\(name)-\(files.count)\(sampling)", .segment))
    }

    func seal() -> (any RecordedSegment)? {
        files.withLock { files in
            defer { files.current = nil }
            return files.current.map { SegmentFile(path: $0.path) }
        }
    }

    var isFlushRequested: Bool { FileStatus.ifExists(of: folder.file(name, .request)) != nil }

    func reportFlushed() {
        // If this fails, the other process waits until its timeout.
        _ = try? AtomicFile.remove(folder.file(name, .request))
    }

    func end() {
        folder.forget(session: name)
        reportFlushed()
        // What remains is removed by the next process that checks.
        _ = try? AtomicFile.remove(folder.file(name, .lock))
        files.withLock { $0.lock = nil }
    }
}

/// A segment as a file.
private struct SegmentFile: RecordedSegment {
    let path: String
    let name: String
    /// The name of its session.
    let session: String
    let number: Int
    let samplingMilliseconds: Int64?

    init(path: String) {
        self.path = path
        name = path.split(separator: "/").last.map(String.init) ?? path
        let parts = name.dropLast(RecordingFolder.Suffix.segment.rawValue.count).split(separator: "-")
        session = parts.first.map(String.init) ?? name
        number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        samplingMilliseconds = parts.count > 2 ? Int64(parts[2]) : nil
    }

    /// Nobody else moves it while the lock of its session is held.
    func hold(in session: any Session) {}

    func forEach(_ body: (RecordedPoints) throws -> Void) throws {
        let bytes = try LibraryError.mappingFiles { try AtomicFile.read(path) ?? [] }
        try RecordedPoints.forEach(in: bytes, path: path, body)
    }

    func delete() throws {
        _ = try LibraryError.mappingFiles { try AtomicFile.remove(path) }
    }
}
