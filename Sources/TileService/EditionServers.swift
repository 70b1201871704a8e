import Dispatch
import Editions
import Foundation
import HTTPCore
import Locking
import Parallelism
import Playback
import PrimaryStore
import RequestHandling
import Text
import TrackStore
import Tracks

/// Those who read an edition in one way.
enum EditionReaders: Hashable, Sendable {
    /// Everybody, so that shared caches may keep the answers.
    case everybody
    /// Those who have a link, below the path of links.
    case link
    /// Those who have a token for it.
    case token
}

/// The servers of a library's editions: each is opened when it is first asked for, follows the library as long as it is looked
/// at, and is closed when nobody has asked for some minutes.
///
/// What answers is a whole server with the library of the edition, which has no more than what is published; so nothing of it
/// has to know of rights, and nothing can tell more than that.
final class EditionServers: Sendable {
    /// An edition with the servers for one kind of readers.
    private struct Key: Hashable, Sendable {
        var edition: String
        var readers: EditionReaders
    }

    private enum Phase: Sendable {
        /// Being brought up to date; what waits for its end.
        case preparing([@Sendable (any LibraryResponder) -> Void])
        case ready(any EditionServer, Library)
    }

    private struct Entry: Sendable {
        var edition: Edition
        var phase: Phase
        var lastUse: ContinuousClock.Instant
        var relay: LiveRelay?
        /// Streams of readers, which end with the edition.
        var streams: [EventChannel] = []
    }

    private struct State: Sendable {
        var editions: [Edition] = []
        var calendar: DayCalendar?
        /// The day of the last complete poll: a new one may release points although nothing in the library changes.
        var day: Int32?
        var entries: [Key: Entry] = [:]
        var lastError = LastError()
        /// When something that has failed is tried again.
        var nextTry: ContinuousClock.Instant?
        var isStopped = false
    }

    private let library: Library
    private let feed: LiveFeed
    private let now: @Sendable () -> Int64
    private let serve: @Sendable (_ edition: Library, _ readers: EditionReaders) throws -> any EditionServer
    private let report: @Sendable (any Error) -> Void
    private let state = Locked(State())
    private let pace: PollPace
    private let timer = PollingTimer()
    /// Updates run one after the other, because each uses all cores.
    private let queue = DispatchQueue(label: "tileserve.editions", qos: .utility)

    private static let periodMilliseconds = 250
    /// After an error.
    private static let retryPause = Duration.seconds(5)
    /// Opening an edition again takes some milliseconds.
    private static let idleTime = Duration.seconds(600)

    /// The editions of `library`, whose points `feed` has while they are recorded, and which `serve` makes servers of.
    init(
        of library: Library, feed: LiveFeed, now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (any Error) -> Void,
        serve: @escaping @Sendable (_ edition: Library, _ readers: EditionReaders) throws -> any EditionServer
    ) throws {
        self.library = library
        self.feed = feed
        self.now = now
        self.serve = serve
        self.report = report
        pace = PollPace(library)
        try readDefinitions()
    }

    /// Starts to follow the library; `polled` is called several times a second.
    func start(polled: @escaping @Sendable () -> Void) {
        queue.async { [library, report] in
            do { try library.deleteUnknownEditions() } catch { report(error) }
        }
        timer.start(periodMilliseconds: Self.periodMilliseconds, on: queue) { [weak self] in
            self?.pollIfDue()
            polled()
        }
    }

    /// Stops following the library, and closes all servers.
    func stop() {
        timer.stop()
        let entries = state.withLock { state in
            defer { state.entries = [:] }
            state.isStopped = true
            return Array(state.entries.values)
        }
        for entry in entries { Self.close(entry) }
    }

    // MARK: Answering

    /// The responder of an edition, by its name; nil if there is none that can be seen now.
    func responder(for name: String, to readers: EditionReaders) -> (any LibraryResponder)? {
        let instant = now()
        let edition = state.withLock { state -> Edition? in
            guard let calendar = state.calendar else { return nil }
            return state.editions.first { $0.name == name && $0.rule.isShown(at: instant, in: calendar) }
        }
        guard let edition else { return nil }
        let key = Key(edition: edition.id, readers: readers)
        let ready = state.withLock { state -> (any LibraryResponder)? in
            guard case .ready(let server, _)? = state.entries[key]?.phase else { return nil }
            state.entries[key]?.lastUse = .now
            return server.libraryResponder
        }
        let responder = ready ?? PreparedLater { [weak self] body in self?.whenReady(edition, key, body) }
        return StreamEnding(responder) { [weak self] channel in self?.add(channel, to: key) }
    }

