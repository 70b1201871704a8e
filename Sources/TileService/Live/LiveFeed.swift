import Locking

/// Tells all who watch what happens: points as they are recorded, and which tiles a change has touched.
///
/// Publishing costs some hundred nanoseconds a reader, waits for none, and may be done on any thread.
package final class LiveFeed: Sendable {
    private let readers = Locked<[ObjectIdentifier: LiveReader]>([:])

    /// A feed that nobody reads yet.
    package init() {}

    /// Tells of points of any devices, the oldest of each first.
    package func publish(points: [LivePoint]) {
        let readers = current
        guard !readers.isEmpty, !points.isEmpty else { return }
        let entries = points.map { LiveReader.Entry(device: $0.device, bytes: $0.serverSentBytes) }
        for reader in readers { reader.add(entries) }
    }

    /// Tells of a change of tiles.
    func publish(_ change: TilesChange) {
        let readers = current
        guard !readers.isEmpty, !change.isNothing else { return }
        for reader in readers { reader.add(change) }
    }

    /// From now on a reader hears of everything.
    func add(_ reader: LiveReader) {
        readers.withLock { $0[ObjectIdentifier(reader)] = reader }
    }

    /// A reader has gone.
    func remove(_ reader: LiveReader) {
        readers.withLock { $0[ObjectIdentifier(reader)] = nil }
    }

    private var current: [LiveReader] { readers.withLock { Array($0.values) } }
}
