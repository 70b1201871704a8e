import Text
public import Tracks

/// A synthetic track: columns of its points in time order.
public struct SampleTrack: Sendable, Equatable {
    /// The number of the track in its sample, from 1.
    public var number: Int
    public var name: String
    /// The person who recorded the track.
    public var person: String
    /// `ride`, `run`, `walk`, `drive`, `train` or `flight`.
    public var activity: String
    /// Degrees × 10^6, −180…180°.
    public var longitudes: [Int64] = []
    /// Degrees × 10^6.
    public var latitudes: [Int64] = []
    /// Metres × 10.
    public var elevations: [Int64] = []
    /// Milliseconds since 1970, ascending, in whole seconds.
    public var times: [Int64] = []
    /// Indices of the points at which segments begin, ascending; the first is 0.
    public var segmentStarts: [Int] = [0]

    /// Decimal places of the coordinates: a tenth of a metre, as exported by many services.
    public static let coordinatePlaces: UInt8 = 6
    /// Decimal places of the elevations.
    public static let elevationPlaces: UInt8 = 1

    init(number: Int, name: String, person: String, activity: String) {
        self.number = number
        self.name = name
        self.person = person
        self.activity = activity
    }

    /// The number of points.
    public var count: Int { times.count }

    /// The calendar day (UTC) of the first point, `2019-03-17`.
    public var day: String {
        InstantFormatter.utc(times.first ?? 0).prefix { $0 != "T" }.description
    }

    /// A file name that is unique in the sample: `00042-ada-ride-2019-03-17.gpx`.
    public func fileName(extension suffix: String) -> String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
        return "\(padded)-\(person)-\(activity)-\(day).\(suffix)"
    }

    /// The header of the recording, as from an importer.
    public var header: RecordingHeader {
        RecordingHeader(name: name, activity: activity, person: person, source: fileName(extension: "gpx"))
    }

    /// The points in chunks, as from an importer.
    public var chunks: [PointColumns] {
        stride(from: 0, to: count, by: PointChunk.capacity).map { start in
            let range = start..<Swift.min(start + PointChunk.capacity, count)
            return PointColumns(
                unit: .decimal(places: Self.coordinatePlaces),
                longitudes: Array(longitudes[range]), latitudes: Array(latitudes[range]),
                times: Array(times[range]),
                segmentStarts: segmentStarts.filter(range.contains).map { $0 - start },
                fields: [
                    FieldColumn(
                        name: FieldName.elevation,
                        values: .numbers(places: Self.elevationPlaces, Array(elevations[range])))
                ])
        }
    }

    /// Writes the track as a recording to a sink.
    public func write(to sink: any RecordingSink) throws -> OutcomeCollector {
        let recording = try sink.open()
        for chunk in chunks { try sink.append(chunk, to: recording) }
        return try sink.close(recording, header: header)
    }

    /// Keeps only the first `limit` points.
    mutating func truncate(to limit: Int) {
        guard count > limit else { return }
        longitudes.removeLast(count - limit)
        latitudes.removeLast(count - limit)
        elevations.removeLast(count - limit)
        times.removeLast(times.count - limit)
        segmentStarts.removeAll { $0 >= limit }
    }
}
