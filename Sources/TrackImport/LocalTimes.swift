import Foundation
import Locking

/// The zone assumed for times without one.
public enum ZoneTaken: Hashable, Sendable {
    /// The zone in the import options.
    case said(String)
    /// The offset of other points of the same import on that day.
    case told(minutes: Int)
    /// The library's zone.
    case library(String)
    /// UTC, as the format defines.
    case utc
}

/// The offsets from UTC stated by points of an import, for points without one.
///
/// An offset holds for 24 hours around its instant: further away, clocks may have changed or the person may have
/// travelled.
final class ReportedOffsets: Sendable {
    private struct Table {
        /// By hours since 1970.
        var offsets: [Int64: Int64] = [:]
        var isComplete = false
    }

    static let hourMs: Int64 = 3_600_000
    /// Number of hours for which an offset holds.
    private static let reach: Int64 = 24
    /// Maximum number of hours kept: more than a century.
    private static let limit = 1_000_000

    private let table = Locked(Table())

    /// Whether all offsets of the import are known.
    var isComplete: Bool { table.withLock { $0.isComplete } }

    func complete() {
        table.withLock { $0.isComplete = true }
    }

    /// Records the offset at an instant; of two in the same hour the smaller is kept, so that their order does not
    /// matter.
    func tell(_ offset: Int64, at instant: Int64) {
        let hour = Self.hour(instant)
        table.withLock { table in
            guard !table.isComplete, table.offsets.count < Self.limit else { return }
            table.offsets[hour] = min(table.offsets[hour] ?? offset, offset)
        }
    }

    /// The offset recorded nearest to a local time; nil if there is none within a day.
    func offset(local: Int64) -> Int64? {
        table.withLock { table in
            guard !table.offsets.isEmpty else { return nil }
            // No zone is further than 14 hours from UTC.
            let middle = Self.hour(local)
            var best: (distance: Int64, offset: Int64)?
            for hour in (middle - Self.reach - 14)...(middle + Self.reach + 14) {
                guard let offset = table.offsets[hour] else { continue }
                let distance = abs(hour - Self.hour(local - offset))
                guard distance <= Self.reach else { continue }
                if let best, (best.distance, best.offset) <= (distance, offset) { continue }
                best = (distance, offset)
            }
            return best?.offset
        }
    }

    private static func hour(_ instant: Int64) -> Int64 {
        (instant >= 0 ? instant : instant - (hourMs - 1)) / hourMs
    }
}

/// The offsets of a file's times without a zone, and where they came from.
final class LocalTimes: Sendable {
    /// The zone to use if the options give none.
    enum Default: Sendable {
        /// UTC, as the format defines.
        case utc
        /// The library's zone, unless other points of the import state the offset.
        case library
    }

    private struct State {
        var taken: Set<ZoneTaken> = []
        var isAwaiting = false
    }

    private let zone: TimeZone
    private let isSaid: Bool
    private let unsaid: Default
    private let offsets: ReportedOffsets
    private let state = Locked(State())

    init(_ options: ImportOptions, _ unsaid: Default, _ offsets: ReportedOffsets) {
        isSaid = options.zone != nil
        zone = options.zone ?? (unsaid == .utc ? .gmt : options.libraryZone)
        self.unsaid = unsaid
        self.offsets = offsets
    }

    /// The zones used so far.
    var taken: Set<ZoneTaken> { state.withLock { $0.taken } }

    /// Whether a time was found whose offset other files may still state.
    var isAwaiting: Bool { state.withLock { $0.isAwaiting } }

    /// The offset from UTC at a local time, in milliseconds.
    func offset(local: Int64) -> Int64 {
        let told = isSaid || unsaid == .utc ? nil : offsets.offset(local: local)
        let taken: ZoneTaken
        if isSaid {
            taken = .said(zone.identifier)
        } else if let told {
            taken = .told(minutes: Int(told / 60_000))
        } else {
            taken = unsaid == .utc ? .utc : .library(zone.identifier)
        }
        state.withLock { state in
            state.taken.insert(taken)
            if !isSaid, unsaid == .library, !offsets.isComplete { state.isAwaiting = true }
        }
        return told ?? offset(inZoneAt: local)
    }

    /// Records an offset stated in the file.
    func tell(_ offset: Int64, at instant: Int64) {
        offsets.tell(offset, at: instant)
    }

    /// The offset in the zone; a repeated local time is its first occurrence, a skipped one uses the offset before the
    /// change.
    private func offset(inZoneAt local: Int64) -> Int64 {
        let dayMs = 24 * ReportedOffsets.hourMs
        let before = greenwich(local - dayMs)
        if greenwich(local - before) == before { return before }
        let after = greenwich(local + dayMs)
        return greenwich(local - after) == after ? after : before
    }

    private func greenwich(_ instant: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant) / 1000))) * 1000
    }
}
