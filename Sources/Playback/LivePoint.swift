import Replay
import Text
package import Tracks

/// A recorded point as it is sent to live readers.
package struct LivePoint: Sendable, Equatable {
    /// The device's name.
    package var device: String
    /// The person's name; nil for the owner.
    package var person: String?
    /// The id of its track, if known.
    package var track: String?
    /// Milliseconds since 1970.
    package var time: Int64
    /// In 1e-7°.
    package var longitude: Int32
    /// In 1e-7°.
    package var latitude: Int32
    /// In tenths of a metre.
    package var elevation: Int64?
    /// In hundredths of a metre per second.
    package var speed: Int64?
    /// In whole degrees clockwise from north.
    package var course: Int64?

    /// A point of a device.
    package init(
        device: String, person: String? = nil, track: String? = nil, time: Int64, longitude: Int32, latitude: Int32
    ) {
        self.device = device
        self.person = person
        self.track = track
        self.time = time
        self.longitude = longitude
        self.latitude = latitude
    }

    /// The points of a chunk that have a time, in its order.
    package static func points(
        of chunk: PointColumns, device: String, person: String? = nil, track: String? = nil
    ) -> [LivePoint] {
        let converter = E7Converter(unit: chunk.unit)
        let columns = Dictionary(chunk.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        func value(_ name: String, _ index: Int, places: UInt8) -> Int64? {
            columns[name]?.decimal(at: index, places: places)
        }
        return (0..<chunk.count).compactMap { index in
            guard chunk.times[index] != PointColumns.untimed else { return nil }
            var point = LivePoint(
                device: device, person: person, track: track, time: chunk.times[index],
                longitude: converter.e7(chunk.longitudes[index]), latitude: converter.e7(chunk.latitudes[index]))
            point.elevation = value(FieldName.elevation, index, places: 1)
            point.speed = value(FieldName.speed, index, places: 2)
            point.course = value(FieldName.course, index, places: 0).map { ($0 % 360 + 360) % 360 }
            return point
        }
    }

    /// The point as `text/event-stream`, without an id: a reader cannot resume after it, because live points are not
    /// kept for readers.
    var serverSentBytes: [UInt8] {
        var json = JSONWriter()
        json.raw("event: point\ndata: {\"device\":")
        json.add(device)
        if let person {
            json.raw(",\"person\":")
            json.add(person)
        }
        if let track {
            json.raw(",\"track\":")
            json.add(track)
        }
        json.raw(",\"t\":")
        json.add(time)
        json.raw(",\"p\":")
        json.add(degrees: [longitude, latitude], elevation: elevation)
        if let speed {
            json.raw(",\"v\":")
            json.add(speed, places: 2)
        }
        if let course {
            json.raw(",\"c\":")
            json.add(course)
        }
        json.raw("}\n\n")
        return json.bytes
    }
}
