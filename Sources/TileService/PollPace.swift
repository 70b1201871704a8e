import Locking
import TrackStore

/// Decides which of the polls of a library, several a second, ask its database. Of a file each does; with a server each
/// question is a round trip, and a process that serves nobody should ask for next to nothing.
final class PollPace: Sendable {
    private let library: Library
    private let state = Locked(State())

    private struct State {
        var lastReading = ContinuousClock.now
        /// The versions of the library before the last complete poll, and the time of it.
        var versions: (known: Library.Versions, read: ContinuousClock.Instant)?
        /// The announcements heard before the database was last asked for anything.
        var heard: Int?
    }

    /// How long announcements alone are trusted.
    private static let longestPause = Duration.seconds(1)
    /// How long versions are: what is in none, such as a table that was dropped, is found by a complete poll.
    private static let completePause = Duration.seconds(5)
    /// Many announcements in a short time are taken together.
    private static let shortestPause = Duration.milliseconds(50)

    init(_ library: Library) {
        self.library = library
    }

    /// When the library was last read for changes, or found unchanged.
    var lastReading: ContinuousClock.Instant { state.withLock { $0.lastReading } }

    /// Whether a poll has to ask the database, unless it has work in any case.
    func isDue(_ now: ContinuousClock.Instant) -> Bool {
        guard library.isShared else { return true }
        let heard = library.announcedChanges
        return state.withLock { state in
            defer { state.heard = heard }
            return heard == nil || heard != state.heard || now - state.lastReading >= Self.longestPause
        }
    }

    /// Whether an announcement is to be followed at once.
    func isDueAfterAnnouncement(_ now: ContinuousClock.Instant) -> Bool { now - lastReading >= Self.shortestPause }

    /// Whether neither database has changed since the last complete poll; asks both.
    func isUnchanged(_ now: ContinuousClock.Instant) -> Bool {
        guard let (known, read) = state.withLock({ $0.versions }), now - read < Self.completePause,
            (try? library.versions()) == known
        else { return false }
        state.withLock { $0.lastReading = now }
        return true
    }

    /// The versions before a complete poll reads anything: what changes meanwhile is read by the next one. nil for a library
    /// in files.
    func versions() throws -> Library.Versions? {
        library.isShared ? try library.versions() : nil
    }

    /// A complete poll that began at `now` has found nothing more to do.
    func finished(_ versions: Library.Versions?, _ now: ContinuousClock.Instant) {
        state.withLock { state in
            state.lastReading = now
            state.versions = versions.map { ($0, now) }
        }
    }
}