    /// Opens an edition in advance, so that its first reader does not wait. It may have been added just now; reads some rows.
    func prepare(_ name: String, for readers: EditionReaders) {
        do { try readDefinitions() } catch { report(error) }
        guard let edition = state.withLock({ $0.editions.first { $0.name == name } }) else { return }
        whenReady(edition, Key(edition: edition.id, readers: readers)) { _ in }
    }

    private func add(_ channel: EventChannel, to key: Key) {
        let isOpen = state.withLock { state in
            guard state.entries[key] != nil else { return false }
            state.entries[key]?.streams.removeAll { $0.isClosed }
            state.entries[key]?.streams.append(channel)
            return true
        }
        if !isOpen { channel.close() }
    }

    /// Calls `body` with the responder of an edition, which is opened for it if necessary.
    private func whenReady(_ edition: Edition, _ key: Key, _ body: @escaping @Sendable (any LibraryResponder) -> Void) {
        enum Step { case answer(any LibraryResponder), wait, open, refuse }
        let step = state.withLock { state -> Step in
            guard !state.isStopped else { return .refuse }
            guard let entry = state.entries[key] else {
                state.entries[key] = Entry(edition: edition, phase: .preparing([body]), lastUse: .now)
                return .open
            }
            switch entry.phase {
            case .ready(let server, _): return .answer(server.libraryResponder)
            case .preparing(let waiting):
                state.entries[key]?.phase = .preparing(waiting + [body])
                return .wait
            }
        }
        switch step {
        case .answer(let responder): body(responder)
        case .wait: break
        case .open: queue.async { [weak self] in self?.open(edition, key) }
        case .refuse: body(Unprepared())
        }
    }

    private func open(_ edition: Edition, _ key: Key) {
        guard !isGone(key) else { return }
        var opened: (server: any EditionServer, library: Library, relay: LiveRelay?)?
        do {
            let made = try library.currentLibrary(of: edition, isStopped: { [weak self] in self?.isGone(key) ?? true })
            let server = try serve(made, key.readers)
            try server.start()
            opened = (
                server, made, LiveRelay(edition, from: feed, to: server.live, try library.calendar(), now: now)
            )
        } catch {
            if !(error is CancellationError) { report(error) }
        }
        // nil if it was removed meanwhile, or opened by another.
        let waiting = state.withLock { state -> [@Sendable (any LibraryResponder) -> Void]? in
            guard case .preparing(let waiting)? = state.entries[key]?.phase else { return nil }
            if let opened {
                state.entries[key]?.phase = .ready(opened.server, opened.library)
                state.entries[key]?.lastUse = .now
                state.entries[key]?.relay = opened.relay
            } else {
                state.entries[key] = nil
            }
            return waiting
        }
        guard let waiting else {
            opened?.server.stop()
            return
        }
        opened?.relay?.start()
        let responder = opened?.server.libraryResponder ?? Unprepared()
        for body in waiting { body(responder) }
    }

    private func isGone(_ key: Key) -> Bool { state.withLock { $0.isStopped || $0.entries[key] == nil } }

    // MARK: Following the library

    private func pollIfDue() {
        let instant = ContinuousClock.now
        do {
            try closeHidden(instant)
            let day = state.withLock { $0.calendar }?.day(of: now())
            let (isNewDay, isPaused) = state.withLock { state in
                (state.day != day, state.nextTry.map { instant < $0 } ?? false)
            }
            guard !isPaused, pace.isDue(instant) || isNewDay, !pace.isUnchanged(instant) || isNewDay else { return }
            let versions = try pace.versions()
            try readDefinitions()
            try closeHidden(instant)
            try update()
            pace.finished(versions, instant)
            state.withLock { state in
                state.day = day
                state.nextTry = nil
                state.lastError.clear()
            }
        } catch {
            let isNew = state.withLock { state in
                state.nextTry = instant + Self.retryPause
                return state.lastError.isNew(error)
            }
            if isNew { report(error) }
        }
    }

