package import HTTPCore
import Locking

/// Publishes live events to all readers: points as they are recorded, and the tiles touched by changes.
///
/// Publishing costs some hundred nanoseconds per reader, does not wait for readers, and may be done on any thread.
package final class LiveFeed: Sendable {
    private let readers = Locked<[ObjectIdentifier: LiveReader]>([:])
    /// Those who get the points themselves.
    private let followers = Locked<[ObjectIdentifier: Follower]>([:])

    private struct Follower: Sendable {
        let points: @Sendable ([LivePoint]) -> Void
        let forget: @Sendable () -> Void
    }

    /// By device; of each the point with the latest time.
    private let newest = Locked<[String: LivePoint]>([:])
    /// Some hundred bytes each. Beyond it, further devices are not kept.
    private static let maxDevices = 1_000

    /// A feed without readers.
    package init() {}

    /// Publishes points of any devices, in order of time per device.
    package func publish(points: [LivePoint]) {
        guard !points.isEmpty else { return }
        keep(points)
        for follower in followers.withLock({ Array($0.values) }) { follower.points(points) }
        let readers = current
        guard !readers.isEmpty else { return }
        let entries = points.map { LiveReader.Entry(device: $0.device, bytes: $0.serverSentBytes) }
        for reader in readers { reader.add(entries) }
    }

    /// Calls `body` with all points from now on, on any thread, until `stopFollowing` is called with the same object.
    /// `forget` is called when recordings were removed.
    package func follow(
        for follower: AnyObject, _ body: @escaping @Sendable ([LivePoint]) -> Void,
        forget: @escaping @Sendable () -> Void
    ) {
        followers.withLock { $0[ObjectIdentifier(follower)] = Follower(points: body, forget: forget) }
    }

    package func stopFollowing(for follower: AnyObject) {
        followers.withLock { $0[ObjectIdentifier(follower)] = nil }
    }

    /// Publishes a change of tiles.
    func publish(_ change: TilesChange) {
        let readers = current
        guard !readers.isEmpty, !change.hasNoChanges else { return }
        for reader in readers { reader.add(change) }
    }

    /// Publishes an encoded event that is of no device, to a person or to everybody; readers of some devices do not receive it.
    package func publish(event: [UInt8], to person: LibraryPerson? = nil) {
        for reader in current { reader.add(event: event, for: person) }
    }

    /// Adds a reader, which receives everything from now on, and before it the newest points if it wants them.
    func add(_ reader: LiveReader) {
        readers.withLock { $0[ObjectIdentifier(reader)] = reader }
        guard reader.subscription.beginsWithNewest else { return }
        // After the reader was added: a point that comes meanwhile may be sent twice, but is not lost.
        let points = newest.withLock { Array($0.values) }.sorted { ($0.time, $0.device) < ($1.time, $1.device) }
        reader.add(points.map { LiveReader.Entry(device: $0.device, bytes: $0.serverSentBytes) })
    }

    /// Forgets the newest points, because recordings were removed.
    package func forgetNewest() {
        newest.withLock { $0 = [:] }
        for follower in followers.withLock({ Array($0.values) }) { follower.forget() }
    }

    private func keep(_ points: [LivePoint]) {
        newest.withLock { newest in
            for point in points {
                guard let known = newest[point.device] else {
                    if newest.count < Self.maxDevices { newest[point.device] = point }
                    continue
                }
                if point.time >= known.time { newest[point.device] = point }
            }
        }
    }

    /// Removes a reader.
    func remove(_ reader: LiveReader) {
        readers.withLock { $0[ObjectIdentifier(reader)] = nil }
    }

    private var current: [LiveReader] { readers.withLock { Array($0.values) } }
}
