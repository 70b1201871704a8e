internal import Database
internal import Dispatch
internal import Locking

/// Hears what is announced on a channel, on a connection of its own, which is made anew when it is lost.
///
/// A pooler may accept LISTEN and pass on no notifications: so this object announces something itself, and counts as hearing
/// only when that has come.
public final class Listener: Sendable {
    public enum Event: Sendable {
        /// Announcements arrive from now on; some may have been missed before.
        case begun
        case announced(String)
        /// They arrive no longer.
        case ended
    }

    private let options: SessionOptions
    private let channel: String
    private let queue = DispatchQueue(label: "tileserve.announcements", qos: .utility)
    private let body: @Sendable (Event) -> Void
    /// Used on the queue only.
    private let connection = Locked<Connection?>(nil)

    private static let retrySeconds = 2

    /// Begins to listen. `body` is called for one event after the other, and must not wait.
    public init(_ options: SessionOptions, channel: String, _ body: @escaping @Sendable (Event) -> Void) {
        self.options = options
        self.channel = channel
        self.body = body
        guard options.accelerations.announces else { return }
        queue.async { [weak self] in self?.connect() }
    }

    deinit {
        connection.withLock { $0?.source.cancel() }
    }

    // MARK: On the queue

    /// A session that listens, with what tells when something has come.
    private final class Connection: @unchecked Sendable {
        // `@unchecked Sendable`: used on the queue of its listener only.
        let session: PostgreSQLSession
        let source: any DispatchSourceRead
        /// What the listener announces to itself.
        let probe: String

        init(_ session: PostgreSQLSession, _ source: any DispatchSourceRead, probe: String) {
            self.session = session
            self.source = source
            self.probe = probe
        }
    }

    private func connect() {
        do {
            let session = PostgreSQLSession(options)
            try session.listen(channel)
            guard let socket = session.socket else { return retry() }
            let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
            let made = Connection(session, source, probe: "probe \(UInt64.random(in: 0...UInt64.max))")
            source.setEventHandler { [weak self] in self?.read() }
            // The descriptor must stay open until then.
            source.setCancelHandler { withExtendedLifetime(made) {} }
            source.activate()
            connection.withLock { $0 = made }
            session.announce(PostgreSQLSession.announcement(made.probe, on: channel))
            read()
        } catch {
            // A standby, or a server without notifications, or none at all.
            retry()
        }
    }

    private func read() {
        guard let connection = connection.withLock({ $0 }) else { return }
        do {
            for text in try connection.session.announcements() {
                body(text == connection.probe ? .begun : .announced(text))
            }
        } catch {
            connection.source.cancel()
            self.connection.withLock { $0 = nil }
            body(.ended)
            retry()
        }
    }

    private func retry() {
        queue.asyncAfter(deadline: .now() + .seconds(Self.retrySeconds)) { [weak self] in self?.connect() }
    }
}
