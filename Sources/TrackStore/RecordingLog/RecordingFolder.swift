internal import Dispatch
internal import Files
internal import Foundation
internal import Tracks

/// A process's files in `LIBRARY/recording`: its logs (`SESSION-N.points`, or `SESSION-N-MS.points` with the sampling
/// period in milliseconds, so that whoever moves them keeps the same points), the lock that shows that the process is
/// running, and the file with which other processes request a flush.
final class RecordingFolder: Sendable {
    let path: String
    private let session: String
    private let lock: LockFile
    private let sampling: String

    /// Registers this process in the folder of a library.
    init(joining library: String, samplingMilliseconds: Int64?) throws {
        sampling = samplingMilliseconds.map { "-\($0)" } ?? ""
        path = Self.path(in: library)
        try Folder.make(path, access: .owner)
        session = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        lock = try LockFile.wait(for: path + "/" + session + Self.lockSuffix)
    }

    private static let lockSuffix = ".lock"
    private static let logSuffix = ".points"
    private static let requestSuffix = ".flush"

    private static func path(in library: String) -> String { library + "/recording" }

    func newLog(number: Int) throws(FileError) -> AppendLog {
        try AppendLog(new: "\(path)/\(session)-\(number)\(sampling)\(Self.logSuffix)")
    }

    /// Whether another process has requested a flush.
    var isFlushRequested: Bool { FileStatus.ifExists(of: path + "/" + session + Self.requestSuffix) != nil }

    /// Reports that the requested flush is done.
    func reportFlushed() {
        // If this fails, the other process waits until its timeout.
        _ = try? AtomicFile.remove(path + "/" + session + Self.requestSuffix)
    }

    /// Removes this process's files from the folder.
    func unregister() {
        reportFlushed()
        // What remains is removed by the next process that checks.
        _ = try? AtomicFile.remove(lock.path)
    }

    // MARK: Logs of any process

    /// Moves a log into the streams and deletes it; nil if `isLate` became true before it was done.
    static func move(
        _ log: String, into database: TrackDatabase, isLate: () -> Bool = { false }
    ) throws -> RecordingOutcome? {
        try TrackDatabase.mappingErrors(log) {
            let name = log.split(separator: "/").last.map(String.init) ?? log
            let bytes = try AtomicFile.read(log) ?? []
            if isLate() { return nil }
            var recorded = RecordedLog()
            for entry in LogFrame.entries(of: bytes) {
                guard let points = RecordedPoints(decoding: entry) else {
                    throw LibraryError.damaged(path: log, what: "holds points that this version cannot read")
                }
                recorded.add(points)
            }
            let moved = try database.moveRecorded(
                recorded, ofLog: name, samplingMilliseconds: numbers(of: log).samplingMilliseconds, isLate: isLate)
            guard let outcome = moved else { return nil }
            // In this order, so that an existing log is either recorded as moved or not moved at all.
            try AtomicFile.remove(log)
            try database.deleteProgress(log: name)
            return outcome
        }
    }

    /// Moves the logs of killed processes. A log that cannot be moved stays, and the first error is thrown at the end.
    /// If `isLate` becomes true, the rest stays for another time.
    static func moveAbandonedLogs(in database: TrackDatabase, isLate: () -> Bool = { false }) throws {
        let folder = path(in: database.folder)
        guard FileStatus.ifExists(of: folder) != nil else { return }
        try TrackDatabase.mappingErrors(folder) {
            var failure: (any Error)?
            for session in try sessions(in: folder) {
                guard let lock = try LockFile.take(folder + "/" + session + lockSuffix) else { continue }
                do {
                    for log in try logs(of: session, in: folder) {
                        guard try move(log, into: database, isLate: isLate) != nil else { return }
                    }
                    try AtomicFile.remove(folder + "/" + session + requestSuffix)
                    try AtomicFile.remove(lock.path)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
            for name in try database.recordedLogs() where FileStatus.ifExists(of: folder + "/" + name) == nil {
                try database.deleteProgress(log: name)
            }
        }
    }

    /// Waits until the points recorded so far by every process of the library are in the streams; false if a running
    /// process has not moved them within `timeoutMilliseconds`.
    static func flushEverywhere(of database: TrackDatabase, timeoutMilliseconds: Int) throws -> Bool {
        let folder = path(in: database.folder)
        guard FileStatus.ifExists(of: folder) != nil else { return true }
        try moveAbandonedLogs(in: database)
        return try TrackDatabase.mappingErrors(folder) {
            let runningSessions = try sessions(in: folder)
            for session in runningSessions {
                try AtomicFile.write([], to: folder + "/" + session + requestSuffix, durability: .cached)
            }
            let deadline = ContinuousClock.now + .milliseconds(timeoutMilliseconds)
            while try runningSessions.contains(where: { try hasPendingFlush($0, in: folder) }) {
                if ContinuousClock.now >= deadline { return false }
                Thread.sleep(forTimeInterval: pollSeconds)
            }
            // A process may have been killed meanwhile.
            try moveAbandonedLogs(in: database)
            return true
        }
    }

    /// Servers check several times a second; polling more often than this gives nothing.
    private static let pollSeconds = 0.02

    private static func hasPendingFlush(_ session: String, in folder: String) throws -> Bool {
        guard FileStatus.ifExists(of: folder + "/" + session + requestSuffix) != nil else { return false }
        return try LockFile.isHeld(folder + "/" + session + lockSuffix)
    }

    /// The sessions that have any file.
    private static func sessions(in folder: String) throws -> [String] {
        var sessions: Set<String> = []
        for entry in try Folder.entries(of: folder) where entry.kind == .file {
            guard let name = entry.path.split(separator: "/").last else { continue }
            sessions.insert(String(name.prefix { $0 != "-" && $0 != "." }))
        }
        return sessions.sorted()
    }

    /// In the order in which they were written.
    private static func logs(of session: String, in folder: String) throws -> [String] {
        try Folder.entries(of: folder).map(\.path).filter {
            $0.hasPrefix(folder + "/" + session + "-") && $0.hasSuffix(logSuffix)
        }.sorted { numbers(of: $0).number < numbers(of: $1).number }
    }

    /// The number and the sampling period in a log's name.
    private static func numbers(of log: String) -> (number: Int, samplingMilliseconds: Int64?) {
        let name = log.split(separator: "/").last?.dropLast(logSuffix.count) ?? ""
        let parts = name.split(separator: "-")
        return (parts.count > 1 ? Int(parts[1]) ?? 0 : 0, parts.count > 2 ? Int64(parts[2]) : nil)
    }
}
