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
        lock = try LockFile.wait(for: path + "/" + session + Self.lockEnding)
    }

    private static let lockEnding = ".lock"
    private static let logEnding = ".points"
    private static let wishEnding = ".flush"

    private static func path(in library: String) -> String { library + "/recording" }

    func newLog(number: Int) throws(FileError) -> AppendLog {
        try AppendLog(new: "\(path)/\(session)-\(number)\(sampling)\(Self.logEnding)")
    }

    /// Whether another process has requested a flush.
    var isFlushWanted: Bool { FileStatus.ifAny(of: path + "/" + session + Self.wishEnding) != nil }

    /// Reports that the requested flush is done.
    func sayFlushed() {
        // If this fails, the other process waits until its timeout.
        _ = try? AtomicFile.remove(path + "/" + session + Self.wishEnding)
    }

    /// Removes this process's files from the folder.
    func leave() {
        sayFlushed()
        // What remains is removed by the next process that checks.
        _ = try? AtomicFile.remove(lock.path)
    }

    // MARK: Logs of any process

    /// Moves a log into the streams and deletes it; nil if `isLate` became true before it was done.
    static func move(
        _ log: String, into truth: TrackDatabase, isLate: () -> Bool = { false }
    ) throws -> RecordingOutcome? {
        try TrackDatabase.labelled(log) {
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
            let moved = try truth.moveRecorded(
                recorded, ofLog: name, samplingMilliseconds: numbers(of: log).samplingMilliseconds, isLate: isLate)
            guard let outcome = moved else { return nil }
            // In this order, so that an existing log is either recorded as moved or not moved at all.
            try AtomicFile.remove(log)
            try truth.forgetRecorded(log: name)
            return outcome
        }
    }

    /// Moves the logs of killed processes. A log that cannot be moved stays, and the first error is thrown at the end.
    /// If `isLate` becomes true, the rest stays for another time.
    static func moveLeft(in truth: TrackDatabase, isLate: () -> Bool = { false }) throws {
        let folder = path(in: truth.folder)
        guard FileStatus.ifAny(of: folder) != nil else { return }
        try TrackDatabase.labelled(folder) {
            var failure: (any Error)?
            for session in try sessions(in: folder) {
                guard let lock = try LockFile.take(folder + "/" + session + lockEnding) else { continue }
                do {
                    for log in try logs(of: session, in: folder) {
                        guard try move(log, into: truth, isLate: isLate) != nil else { return }
                    }
                    try AtomicFile.remove(folder + "/" + session + wishEnding)
                    try AtomicFile.remove(lock.path)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
            for name in try truth.recordedLogs() where FileStatus.ifAny(of: folder + "/" + name) == nil {
                try truth.forgetRecorded(log: name)
            }
        }
    }

    /// Waits until the points recorded so far by every process of the library are in the streams; false if a running
    /// process has not moved them within `timeoutMilliseconds`.
    static func flushEverywhere(of truth: TrackDatabase, timeoutMilliseconds: Int) throws -> Bool {
        let folder = path(in: truth.folder)
        guard FileStatus.ifAny(of: folder) != nil else { return true }
        try moveLeft(in: truth)
        return try TrackDatabase.labelled(folder) {
            let living = try sessions(in: folder)
            for session in living {
                try AtomicFile.write([], to: folder + "/" + session + wishEnding, durability: .cached)
            }
            let deadline = ContinuousClock.now + .milliseconds(timeoutMilliseconds)
            while try living.contains(where: { try owesFlush($0, in: folder) }) {
                if ContinuousClock.now >= deadline { return false }
                Thread.sleep(forTimeInterval: pollSeconds)
            }
            // A process may have been killed meanwhile.
            try moveLeft(in: truth)
            return true
        }
    }

    /// Servers check several times a second; polling more often than this gives nothing.
    private static let pollSeconds = 0.02

    private static func owesFlush(_ session: String, in folder: String) throws -> Bool {
        guard FileStatus.ifAny(of: folder + "/" + session + wishEnding) != nil else { return false }
        return try LockFile.isHeld(folder + "/" + session + lockEnding)
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
            $0.hasPrefix(folder + "/" + session + "-") && $0.hasSuffix(logEnding)
        }.sorted { numbers(of: $0).number < numbers(of: $1).number }
    }

    /// The number and the sampling period in a log's name.
    private static func numbers(of log: String) -> (number: Int, samplingMilliseconds: Int64?) {
        let name = log.split(separator: "/").last?.dropLast(logEnding.count) ?? ""
        let parts = name.split(separator: "-")
        return (parts.count > 1 ? Int(parts[1]) ?? 0 : 0, parts.count > 2 ? Int64(parts[2]) : nil)
    }
}
