internal import Database
internal import Locking
internal import PostgreSQL

/// What the processes of a library announce.
final class AnnouncementChannel: Sendable {
    private let options: SessionOptions
    private let name: String
    private let state = Locked(State())
    private let listener = Locked<Listener?>(nil)

    private struct State {
        /// Whether announcements arrive.
        var isHearing = false
        var counts: [Announcement: Int] = [:]
        var bodies: [@Sendable (Announcement) -> Void] = []
    }

    init(_ location: PostgreSQLLocation, _ accelerations: Accelerations) {
        var options = SessionOptions(location: location.connection, name: location.name)
        options.accelerations = accelerations
        self.options = options
        name = Self.name(location)
    }

    private static func name(_ location: PostgreSQLLocation) -> String { "tileserve/\(location.schema)" }

    /// The statement that announces something to the processes of a library.
    static func announcement(_ kind: Announcement, in location: PostgreSQLLocation) -> String {
        PostgreSQLSession.announcement(kind.rawValue, on: name(location))
    }

    /// How many announcements were heard; nil if they do not arrive. Begins to listen.
    func count(of kind: Announcement) -> Int? {
        listen()
        return state.withLock { $0.isHearing ? $0.counts[kind, default: 0] : nil }
    }

    /// Calls `body` after each announcement. Begins to listen.
    func onAnnouncement(_ body: @escaping @Sendable (Announcement) -> Void) {
        state.withLock { $0.bodies.append(body) }
        listen()
    }

    private func listen() {
        listener.withLock { listener in
            listener = listener ?? Listener(options, channel: name) { [weak self] in self?.take($0) }
        }
    }

    private func take(_ event: Listener.Event) {
        switch event {
        case .begun:
            state.withLock { $0.isHearing = true }
            // Something may have been announced before.
            Announcement.allCases.forEach(hear)
        case .announced(let text): Announcement(rawValue: text).map(hear)
        case .ended: state.withLock { $0.isHearing = false }
        }
    }

    private func hear(_ kind: Announcement) {
        let bodies = state.withLock { state in
            state.counts[kind, default: 0] += 1
            return state.bodies
        }
        for body in bodies { body(kind) }
    }
}
