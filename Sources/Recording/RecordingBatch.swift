import TrackImport
package import Tracks

/// The points of a request, by device.
package struct RecordingBatch: Sendable {
    /// Points of one device.
    package struct Device: Sendable {
        /// The name that the app gives it; nil where it gives none.
        package var name: String?
        /// The points, in the order in which they came.
        package var chunks: [PointChunk]
    }

    /// A point that is not kept.
    package struct Refused: Sendable, Equatable {
        /// Which of the request's points, counted from 1.
        package var point: Int
        /// Why, in words.
        package var reason: String
    }

    /// The devices, ordered by name.
    package var devices: [Device] = []
    /// How many points there are.
    package var points = 0
    /// How many points are refused.
    package var refusedPoints = 0
    /// The first of them: as many as help to find the cause.
    package var refused: [Refused] = []

    /// More are only counted.
    package static let namedRefusals = 20
}

/// A point as a protocol tells it, in our words and units.
struct HeardPoint {
    enum Value {
        case number(FixedDecimal)
        case text(String)
    }

    var longitude: FixedDecimal?
    var latitude: FixedDecimal?
    var time: Int64?
    var fields: [(name: String, value: Value)] = []
}

/// Gathers a request's points, device by device.
struct PointGathering {
    private struct Gathered {
        var builder = ChunkBuilder()
        var chunks: [PointChunk] = []
        /// The newest point, to which turns of the device may still be added.
        var last: HeardPoint?
    }

    private var devices: [String: Gathered] = [:]
    private var batch = RecordingBatch()
    private var seen = 0
    private var names: Set<String> = []

    /// Different fields of one request's points; others are left out.
    private static let fieldLimit = 256
    private static let textLimit = 10_000
    /// What a device's name may have.
    static let deviceLimit = 200

    /// Takes a point, or names why it is none.
    mutating func add(_ point: HeardPoint, device: String?) {
        seen += 1
        let device = device ?? ""
        guard device.utf8.count <= Self.deviceLimit else { return refuseCounted("the device's name is too long") }
        guard let longitude = point.longitude, let latitude = point.latitude else {
            if let turn = Self.turn(of: point) { return add(turn, device) }
            return refuseCounted("there is no place: lon and lat are wanted, in degrees")
        }
        guard let place = Place(longitude: longitude, latitude: latitude) else {
            let isEast = Place.isWithin(longitude, degrees: 180)
            return refuseCounted(
                isEast ? "latitude \(latitude) is no place" : "longitude \(longitude) is no place")
        }
        guard point.time != nil else {
            return refuseCounted("there is no time: RFC 3339, or seconds or milliseconds since 1970, is wanted")
        }
        settle(device)
        var kept = point
        kept.longitude = place.longitude
        kept.latitude = place.latitude
        devices[device, default: Gathered()].last = kept
        batch.points += 1
    }

    /// Names why one of the request's points is none.
    mutating func refuse(_ reason: String) {
        seen += 1
        refuseCounted(reason)
    }

    /// All that was gathered.
    mutating func finish() -> RecordingBatch {
        for name in devices.keys.sorted() {
            settle(name)
            guard var gathered = devices[name] else { continue }
            if let chunk = gathered.builder.takeChunk() { gathered.chunks.append(chunk) }
            batch.devices.append(RecordingBatch.Device(name: name.isEmpty ? nil : name, chunks: gathered.chunks))
        }
        return batch
    }

    private mutating func refuseCounted(_ reason: String) {
        batch.refusedPoints += 1
        if batch.refused.count < RecordingBatch.namedRefusals {
            batch.refused.append(RecordingBatch.Refused(point: seen, reason: reason))
        }
    }

    // MARK: Turns of the device

    /// A heading with its time and without a place, as GPS Log has them, in the form that importers keep.
    private static func turn(of point: HeardPoint) -> String? {
        guard point.longitude == nil, point.latitude == nil, let time = point.time,
            case .number(let degrees)? = point.fields.first(where: { $0.name == FieldName.heading })?.value
        else { return nil }
        return "\(InstantTexts.utc(time)) \(degrees)"
    }

    private mutating func add(_ turn: String, _ device: String) {
        guard var last = devices[device]?.last else {
            return refuseCounted("a heading without a place belongs behind a point of the same request")
        }
        if let index = last.fields.firstIndex(where: { $0.name == FieldName.headingChanges }),
            case .text(let others) = last.fields[index].value
        {
            last.fields[index].value = .text(others + "; " + turn)
        } else {
            last.fields.append((FieldName.headingChanges, .text(turn)))
        }
        devices[device]?.last = last
    }

    // MARK: Chunks

    /// Puts the newest point behind the others.
    private mutating func settle(_ device: String) {
        guard var gathered = devices[device], let point = gathered.last,
            let longitude = point.longitude, let latitude = point.latitude
        else { return }
        gathered.last = nil
        gathered.builder.addPoint(longitude: longitude, latitude: latitude, time: point.time)
        for (name, value) in point.fields {
            guard names.contains(name) || names.count < Self.fieldLimit else { continue }
            names.insert(name)
            switch value {
            case .number(let number): gathered.builder.set(name, to: number)
            case .text(let text) where text.utf8.count <= Self.textLimit:
                gathered.builder.set(name, toText: text)
            case .text: continue
            }
        }
        if gathered.builder.isFull, let chunk = gathered.builder.takeChunk() { gathered.chunks.append(chunk) }
        devices[device] = gathered
    }
}
