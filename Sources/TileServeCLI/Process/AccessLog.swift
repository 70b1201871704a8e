import Dispatch
import Files
import HTTPCore
import Locking
import Text
import TileService

/// The access log: one line per request, written in batches on a queue of its own.
final class AccessLog: Sendable {
    private struct Waiting: Sendable {
        var records: [AccessRecord] = []
        var isScheduled = false
        var dropped = 0
    }

    /// State used on the log's queue only.
    private struct Writing {
        var sink: FileSink?
        var lines = AccessLines()
        var hasFailed = false
    }

    /// Four times per second: fast enough for a person who follows the log, and one write replaces thousands.
    private static let interval = DispatchTimeInterval.milliseconds(250)
    /// Some seconds at the highest request rate, 100 MB; with more waiting, the disk is blocked and lines are dropped.
    private static let queueLimit = 400_000

    private let path: String
    private let terminal: Terminal
    private let waiting = Locked(Waiting())
    private let writing: Locked<Writing>
    private let queue = DispatchQueue(label: "tileserve.accesslog", qos: .utility)

    /// Opens the log for appending; `-` is the standard output.
    init(path: String, terminal: Terminal) throws {
        self.path = path
        self.terminal = terminal
        writing = Locked(Writing(sink: path == "-" ? nil : try FileSink(appendingTo: path)))
    }

    /// Queues a record; fast enough for the listening queue.
    func add(_ record: AccessRecord) {
        let isFirst = waiting.withLock { waiting in
            guard waiting.records.count < Self.queueLimit else {
                waiting.dropped += 1
                return false
            }
            waiting.records.append(record)
            defer { waiting.isScheduled = true }
            return !waiting.isScheduled
        }
        if isFirst { queue.asyncAfter(deadline: .now() + Self.interval) { [self] in write() } }
    }

    /// Reopens the file, for log rotation.
    func reopen() {
        guard path != "-" else { return }
        queue.async { [self] in
            write()
            do throws(FileError) {
                let sink = try FileSink(appendingTo: path)
                writing.withLock { $0.sink = sink }
            } catch {
                terminal.report("\(error.description); the access log continues in the old file")
            }
        }
    }

    /// Writes the queued records, and returns when they are written.
    func flush() {
        queue.sync { write() }
    }

    private func write() {
        let (records, dropped) = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return (waiting.records, waiting.dropped)
        }
        guard !records.isEmpty else { return }
        do {
            try writing.withLock { writing in
                for record in records { writing.lines.append(record) }
                let bytes = writing.lines.take()
                if let sink = writing.sink {
                    try sink.write(bytes)
                } else {
                    try terminal.write(bytes)
                }
                writing.hasFailed = false
            }
        } catch {
            report(error)
        }
        if dropped > 0 {
            terminal.report("\(path): dropped \(DisplayText.count(dropped, "line")) of the access log; check the disk")
        }
    }

    private func report(_ error: any Error) {
        // Once, not for each batch.
        let isFirst = writing.withLock { writing in
            defer { writing.hasFailed = true }
            return !writing.hasFailed
        }
        if isFirst { terminal.report(Failure(error, command: "tileserve serve").line) }
    }
}
