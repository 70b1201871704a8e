import Files
import Foundation
import Glibc
import Locking

/// The outputs of a command; a value, so that tests can replace them.
public struct Terminal: Sendable {
    /// Writes results. A closed pipe is not an error: the rest is dropped.
    let out: @Sendable (String) throws -> Void
    /// Writes messages; errors are ignored, because they could not be reported.
    let err: @Sendable (String) -> Void
    /// Whether the standard error is an interactive terminal.
    let isInteractive: Bool
    /// The width of results in characters.
    let columns: Int
    /// The width of messages in characters, as it is now: the window of a terminal may change its size.
    let messageColumns: @Sendable () -> Int
    /// Seconds of a monotonic clock.
    let seconds: @Sendable () -> Double

    public init(
        out: @escaping @Sendable (String) throws -> Void, err: @escaping @Sendable (String) -> Void,
        isInteractive: Bool = false, columns: Int = 80, messageColumns: @escaping @Sendable () -> Int = { 80 },
        seconds: @escaping @Sendable () -> Double = { 0 }
    ) {
        self.out = out
        self.err = err
        self.isInteractive = isInteractive
        self.columns = columns
        self.messageColumns = messageColumns
        self.seconds = seconds
    }

    /// The standard streams of the process.
    public static func standard(environment: [String: String]) throws -> Terminal {
        let out = Locked(StandardStream(sink: try FileSink(standardOutput: ())))
        let err = Locked(StandardStream(sink: try FileSink(standardError: ())))
        let start = ContinuousClock.now
        return Terminal(
            out: { text in try out.withLock { try $0.write(text) } },
            err: { text in err.withLock { try? $0.write(text) } },
            isInteractive: isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb",
            columns: columns(TerminalSize.columns(of: .output), environment),
            messageColumns: { columns(TerminalSize.columns(of: .error), environment) },
            seconds: { start.duration(to: .now) / .seconds(1) })
    }

    /// The width of a stream: that of its terminal; for a file or a pipe `$COLUMNS`, else 80. Shells that export
    /// `$COLUMNS` do not change it in a running program, and a progress line that is wider than the terminal cannot be
    /// removed: so it does not override the width of a terminal.
    static func columns(_ terminal: Int?, _ environment: [String: String]) -> Int {
        let columns = terminal ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80
        return min(max(columns, 20), 1000)
    }

    /// Writes the bytes of a text.
    func write(_ bytes: [UInt8]) throws {
        try out(String(decoding: bytes, as: UTF8.self))
    }

    /// Writes a line of results.
    func say(_ line: String) throws {
        try out(line + "\n")
    }

    /// Writes a line of messages.
    func report(_ line: String) {
        err(line + "\n")
    }
}

/// A standard stream; after its reader has closed it, output is dropped.
private struct StandardStream {
    let sink: FileSink
    var isClosed = false

    mutating func write(_ text: String) throws {
        guard !isClosed else { return }
        do {
            try sink.write(Array(text.utf8))
        } catch {
            guard error.isClosedPipe else { throw error }
            isClosed = true
        }
    }
}
