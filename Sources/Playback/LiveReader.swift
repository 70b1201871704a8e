package import HTTPCore
import Locking
import Replay
import Text
package import TileMath

/// A live reader: the events that were not yet written to it, bounded however slowly it reads.
package final class LiveReader: Sendable {
    /// What a reader subscribes to.
    package struct Subscription: Sendable {
        /// The devices whose points are sent; nil for all.
        package var devices: Set<String>?
        /// The zoom level whose tiles are named.
        package var zoom = ZoomLevel.deepestGrid
        /// Whether the newest point of each device comes first, as far as the server has received it since its start.
        package var beginsWithNewest = false
        /// Who reads: events for others are not sent.
        package var reader: LibraryPerson?

        /// Every device's points, and tiles of the deepest zoom level.
        package init() {}
    }

    /// An encoded point; its bytes are shared by all readers.
    struct Entry: Sendable {
        var device: String
        var bytes: [UInt8]
    }

    private struct Waiting: Sendable {
        var entries: [Entry] = []
        /// The number of entries, at the start, that were written already.
        var written = 0
        /// Points skipped since the reader was last informed.
        var skipped = 0
        var tiles: ChangedTilesFeed
        /// Encoded events that are of no device.
        var events: [[UInt8]] = []
        /// With more entries than this, the oldest are skipped.
        var most = LiveReader.maxPoints * 2
        /// Whether the writer was woken and has not yet found the reader empty.
        var isWoken = false
        var wake: (@Sendable () -> Void)?
    }

    /// Limit of points that wait for a slow reader; of each device the newest are kept.
    static let maxPoints = 256

    let subscription: Subscription
    private let waiting: Locked<Waiting>

    init(_ subscription: Subscription) {
        self.subscription = subscription
        waiting = Locked(Waiting(tiles: ChangedTilesFeed(zoom: subscription.zoom)))
    }

    /// Sets a function that is called, from any thread, when there is something to write; it must return quickly.
    func onAvailable(_ wake: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.wake = wake }
    }

    /// Adds points, in order of time.
    func add(_ entries: [Entry]) {
        let wanted =
            subscription.devices.map { devices in entries.filter { devices.contains($0.device) } } ?? entries
        guard !wanted.isEmpty else { return }
        update { waiting in
            waiting.entries += wanted
            if waiting.entries.count - waiting.written > waiting.most { Self.trim(&waiting) }
        }
    }

    /// Adds an encoded event that is of no device, for a person or for everybody. Of too many, the oldest are skipped.
    func add(event: [UInt8], for person: LibraryPerson? = nil) {
        guard subscription.devices == nil, person == nil || person == subscription.reader else { return }
        update { waiting in
            if waiting.events.count >= Self.maxPoints { waiting.events.removeFirst() }
            waiting.events.append(event)
        }
    }

    /// Adds a change of tiles.
    func add(_ change: TilesChange) {
        update { $0.tiles.add(change) }
    }

    /// The next bytes for the reader, in whole events; nil if there are none.
    func take() -> [UInt8]? {
        waiting.withLock { waiting in
            if waiting.skipped > 0 {
                defer { waiting.skipped = 0 }
                return Self.event(skipped: waiting.skipped)
            }
            if waiting.written < waiting.entries.count {
                defer {
                    waiting.written += 1
                    if waiting.written == waiting.entries.count {
                        waiting.entries = []
                        waiting.written = 0
                    }
                }
                return waiting.entries[waiting.written].bytes
            }
            if !waiting.events.isEmpty { return waiting.events.removeFirst() }
            if let event = waiting.tiles.takeEvent() { return event }
            waiting.isWoken = false
            return nil
        }
    }

    private func update(_ change: (inout Waiting) -> Void) {
        let wake = waiting.withLock { waiting -> (@Sendable () -> Void)? in
            change(&waiting)
            guard !waiting.isWoken, let wake = waiting.wake else { return nil }
            waiting.isWoken = true
            return wake
        }
        wake?()
    }

    /// Skips the oldest points of the devices that have more waiting than their share, never a device's newest.
    private static func trim(_ waiting: inout Waiting) {
        let entries = waiting.entries[waiting.written...]
        let share = max(1, maxPoints / Set(entries.map(\.device)).count)
        var counts: [String: Int] = [:]
        var kept: [Entry] = []
        for entry in entries.reversed() where counts[entry.device, default: 0] < share {
            counts[entry.device, default: 0] += 1
            kept.append(entry)
        }
        waiting.skipped += entries.count - kept.count
        waiting.entries = kept.reversed()
        waiting.written = 0
        // There can be more devices than the limit of points: trimming again is useless before the number has doubled.
        waiting.most = max(maxPoints, kept.count) * 2
    }

    /// Informs a reader that was too slow how many points were skipped.
    private static func event(skipped: Int) -> [UInt8] {
        var json = JSONWriter()
        json.raw("event: missed\ndata: {\"points\":")
        json.add(skipped)
        json.raw("}\n\n")
        return json.bytes
    }
}
