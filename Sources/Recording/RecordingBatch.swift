package import Tracks

/// The points of a request, by device.
package struct RecordingBatch: Sendable {
    /// Points of one device.
    package struct Device: Sendable {
        /// The name that the app gives it; nil where it gives none.
        package var name: String?
        /// The points, in the order in which they came.
        package var chunks: [PointChunk]
        /// Changes of the device's heading between them.
        package var headings: [HeadingChange]
    }

    /// A point, or a field of one, that is not stored.
    package struct Refused: Sendable, Equatable {
        /// Which of the request's points, counted from 1.
        package var point: Int
        /// The name that the app gives the device; nil where it gives none.
        package var device: String?
        /// Under which name it is counted.
        package var kind: RefusalReason
        /// Why, in words.
        package var reason: String
        /// The point as it was sent; its beginning where it is long.
        package var raw: [UInt8]
    }

    /// How often something was refused.
    package struct Count: Sendable, Equatable {
        /// The name that the app gives the device; nil where it gives none.
        package var device: String?
        /// Why.
        package var kind: RefusalReason
        /// How often.
        package var count: Int

        /// A count.
        package init(device: String?, kind: RefusalReason, count: Int) {
            self.device = device
            self.kind = kind
            self.count = count
        }
    }

    /// The devices, ordered by name.
    package var devices: [Device] = []
    /// How many points there are.
    package var points = 0
    /// How many changes of heading there are.
    package var headings = 0
    /// How many points are refused.
    package var refusedPoints = 0
    /// How many fields are refused of points that are stored.
    package var refusedFields = 0
    /// How many messages with coordinates are none of the protocol's points.
    package var otherMessages = 0
    /// The first of what is refused: as much as helps to find the cause.
    package var refused: [Refused] = []
    /// All that is refused, counted by device and reason.
    package var refusalCounts: [Count] = []

    /// More are only counted.
    package static let namedRefusals = 20
    /// Bytes of a refused point or body that are kept.
    package static let rawBytes = 4096
    /// Bytes of all of a request's that are kept.
    package static let rawBytesOfAll = 32 << 10
}

/// A point as a protocol tells it, in our words and units.
struct DecodedPoint {
    enum Value {
        case number(FixedDecimal)
        case text(String)
    }

    var longitude: FixedDecimal?
    var latitude: FixedDecimal?
    var time: Instant?
    /// Whether a time was sent, readable or not.
    var hasTime = false
    var fields: [(name: String, value: Value)] = []
    /// What it was read from.
    var source = RawPoint.none
}
