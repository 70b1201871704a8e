import Foundation
import Locking
import Text

/// The zone assumed for times without one.
public enum AssumedZone: Hashable, Sendable {
    /// The zone in the import options.
    case option(String)
    /// The offset of other points of the same import on that day.
    case reported(minutes: Int)
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
    func record(_ offset: Int64, at instant: Int64) {
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
final class LocalTimes: LocalOffsets {
    /// The zone to use if the options give none.
    enum Default: Sendable {
        /// UTC, as the format defines.
        case utc
        /// The library's zone, unless other points of the import state the offset.
        case library
    }

    private struct State {
        var taken: Set<AssumedZone> = []
        var needsOtherOffsets = false
    }

    private let zone: TimeZone
    private let isFromOptions: Bool
    private let fallback: Default
    private let offsets: ReportedOffsets
    private let state = Locked(State())

    init(_ options: ImportOptions, _ fallback: Default, _ offsets: ReportedOffsets) {
        isFromOptions = options.zone != nil
        zone = options.zone ?? (fallback == .utc ? .gmt : options.libraryZone)
        self.fallback = fallback
        self.offsets = offsets
    }

    /// The zones used so far.
    var taken: Set<AssumedZone> { state.withLock { $0.taken } }

    /// Whether a time was found whose offset other files may still state.
    var needsOtherOffsets: Bool { state.withLock { $0.needsOtherOffsets } }

    /// The offset from UTC at a local time.
    func offset(local: Int64) -> LocalOffset {
        let reported = isFromOptions || fallback == .utc ? nil : offsets.offset(local: local)
        let taken: AssumedZone
        if isFromOptions {
            taken = .option(zone.identifier)
        } else if let reported {
            taken = .reported(minutes: Int(reported / 60_000))
        } else {
            taken = fallback == .utc ? .utc : .library(zone.identifier)
        }
        state.withLock { state in
            state.taken.insert(taken)
            if !isFromOptions, fallback == .library, !offsets.isComplete { state.needsOtherOffsets = true }
        }
        return reported.map { LocalOffset(milliseconds: $0) } ?? offset(inZoneAt: local)
    }

    /// Records an offset stated in the file.
    func record(_ offset: Int64, at instant: Int64) {
        offsets.record(offset, at: instant)
    }

    /// The offset in the zone; a repeated local time has that before the change, a skipped one too.
    private func offset(inZoneAt local: Int64) -> LocalOffset {
        let dayMs = 24 * ReportedOffsets.hourMs
        // A day away from the local time, taken as UTC, is on one side of any change near it: no zone is as far from
        // UTC.
        let before = offsetFromUTC(local - dayMs)
        let after = offsetFromUTC(local + dayMs)
        let isBefore = offsetFromUTC(local - before) == before
        let isAfter = offsetFromUTC(local - after) == after
        if isBefore { return LocalOffset(milliseconds: before, shift: isAfter ? before - after : 0) }
        return LocalOffset(milliseconds: isAfter ? after : before)
    }

    private func offsetFromUTC(_ instant: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant) / 1000))) * 1000
    }
}
