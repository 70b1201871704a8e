internal import Foundation
package import GridStorage
package import PrimaryStore
internal import Tracks

/// What a run of a rule has removed, or would remove.
package struct RetentionReceipt: Sendable, Equatable {
    package let rule: StoredRetentionRule
    /// Points before this are old; milliseconds since 1970.
    package let cutoff: Int64
    /// Tracks that have lost points, and those of them that are gone.
    package var tracks = 0
    package var removedTracks = 0
    package var points = 0

    init(rule: StoredRetentionRule, cutoff: Int64) {
        self.rule = rule
        self.cutoff = cutoff
    }
}

/// What a run of all rules has done.
package struct RetentionOutcome: Sendable {
    /// One for each rule, in the order of their numbers.
    package var receipts: [RetentionReceipt] = []
    /// Whether the points are overwritten everywhere; nil if nothing was removed.
    package var removal: Library.Removal?
    /// Why some tracks could not be changed; the next run tries them again.
    package var failure: (any Error)?

    package var points: Int { receipts.reduce(0) { $0 + $1.points } }

    package init() {}
}

extension Library {
    /// What a rule that is not stored yet would remove at an instant. Reads the points of old tracks.
    package func tryRetention(of rule: RetentionRule, at time: Int64) throws -> RetentionReceipt {
        let run = try RetentionRun(StoredRetentionRule(rule: rule, number: 0, added: time), of: self, at: time)
        var receipt = RetentionReceipt(rule: run.rule, cutoff: run.limit.cutoff)
        for track in try run.candidates() {
            let points = try database.read { try $0.forgottenPoints(run.limit, ofTrack: track.number) }
            receipt.count(points, of: track)
        }
        return receipt
    }

    /// Removes what the rules say at an instant, in the same way as tracks are removed: what this returns is shown nowhere any more. nil if
    /// there are no rules, or another process applies them just now; with `waits`, its end is waited for.
    ///
    /// What an interrupted run has not removed, the next one does. `drop` deletes the pictures drawn from what was removed.
    package func applyRetention(
        at time: Int64, waits: Bool = false, isStopped: () -> Bool = { false },
        drop: (GridChange) throws -> Void
    ) throws -> RetentionOutcome? {
        guard !isReadOnly else { return nil }
        let rules = try database.retentionRules()
        guard !rules.isEmpty else { return nil }
        var held = try database.lockForRetention()
        while held == nil, waits, !isStopped() {
            Thread.sleep(forTimeInterval: Self.lockPauseSeconds)
            held = try database.lockForRetention()
        }
        guard let lock = held else { return nil }
        defer { withExtendedLifetime(lock) {} }
        let runs = try rules.map { try RetentionRun($0, of: self, at: time) }
        var outcome = RetentionOutcome()
        guard try runs.contains(where: { try !$0.candidates().isEmpty }) else {
            for run in runs { outcome.receipts.append(try run.finish()) }
            return outcome
        }
        outcome.removal = try removeEverywhere(drop) {
            for run in runs where !isStopped() {
                // Again: recorded points have been moved into the tracks, which may be others now.
                let receipt = try run.forget(run.candidates(), isStopped: isStopped, failure: &outcome.failure)
                outcome.receipts.append(receipt)
            }
            return try database.head().revision
        }
        return outcome
    }

    private static let lockPauseSeconds = 0.05

    /// Whether rules have not been applied on the day of an instant, in the zone of the library.
    package func isRetentionDue(at time: Int64) throws -> Bool {
        let rules = try database.retentionRules()
        guard !rules.isEmpty else { return false }
        let calendar = try calendar()
        let today = calendar.day(of: time)
        return rules.contains { rule in rule.lastRun.map { calendar.day(of: $0.time) != today } ?? true }
    }
}

/// One run of a rule.
private struct RetentionRun {
    let rule: StoredRetentionRule
    let limit: AgeLimit
    private let library: Library
    private let time: Int64
    /// Before the tracks: what changes meanwhile is looked at again by the next run.
    private let revision: Int64

    init(_ rule: StoredRetentionRule, of library: Library, at time: Int64) throws {
        self.rule = rule
        self.library = library
        self.time = time
        revision = try library.database.head().revision
        let calendar = try library.calendar()
        let first = calendar.day(of: time) - Int32(clamping: rule.rule.days)
        limit = AgeLimit(cutoff: calendar.start(ofDay: first), thinning: rule.rule.thinning)
    }

    /// The tracks of the rule that may have points to be removed.
    func candidates() throws -> [Track] {
        guard let isSelected = try selection() else { return [] }
        let known = try thinned()
        var found: [Track] = []
        try library.database.read { snapshot in
            try snapshot.forEachTrack { track in
                guard let start = track.start, start < limit.cutoff, isSelected(track) else { return }
                if let known, !known.changed.contains(track.number), let end = track.end, end < known.cutoff { return }
                found.append(track)
            }
        }
        return found
    }

    /// nil if the rule is for a layer that does not exist any more.
    private func selection() throws -> ((Track) -> Bool)? {
        switch rule.rule.selection {
        case .device(let name): return { $0.device == name }
        case .person(let name): return { ($0.personName ?? "") == name }
        case .layer(let name): return try library.filter(layer: name).map { filter in { filter.admits($0) } }
        }
    }

    /// What the last run of a rule for thinning has left as it should be: all tracks before its cutoff but those that have changed
    /// since. nil if everything has to be looked at.
    private func thinned() throws -> (cutoff: Int64, changed: Set<Int64>)? {
        guard limit.thinning != nil, let run = rule.lastRun, run.revision <= revision else { return nil }
        let changes = try library.database.changes(since: run.revision)
        // Another layer may have the name now.
        guard changes.allSatisfy(\.layers.isEmpty) else { return nil }
        return (
            run.cutoff, Set(changes.flatMap { $0.added + $0.changed + $0.metadataChanged })
        )
    }

    /// Removes the old points of tracks. Whether the run was complete is recorded at its end only. A track that cannot be changed
    /// does not keep the others from it; `failure` gets the first error.
    func forget(
        _ tracks: [Track], isStopped: () -> Bool, failure: inout (any Error)?
    ) throws -> RetentionReceipt {
        var receipt = RetentionReceipt(rule: rule, cutoff: limit.cutoff)
        var isComplete = true
        for track in tracks {
            guard !isStopped() else { return receipt }
            do {
                receipt.count(try library.database.forget(limit, ofTrack: track.number), of: track)
            } catch {
                isComplete = false
                failure = failure ?? error
            }
        }
        return isComplete ? try finish(receipt) : receipt
    }

    func finish(_ receipt: RetentionReceipt? = nil) throws -> RetentionReceipt {
        let receipt = receipt ?? RetentionReceipt(rule: rule, cutoff: limit.cutoff)
        let run = StoredRetentionRule.Run(time: time, cutoff: limit.cutoff, revision: revision)
        try library.database.record(run, ofRule: rule.number, points: receipt.points)
        return receipt
    }
}

extension RetentionReceipt {
    fileprivate mutating func count(_ removed: Int, of track: Track) {
        guard removed > 0 else { return }
        points += removed
        tracks += 1
        if removed >= track.points { removedTracks += 1 }
    }
}
