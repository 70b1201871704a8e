import Foundation
import Locking

/// What times without a zone were taken for.
public enum ZoneTaken: Hashable, Sendable {
    /// The zone that the one who imports said.
    case said(String)
    /// The offset that other points of the same import tell of that day.
    case told(minutes: Int)
    /// The library's own zone.
    case library(String)
    /// UTC, since the format says so.
    case utc
}

/// The offsets from UTC that the points of an import tell, for its points that tell none.
///
/// An offset holds for a day round the instant that it was told of: further away clocks may have been changed, or somebody
/// may have travelled.
final class ReportedOffsets: Sendable {
    private struct Table {
        /// By hours since 1970.
        var offsets: [Int64: Int64] = [:]
        var isComplete = false
    }

    static let hourMs: Int64 = 3_600_000
    /// How far an offset holds, in hours.
    private static let reach: Int64 = 24
    /// Hours kept: more than a century of them.
    private static let limit = 1_000_000

    private let table = Locked(Table())

    /// Whether all that will be told has been.
    var isComplete: Bool { table.withLock { $0.isComplete } }

    func complete() {
        table.withLock { $0.isComplete = true }
    }

    /// Notes the offset of an instant; of two for the same hour the smaller is kept, whatever their order.
    func tell(_ offset: Int64, at instant: Int64) {
        let hour = Self.hour(instant)
        table.withLock { table in
            guard !table.isComplete, table.offsets.count < Self.limit else { return }
            table.offsets[hour] = min(table.offsets[hour] ?? offset, offset)
        }
    }

    /// The offset told nearest to a local time; nil where none was told of that day.
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

/// How one file's times without a zone are taken, and what they were taken for.
final class LocalTimes: Sendable {
    /// Whose zone counts where nobody has said one.
    enum Default: Sendable {
        /// UTC, as the format has it.
        case utc
        /// The library's, unless other points of the import tell the offset.
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

    /// What was taken so far.
    var taken: Set<ZoneTaken> { state.withLock { $0.taken } }

    /// Whether a time was met whose offset other files may yet tell.
    var isAwaiting: Bool { state.withLock { $0.isAwaiting } }

    /// Milliseconds that clocks are ahead of UTC at a local time.
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

    /// Notes an offset that a time was written with.
    func tell(_ offset: Int64, at instant: Int64) {
        offsets.tell(offset, at: instant)
    }

    /// Of a local time that comes twice the first, of one that is left out as if clocks had not been changed.
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
