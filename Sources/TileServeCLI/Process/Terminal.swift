import Files
import Foundation
import Glibc
import Locking

/// Where a command's words go; a value, so that tests can listen.
public struct Terminal: Sendable {
    /// Takes results. A reader that has gone is no error: the rest is dropped.
    let out: @Sendable (String) throws -> Void
    /// Takes everything else; what cannot be written there can be told to nobody.
    let err: @Sendable (String) -> Void
    /// Whether a person watches the standard error.
    let isWatched: Bool
    /// How wide a line may be there.
    let columns: Int
    /// Seconds since some moment, never going back.
    let seconds: @Sendable () -> Double

    /// A terminal of these parts.
    public init(
        out: @escaping @Sendable (String) throws -> Void, err: @escaping @Sendable (String) -> Void,
        isWatched: Bool = false, columns: Int = 80, seconds: @escaping @Sendable () -> Double = { 0 }
    ) {
        self.out = out
        self.err = err
        self.isWatched = isWatched
        self.columns = columns
        self.seconds = seconds
    }

    /// The process's own standard streams.
    public static func standard(environment: [String: String]) throws -> Terminal {
        let out = Locked(StandardStream(sink: try FileSink(standardOutput: ())))
        let err = Locked(StandardStream(sink: try FileSink(standardError: ())))
        let start = ContinuousClock.now
        return Terminal(
            out: { text in try out.withLock { try $0.write(text) } },
            err: { text in err.withLock { try? $0.write(text) } },
            isWatched: isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb",
            columns: environment["COLUMNS"].flatMap { Int($0) }.map { min(max($0, 20), 1000) } ?? 80,
            seconds: { start.duration(to: .now) / .seconds(1) })
    }

    /// A line of results.
    func say(_ line: String) throws {
        try out(line + "\n")
    }

    /// A line of everything else.
    func note(_ line: String) {
        err(line + "\n")
    }
}

/// A standard stream, until its reader goes.
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
