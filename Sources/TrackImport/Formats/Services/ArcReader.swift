import Text
import Tracks

/// Reads exports of Arc Timeline in JSON (`timelineItems`). One item at a time is in memory.
///
/// Names and activities are those of the items; an item without samples that were located is skipped.
///
/// item → recording · sample → point.
struct ArcReader {
    private let reading: FileReading
    private var times: InstantReader
    private var line = 1

    init(_ reading: FileReading) {
        self.reading = reading
        times = reading.times(.library)
    }

    /// Whether the first names in an object are those of a timeline.
    static func recognises(_ names: [String]) -> Bool {
        names.contains("timelineItems") && (names.contains("sampleId") || names.contains("isVisit"))
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var scanner = JSONReader(source, reading)
        try scanner.eachMember { scanner, name in
            guard name == "timelineItems", try scanner.isAtArray() else { return try scanner.skipValue() }
            try scanner.eachElement { scanner in
                scanner.releaseValues()
                let item = try scanner.value()
                line = scanner.line
                try take(item)
            }
        }
    }

    private mutating func take(_ item: JSONValue) throws {
        var table = InterleavedTracks(reading)
        // A visit has no activity.
        let activity = item["activityType"]?.text ?? item["uncertainActivityType"]?.text
        let key = TrackKey(activity: activity?.lowercased())
        times.beginTrack()
        for sample in item["samples"]?.elements ?? [] {
            guard let location = sample["location"], let longitude = location["longitude"]?.decimal,
                let latitude = location["latitude"]?.decimal
            else {
                reading.skip(.recordWithoutPosition)
                continue
            }
            guard let place = reading.place(longitude, latitude, line: line) else { continue }
            let time = reading.instant(sample["date"] ?? location["timestamp"], by: &times, line: line)
            try table.add(place, time, location.measuredFields(Self.fields), to: key)
        }
        guard !table.tracks.isEmpty else { return reading.skip(.emptyTrack) }
        for number in table.tracks.indices {
            table.tracks[number].name = item["place"]?["name"]?.text
            table.tracks[number].attributes = item["itemId"]?.text.map { ["id": $0] } ?? [:]
        }
        try table.end()
    }

    private static let fields = [
        (member: "altitude", field: FieldName.elevation), ("horizontalAccuracy", FieldName.horizontalAccuracy),
        ("verticalAccuracy", FieldName.verticalAccuracy), ("speed", FieldName.speed), ("course", FieldName.course),
    ]
}