    private func readDefinitions() throws {
        let editions = try library.database.editions()
        // Reading the transitions of the time zone takes some milliseconds.
        let calendar = editions.isEmpty ? nil : try library.calendar()
        state.withLock { state in
            state.editions = editions
            state.calendar = calendar
        }
    }

    /// Closes editions that were removed, have ended, or that nobody has asked for.
    private func closeHidden(_ instant: ContinuousClock.Instant) throws {
        let time = now()
        let closed = state.withLock { state -> [Entry] in
            let hidden = state.entries.filter { key, entry in
                let isKnown = state.editions.contains { $0.id == key.edition }
                let isShown = state.calendar.map { entry.edition.rule.isShown(at: time, in: $0) } ?? false
                let isIdle =
                    instant - entry.lastUse > Self.idleTime && entry.streams.allSatisfy(\.isClosed)
                return !isKnown || !isShown || isIdle
            }
            for key in hidden.keys { state.entries[key] = nil }
            return Array(hidden.values)
        }
        for entry in closed { Self.close(entry) }
    }

    private static func close(_ entry: Entry) {
        entry.relay?.stop()
        for channel in entry.streams { channel.close() }
        switch entry.phase {
        case .ready(let server, _):
            server.beginStopping()
            server.stop()
        case .preparing(let waiting): for body in waiting { body(Unprepared()) }
        }
    }

    /// Brings the open editions up to date. One that fails does not keep the others from it; throws the first error at the end.
    private func update() throws {
        let open = state.withLock { state in
            state.entries.compactMap { key, entry -> (Key, Edition, any EditionServer, Library)? in
                guard case .ready(let server, let made) = entry.phase else { return nil }
                return (key, entry.edition, server, made)
            }
        }
        var failure: (any Error)?
        for (key, edition, server, made) in open {
            do {
                try made.update(edition, from: library, isStopped: { [weak self] in self?.isGone(key) ?? true })
                server.pollNow()
            } catch is CancellationError {
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}

/// The server of an edition, as `EditionServers` needs it.
protocol EditionServer: Sendable {
    /// Answers requests that have passed the request filter.
    var libraryResponder: any LibraryResponder { get }
    /// What its readers get while it is recorded.
    var live: LiveFeed { get }
    func start() throws
    func pollNow()
    func beginStopping()
    func stop()
}

/// Answers once an edition is open.
private struct PreparedLater: LibraryResponder {
    /// Calls its argument with the responder of the edition.
    let whenReady: @Sendable (@escaping @Sendable (any LibraryResponder) -> Void) -> Void

    func answer(_ request: Request) -> HandlerResult {
        .deferred(
            Deferred { completion in
                whenReady { _ = $0.answer(request).begin(completion) }
                return .none
            })
    }

    func methods(for request: Request) -> [Method]? { [.get, .head, .options] }
}

/// The answer while an edition cannot be opened.
private struct Unprepared: LibraryResponder {
    private static let retrySeconds = 5

    func answer(_ request: Request) -> HandlerResult {
        .response(
            Problem.unavailable("the edition is not ready; try again", retryAfterSeconds: Self.retrySeconds).response)
    }

    func methods(for request: Request) -> [Method]? { [.get, .head, .options] }
}

/// Tells of the streams that a responder opens.
struct StreamEnding: LibraryResponder {
    let responder: any LibraryResponder
    let opened: @Sendable (EventChannel) -> Void

    init(_ responder: any LibraryResponder, opened: @escaping @Sendable (EventChannel) -> Void) {
        self.responder = responder
        self.opened = opened
    }

    func answer(_ request: Request) -> HandlerResult {
        responder.answer(request).map { reply in
            if case .response(let response) = reply, case .events(let channel) = response.body { opened(channel) }
            return reply
        }
    }

    func bodyDecision(of request: Request) -> BodyDecision { responder.bodyDecision(of: request) }

    func methods(for request: Request) -> [Method]? { responder.methods(for: request) }
}
