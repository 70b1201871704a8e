package import Tracks

/// The points of a request, by device.
package struct RecordingBatch: Sendable {
    /// The points of one device.
    package struct Device: Sendable {
        /// The name sent by the app; nil if it sends none.
        package var name: String?
        /// The points, in the order they were sent.
        package var chunks: [PointColumns]
        /// Changes of the device's heading between the points.
        package var headings: [HeadingChange]
    }

    /// A point, or a field of a point, that is not stored.
    package struct Refusal: Sendable, Equatable {
        /// The point's number in the request, from 1.
        package var point: Int
        /// The device's name sent by the app; nil if it sends none.
        package var device: String?
        /// The reason under which it is counted.
        package var kind: RefusalReason
        /// The reason as a sentence.
        package var reason: String
        /// The point as it was sent, possibly cut.
        package var raw: [UInt8]
    }

    /// The number of refusals of one device for one reason.
    package struct Count: Sendable, Equatable {
        /// The device's name sent by the app; nil if it sends none.
        package var device: String?
        /// The reason.
        package var kind: RefusalReason
        package var count: Int

        package init(device: String?, kind: RefusalReason, count: Int) {
            self.device = device
            self.kind = kind
            self.count = count
        }
    }

    /// The devices, ordered by name.
    package var devices: [Device] = []
    /// The number of stored points.
    package var points = 0
    /// The number of changes of heading.
    package var headings = 0
    /// The number of refused points.
    package var refusedPoints = 0
    /// The number of refused fields of stored points.
    package var refusedFields = 0
    /// The number of messages that have coordinates but are not points of the protocol.
    package var otherMessages = 0
    /// The first refusals, up to `refusalDetailLimit`.
    package var refused: [Refusal] = []
    /// All refusals, counted by device and reason.
    package var refusalCounts: [Count] = []

    /// The number of refusals kept with details; further ones are only counted.
    package static let refusalDetailLimit = 20
    /// Bytes kept of a refused point or body.
    package static let rawBytes = 4096
    /// Bytes kept of all refused points of a request.
    package static let totalRawByteLimit = 32 << 10
}
