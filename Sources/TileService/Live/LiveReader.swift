import Locking
import Replay
import TileMath

/// One who watches: what has happened and was not yet written to him, bounded however slowly he reads.
final class LiveReader: Sendable {
    /// What a reader wants to hear of.
    struct Question: Sendable {
        /// These devices' points; nil for all.
        var devices: Set<String>?
        /// The zoom level whose tiles are named.
        var zoom = ZoomLevel.deepestGrid
    }

    /// A point ready to be written; its bytes are shared by all readers.
    struct Entry: Sendable {
        var device: String
        var bytes: [UInt8]
    }

    private struct Waiting: Sendable {
        var entries: [Entry] = []
        /// Entries that were written already, at the beginning.
        var written = 0
        /// Points left out since the reader was told last.
        var missed = 0
        var tiles: ChangedTilesFeed
        /// From so many entries on the oldest are left out.
        var most = LiveReader.mostPoints * 2
        /// Whether the writer was told that there is something, and has not yet found that there is nothing.
        var isWoken = false
        var wake: (@Sendable () -> Void)?
    }

    /// Points that wait for a slow reader; of each device the newest.
    static let mostPoints = 256

    private let question: Question
    private let waiting: Locked<Waiting>

    init(_ question: Question) {
        self.question = question
        waiting = Locked(Waiting(tiles: ChangedTilesFeed(zoom: question.zoom)))
    }

    /// Sets what is called, from any thread, when there is something to write; it should only hand over.
    func onNews(_ wake: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.wake = wake }
    }

    /// Notes points, the oldest first.
    func add(_ entries: [Entry]) {
        let wanted =
            question.devices.map { devices in entries.filter { devices.contains($0.device) } } ?? entries
        guard !wanted.isEmpty else { return }
        note { waiting in
            waiting.entries += wanted
            if waiting.entries.count - waiting.written > waiting.most { Self.trim(&waiting) }
        }
    }

    /// Notes a change of tiles.
    func add(_ change: TilesChange) {
        note { $0.tiles.add(change) }
    }

    /// The next bytes for the reader, whole events; nil where there is nothing.
    func take() -> [UInt8]? {
        waiting.withLock { waiting in
            if waiting.missed > 0 {
                defer { waiting.missed = 0 }
                return Self.event(missed: waiting.missed)
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
            if let event = waiting.tiles.takeEvent() { return event }
            waiting.isWoken = false
            return nil
        }
    }

    private func note(_ change: (inout Waiting) -> Void) {
        let wake = waiting.withLock { waiting -> (@Sendable () -> Void)? in
            change(&waiting)
            guard !waiting.isWoken, let wake = waiting.wake else { return nil }
            waiting.isWoken = true
            return wake
        }
        wake?()
    }

    /// Leaves out the oldest points of those devices that have more waiting than their share, never a device's newest.
    private static func trim(_ waiting: inout Waiting) {
        let entries = waiting.entries[waiting.written...]
        let share = max(1, mostPoints / Set(entries.map(\.device)).count)
        var counts: [String: Int] = [:]
        var kept: [Entry] = []
        for entry in entries.reversed() where counts[entry.device, default: 0] < share {
            counts[entry.device, default: 0] += 1
            kept.append(entry)
        }
        waiting.missed += entries.count - kept.count
        waiting.entries = kept.reversed()
        waiting.written = 0
        // More devices than points that may wait: nothing is gained before there are twice as many.
        waiting.most = max(mostPoints, kept.count) * 2
    }

    /// Tells that points were left out, for a reader that was too slow for them.
    private static func event(missed: Int) -> [UInt8] {
        var json = JSONBytes()
        json.raw("event: missed\ndata: {\"points\":")
        json.add(missed)
        json.raw("}\n\n")
        return json.bytes
    }
}
