import Dispatch
import Files
import HTTPCore
import Locking
import TileService

/// The file of requests: a line each, written in batches away from the queue that listens.
final class AccessLog: Sendable {
    private struct Waiting: Sendable {
        var records: [AccessRecord] = []
        var isScheduled = false
        var dropped = 0
    }

    /// What only the log's own queue touches.
    private struct Writing {
        var sink: FileSink?
        var lines = AccessLines()
        var hasFailed = false
    }

    /// Four times a second: who follows the log sees lines come, and a batch spares thousands of calls.
    private static let interval = DispatchTimeInterval.milliseconds(250)
    /// Some seconds of the fastest requests, 100 MB; beyond, the disk is stuck and lines are dropped.
    private static let mostWaiting = 400_000

    private let path: String
    private let terminal: Terminal
    private let waiting = Locked(Waiting())
    private let writing: Locked<Writing>
    private let queue = DispatchQueue(label: "tileserve.accesslog", qos: .utility)

    /// Opens the log at its end; `-` is the terminal's standard output.
    init(path: String, terminal: Terminal) throws {
        self.path = path
        self.terminal = terminal
        writing = Locked(Writing(sink: path == "-" ? nil : try FileSink(appendingTo: path)))
    }

    /// Puts a record aside; fast enough for the listening queue.
    func add(_ record: AccessRecord) {
        let isFirst = waiting.withLock { waiting in
            guard waiting.records.count < Self.mostWaiting else {
                waiting.dropped += 1
                return false
            }
            waiting.records.append(record)
            defer { waiting.isScheduled = true }
            return !waiting.isScheduled
        }
        if isFirst { queue.asyncAfter(deadline: .now() + Self.interval) { [self] in write() } }
    }

    /// Opens the file anew, as after somebody has moved it away.
    func reopen() {
        guard path != "-" else { return }
        queue.async { [self] in
            write()
            do throws(FileError) {
                let sink = try FileSink(appendingTo: path)
                writing.withLock { $0.sink = sink }
            } catch {
                terminal.note("\(error.description); the access log goes on in the old file")
            }
        }
    }

    /// Writes what waits, and returns when it is written.
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
                    try terminal.out(String(decoding: bytes, as: UTF8.self))
                }
                writing.hasFailed = false
            }
        } catch {
            tell(of: error)
        }
        if dropped > 0 {
            terminal.note("\(path): \(NumberText.count(dropped, "line")) of the access log dropped; check the disk")
        }
    }

    private func tell(of error: any Error) {
        // Once, not with every batch.
        let isFirst = writing.withLock { writing in
            defer { writing.hasFailed = true }
            return !writing.hasFailed
        }
        if isFirst { terminal.note(Failure(error, command: "tileserve serve").line) }
    }
}
