import Locking

/// How far long work is: one line that is written over where a person watches, a line every few seconds elsewhere.
///
/// Any thread may tell it.
final class Progress: Sendable {
    private struct State: Sendable {
        var started: Double
        var lastShown: Double
        var shown = ""
    }

    /// Four times a second is as often as an eye follows.
    private static let watchedSeconds = 0.25
    /// Often enough for a log to tell that work goes on.
    private static let loggedSeconds = 5.0
    /// A guess from less than this is none.
    private static let guessSeconds = 2.0

    private let terminal: Terminal
    private let state: Locked<State>

    /// Begins now.
    init(_ terminal: Terminal) {
        self.terminal = terminal
        let now = terminal.seconds()
        state = Locked(State(started: now, lastShown: now))
    }

    /// Tells how far it is: `fraction` of the work, nil where nobody knows how much there is. `words` say the rest, given
    /// the seconds since the beginning, and are asked for only when shown.
    func update(fraction: Double?, _ words: (_ seconds: Double) -> String) {
        let now = terminal.seconds()
        let interval = terminal.isWatched ? Self.watchedSeconds : Self.loggedSeconds
        let terminal = terminal
        state.withLock { state in
            guard now - state.lastShown >= interval else { return }
            state.lastShown = now
            let seconds = now - state.started
            var line = words(seconds)
            if let fraction, fraction > 0 {
                line += " · \(Int(min(1, fraction) * 100)) %"
                if seconds >= Self.guessSeconds, fraction < 1 {
                    line += " · \(NumberText.duration(seconds / fraction - seconds)) left"
                }
            }
            if terminal.isWatched {
                state.shown = String(line.prefix(max(20, terminal.columns - 1)))
                terminal.err("\r\u{1b}[K" + state.shown)
            } else {
                terminal.note(line)
            }
        }
    }

    /// Writes something else while no line of progress stands in its way.
    func aside(_ body: () throws -> Void) rethrows {
        let terminal = terminal
        try state.withLock { state in
            if !state.shown.isEmpty { terminal.err("\r\u{1b}[K") }
            try body()
            if !state.shown.isEmpty { terminal.err(state.shown) }
        }
    }

    /// Takes the line away.
    func end() {
        let terminal = terminal
        state.withLock { state in
            if !state.shown.isEmpty { terminal.err("\r\u{1b}[K") }
            state.shown = ""
        }
    }
}
