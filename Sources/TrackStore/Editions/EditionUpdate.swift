internal import Digest
internal import Editions
internal import GridStorage
internal import Locking
internal import Parallelism
package import PrimaryStore
internal import Text
internal import TrackQuery
internal import Tracks

/// Brings the library of an edition up to date with the library that it is derived from.
///
/// Only tracks that have changed are cut again, and only those of which something visible has changed are stored: so the edition
/// has the same revision, and its answers the same bytes, whatever happens to what is hidden.
package struct EditionUpdate {
    private let source: Library
    private let edition: Edition
    private let target: Library

    /// Increased when the cut changes: every edition is then derived anew.
    private static let cutVersion: Int64 = 2
    /// Tracks that are cut before they are stored in their order. In memory, each has up to 4 MiB.
    private static let batchTracks = 64

    /// The update of `target`, the library of `edition`, from `source`.
    package init(of target: Library, edition: Edition, from source: Library) {
        self.source = source
        self.edition = edition
        self.target = target
    }

    /// Whether the edition shows everything that it has to show at an instant. Reads a few rows.
    package func isCurrent(at now: Int64) throws -> Bool {
        try target.database.read({ try $0.editionState() }) == state(of: plan(at: now))
    }

    /// Cuts and stores what has changed; waits while another process does so. The grid of the edition is not updated. Returns
    /// false if it was current already. `report` gets the numbers of points read and of all points to be read.
    ///
    /// Throws `CancellationError` if it was stopped, or if the edition was removed before the end.
    @discardableResult
    package func run(
        at now: Int64, isStopped: @escaping @Sendable () -> Bool = { false },
        report: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> Bool {
        let lock = try target.database.lockForDeriving()
        defer { withExtendedLifetime(lock) {} }
        let removal = RemovalWatch(of: edition, in: source.database)
        let isStopped = { @Sendable in isStopped() || removal.hasHappened() }
        guard !isStopped() else { throw CancellationError() }
        let plan = try plan(at: now)
        // Before the tracks: what changes meanwhile is cut again the next time.
        let wanted = try state(of: plan)
        let state = try target.database.read { try $0.editionState() }
        guard state != wanted else { return false }
        let known = try target.database.read { try $0.editionSources() }
        try target.database.removeUnknownEditionTracks()
        try adoptSettings()
        let changed = try changed(since: state, plan, known)
        let progress = CutProgress(total: try source.database.read { try $0.points(ofTracks: changed) }, report)
        let stale = try stale(among: changed, known, plan, isStopped, progress)
        // Those that were the same as one of these are stored again, too.
        let removed = try target.database.removeEditionSources(stale)
        let missing = Set(changed.filter { known[$0] == nil }).union(removed)
        try store(missing.sorted(), plan, isStopped, progress)
        guard !isStopped() else { throw CancellationError() }
        try target.database.setEditionState(wanted)
        return true
    }

    // MARK: What is to be cut

    private struct Plan: Sendable {
        var rule: ContentDigest
        var times: Range<Int64>
        var calendar: DayCalendar
    }

    private func plan(at now: Int64) throws -> Plan {
        let calendar = try source.calendar()
        var digester = Digester()
        digester.update(Self.cutVersion)
        digester.update(bytes: try edition.rule.encoded())
        digester.update(calendar.digest)
        digester.update(try source.database.outlierRule().text)
        return Plan(rule: digester.finish(), times: edition.rule.times(at: now, in: calendar), calendar: calendar)
    }

    /// The state of an edition that shows everything that the plan publishes of the library as it is now.
    private func state(of plan: Plan) throws -> EditionState {
        EditionState(head: try source.database.head(), visibleUntil: plan.times.upperBound, rule: plan.rule)
    }

    /// The time zone and the rule for outliers are those of the library.
    private func adoptSettings() throws {
        let zone = try source.database.zone()
        if try target.database.zone() != zone { try target.database.setZone(zone) }
        let outlierRule = try source.database.outlierRule()
        if try target.database.outlierRule() != outlierRule { try target.database.setOutlierRule(outlierRule) }
    }

    /// The tracks of the library that may have another visible part than the edition has, existing or not.
    private func changed(
        since state: EditionState?, _ plan: Plan, _ known: [Int64: EditionSource]
    ) throws -> [Int64] {
        let all = { Set(try source.database.trackNumbers()).union(known.keys).sorted() }
        guard let state, state.rule == plan.rule,
            try source.database.digest(at: state.head.revision) == state.head.digest
        else { return try all() }
        let changes = try source.database.changes(since: state.head.revision)
        var changed = Set(changes.flatMap { $0.added + $0.changed + $0.removed + $0.metadataChanged })
        if state.visibleUntil != plan.times.upperBound {
            let between =
                min(state.visibleUntil, plan.times.upperBound)..<max(state.visibleUntil, plan.times.upperBound)
            try source.database.read { snapshot in
                try snapshot.forEachTrack { track in
                    let isOver = track.end.map { $0 < between.lowerBound } ?? false
                    let isLater = track.start.map { $0 >= between.upperBound } ?? false
                    // Points without a time are released with the whole track.
                    if track.untimed > 0 || !isOver && !isLater { changed.insert(track.number) }
                }
            }
        }
        return changed.sorted()
    }

    /// Of the tracks that the edition has, those whose visible part is another one now.
    private func stale(
        among changed: [Int64], _ known: [Int64: EditionSource], _ plan: Plan, _ isStopped: @Sendable () -> Bool,
        _ progress: CutProgress
    ) throws -> [Int64] {
        let questioned = changed.compactMap { known[$0] }
        let fingerprints = try questioned.parallelMap { old -> UInt64? in
            guard !isStopped() else { throw CancellationError() }
            return try cut(old.source, plan, progress) { _ in }?.fingerprint
        }
        return zip(questioned, fingerprints).compactMap { old, fingerprint in
            fingerprint == old.fingerprint ? nil : old.source
        }
    }

    // MARK: Cutting and storing

    /// The header and the fingerprint of a visible part; the fingerprint of one without points is 0.
    private struct VisiblePart: Sendable {
        var header: RecordingHeader
        var fingerprint: UInt64
        var points: Int
    }

    /// Cuts a track, and gives its visible points to `body`; nil if there is no such track. If the condition of the edition does
    /// not admit the track, no point counts, but `body` may have got some.
    private func cut(
        _ number: Int64, _ plan: Plan, _ progress: CutProgress, _ body: (PointColumns) throws -> Void
    ) throws -> VisiblePart? {
        try source.database.read { snapshot -> VisiblePart? in
            guard let track = try snapshot.track(number: number) else { return nil }
            let header = header(of: track)
            let nothing = VisiblePart(header: header, fingerprint: 0, points: 0)
            guard isSelected(track) else { return nothing }
            let cutter = PointCutter(
                zones: edition.rule.zones, times: plan.times, showsUntimed: try showsUntimed(of: track, plan, snapshot))
            var cut = TrackCut(cutter)
            try snapshot.forEachChunk(ofTrack: number, fields: PointCutter.fields) { chunk in
                if let visible = cut.add(chunk) { try body(visible) }
                progress.add(chunk.count)
            }
            if let condition = edition.rule.condition {
                guard condition.admits(cut.facts(track.facts), in: plan.calendar) else { return nothing }
            }
            guard cut.points > 0 else { return nothing }
            return VisiblePart(header: header, fingerprint: fingerprint(cut, header), points: cut.points)
        }
    }

    private func isSelected(_ track: Track) -> Bool {
        edition.rule.tracks.map { $0.contains(track.id) } ?? true
    }

    /// Points without a time are those of the whole recording: they are published with its last point, or some days after the
    /// import if it has no times at all; and never where only a part of the time is published.
    private func showsUntimed(of track: Track, _ plan: Plan, _ snapshot: TrackSnapshot) throws -> Bool {
        guard edition.rule.from == nil, edition.rule.to == nil, edition.rule.since == nil else { return false }
        guard edition.rule.delayDays > 0, track.untimed > 0 else { return true }
        return try (track.end ?? snapshot.importTime(ofTrack: track.number)) < plan.times.upperBound
    }

    /// What is published of a track besides its points. Of activities, only those that tileserve knows: others are words of
    /// the owner, and may name places or people.
    private func header(of track: Track) -> RecordingHeader {
        RecordingHeader(
            name: edition.rule.keepsNames ? track.name : nil, activity: track.activity?.rawValue,
            person: track.personName.map(edition.pseudonym), source: "", gap: track.gap)
    }

    private func fingerprint(_ cut: TrackCut, _ header: RecordingHeader) -> UInt64 {
        var digester = Digester()
        digester.update(Int64(bitPattern: cut.fingerprint))
        digester.update("\(header)")
        return digester.finish().first64
    }

    private func store(
        _ sources: [Int64], _ plan: Plan, _ isStopped: @Sendable () -> Bool, _ progress: CutProgress
    ) throws {
        for start in stride(from: 0, to: sources.count, by: Self.batchTracks) {
            let batch = Array(sources[start..<min(start + Self.batchTracks, sources.count)])
            let parts = try batch.parallelMap(state: { WorkerSession(target.database) }) { worker, number in
                guard !isStopped() else { throw CancellationError() }
                return try prepare(number, plan, progress, in: worker.session())
            }
            // In the order of the library, so that the same tracks get the same order in every edition.
            let stored = parts.compactMap { $0 }
            for part in stored { try part.recording?.store(part.outcome) }
            try target.database.flush()
            try target.database.add(stored.map(\.source))
        }
    }

    /// A track that is to be stored; its number in the edition is known after a flush.
    private struct StoredPart: Sendable {
        var number: Int64
        var fingerprint: UInt64
        /// nil if nothing is visible.
        var recording: (any EndedRecording)?
        var outcome = OutcomeCollector()

        var source: EditionSource {
            EditionSource(
                source: number, fingerprint: fingerprint, track: outcome.tracks.union(outcome.knownTracks).first)
        }
    }

    private func prepare(
        _ number: Int64, _ plan: Plan, _ progress: CutProgress, in session: ImportSession
    ) throws -> StoredPart? {
        let recording = try session.open()
        let part = try cut(number, plan, progress) { try session.append($0, to: recording) }
        guard let part, part.points > 0 else {
            session.abandon(recording)
            return part.map { _ in StoredPart(number: number, fingerprint: 0) }
        }
        return StoredPart(
            number: number, fingerprint: part.fingerprint, recording: try session.end(recording, header: part.header))
    }
}

/// Tells an update that its edition was removed: whoever removes it waits for the end of the update.
private final class RemovalWatch: Sendable {
    private struct State {
        var next = ContinuousClock.now
        var isRemoved = false
    }

    private let number: Int64
    private let database: TrackDatabase
    private let state = Locked(State())

    private static let pause = Duration.milliseconds(250)

    init(of edition: Edition, in database: TrackDatabase) {
        number = edition.number
        self.database = database
    }

    /// Whether the edition is gone; asks the database now and then. An error of that shows in the update itself.
    func hasHappened() -> Bool {
        let now = ContinuousClock.now
        let (isDue, isRemoved) = state.withLock { state in
            let isDue = now >= state.next
            if isDue { state.next = now + Self.pause }
            return (isDue, state.isRemoved)
        }
        guard isDue, !isRemoved, let editions = try? database.editions() else { return isRemoved }
        let isGone = !editions.contains { $0.number == number }
        if isGone { state.withLock { $0.isRemoved = true } }
        return isGone
    }
}

/// The session of one thread, opened for its first track.
private final class WorkerSession {
    private let database: TrackDatabase
    private var opened: ImportSession?

    init(_ database: TrackDatabase) {
        self.database = database
    }

    func session() throws -> ImportSession {
        if let opened { return opened }
        let session = try database.beginImport()
        opened = session
        return session
    }
}

/// Counts the points that were read.
private final class CutProgress: Sendable {
    private let total: Int
    private let done = Locked(0)
    private let report: @Sendable (_ done: Int, _ total: Int) -> Void

    init(total: Int, _ report: @escaping @Sendable (_ done: Int, _ total: Int) -> Void) {
        self.total = total
        self.report = report
    }

    func add(_ points: Int) {
        let done = done.withLock { done in
            done += points
            return done
        }
        report(min(done, total), total)
    }
}
