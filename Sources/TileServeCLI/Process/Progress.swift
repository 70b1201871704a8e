import Locking

/// The progress of long work: on a terminal one line that is overwritten, elsewhere a line every few seconds.
///
/// Thread-safe.
final class Progress: Sendable {
    private struct State: Sendable {
        var started: Double
        var lastShown: Double
        var shown = ""
    }

    /// Four updates per second are as many as a person can follow.
    private static let interactiveSeconds = 0.25
    /// Often enough to show in a log that work continues.
    private static let logSeconds = 5.0
    /// The remaining time is not estimated before this.
    private static let estimateSeconds = 2.0

    private let terminal: Terminal
    private let state: Locked<State>

    /// Starts the clock.
    init(_ terminal: Terminal) {
        self.terminal = terminal
        let now = terminal.seconds()
        state = Locked(State(started: now, lastShown: now))
    }

    /// Shows the progress: `fraction` of the work, nil if the total is not known. `words` returns the rest of the line
    /// for the seconds since the beginning; it is only called when a line is shown.
    func update(fraction: Double?, _ words: (_ seconds: Double) -> String) {
        let now = terminal.seconds()
        let interval = terminal.isInteractive ? Self.interactiveSeconds : Self.logSeconds
        let terminal = terminal
        state.withLock { state in
            guard now - state.lastShown >= interval else { return }
            state.lastShown = now
            let seconds = now - state.started
            var line = words(seconds)
            if let fraction, fraction > 0 {
                line += " · \(Int(min(1, fraction) * 100)) %"
                if seconds >= Self.estimateSeconds, fraction < 1 {
                    line += " · \(NumberText.duration(seconds / fraction - seconds)) left"
                }
            }
            if terminal.isInteractive {
                state.shown = String(line.prefix(max(19, terminal.messageColumns() - 1)))
                terminal.err("\r\u{1b}[K" + state.shown)
            } else {
                terminal.report(line)
            }
        }
    }

    /// Writes other output, with the progress line removed meanwhile.
    func withLineHidden(_ body: () throws -> Void) rethrows {
        let terminal = terminal
        try state.withLock { state in
            if !state.shown.isEmpty { terminal.err("\r\u{1b}[K") }
            try body()
            if !state.shown.isEmpty { terminal.err(state.shown) }
        }
    }

    /// Removes the progress line.
    func end() {
        let terminal = terminal
        state.withLock { state in
            if !state.shown.isEmpty { terminal.err("\r\u{1b}[K") }
            state.shown = ""
        }
    }
}
