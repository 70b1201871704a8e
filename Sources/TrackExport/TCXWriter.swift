import Text
import Tracks

/// Writes TCX with Garmin's ActivityExtension; all other fields become elements in our namespace.
///
/// Points without a time are skipped, because TCX requires one.
struct TCXWriter: TrackFormatWriter {
    private var isInTrack = false
    /// The ids used so far: the start, plus milliseconds where several tracks start at the same time.
    private var ids: Set<Int64> = []
    /// The id after the last one of tracks that start at this time.
    private var nextIDs: [Int64: Int64] = [:]

    mutating func open(_ statistics: FieldStatistics, to text: inout ExportText) {
        text.put(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
            xmlns:ax="http://www.garmin.com/xmlschemas/ActivityExtension/v2" xmlns:ts="\(FieldNameEncoding.namespace)">
             <Activities>

            """)
    }

    mutating func begin(_ track: ExportTrack, _ statistics: FieldStatistics, to text: inout ExportText) {
        isInTrack = false
        let start = track.start.map(InstantFormatter.utc) ?? ""
        let id = track.start.map { InstantFormatter.utc(uniqueID(startingAt: $0)) } ?? ""
        text.put("  <Activity Sport=\"\(Self.sport(track.activity))\">\n   <Id>\(id)</Id>\n")
        let seconds = max(0, (track.end ?? 0).subtractingReportingOverflow(track.start ?? 0).partialValue)
        text.put("   <Lap StartTime=\"\(start)\"><TotalTimeSeconds>")
        text.put(FixedDecimal(mantissa: seconds, places: 3))
        text.put("</TotalTimeSeconds><DistanceMeters>")
        text.put(FixedDecimal(mantissa: Int64((track.metres * 10).rounded()), places: 1))
        text.put(
            "</DistanceMeters><Calories>0</Calories><Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod>\n"
        )
    }

    /// TCX identifies an activity by a time, and programs skip an id that they know.
    private mutating func uniqueID(startingAt start: Int64) -> Int64 {
        var id = nextIDs[start] ?? start
        while !ids.insert(id).inserted { id &+= 1 }
        nextIDs[start] = id &+ 1
        return id
    }

    /// One of the three sports of TCX.
    private static func sport(_ activity: String?) -> String {
        switch activity.flatMap({ Activity(word: $0) }) {
        case .run: "Running"
        case .ride: "Biking"
        default: "Other"
        }
    }

    mutating func add(_ points: PointRange, pass: Int, isFirst: Bool, to text: inout ExportText) {
        let chunk = points.chunk
        let fields = FieldColumns(chunk)
        for index in points.range {
            if points.startsSegment(index), isInTrack {
                text.put("    </Track>\n")
                isInTrack = false
            }
            let time = chunk.times[index]
            guard time != PointColumns.untimed else { continue }
            if !isInTrack {
                text.put("    <Track>\n")
                isInTrack = true
            }
            text.put("     <Trackpoint><Time>")
            text.put(time: time)
            text.put("</Time><Position><LatitudeDegrees>")
            text.put(degrees: chunk.latitudes[index], chunk.unit)
            text.put("</LatitudeDegrees><LongitudeDegrees>")
            text.put(degrees: chunk.longitudes[index], chunk.unit)
            text.put("</LongitudeDegrees></Position>")
            putFields(fields.values(at: index), to: &text)
            text.put("</Trackpoint>\n")
        }
    }

    private func putFields(_ values: [(name: String, value: FieldValue)], to text: inout ExportText) {
        var standard = ""
        var left: [(name: String, value: FieldValue)] = []
        // In the order that the schema requires.
        let elements = [
            FieldName.elevation: "AltitudeMeters", FieldName.distance: "DistanceMeters",
            FieldName.heartRate: "HeartRateBpm", FieldName.cadence: "Cadence",
        ]
        let order = [FieldName.elevation, FieldName.distance, FieldName.heartRate, FieldName.cadence]
        for name in order {
            guard let value = values.first(where: { $0.name == name })?.value, Self.fits(name, value),
                let element = elements[name]
            else { continue }
            let spelled = Self.spelled(value)
            let content = name == FieldName.heartRate ? "<Value>\(spelled)</Value>" : spelled
            standard += "<\(element)>\(content)</\(element)>"
        }
        var garmin = ""
        for (name, value) in values where !(order.contains(name) && Self.fits(name, value)) {
            switch name {
            case FieldName.speed where value.number != nil: garmin = "<ax:Speed>\(value.text)</ax:Speed>" + garmin
            case FieldName.power where value.whole(in: 0...65_535) != nil:
                garmin += "<ax:Watts>\(Self.spelled(value))</ax:Watts>"
            default: left.append((name, value))
            }
        }
        text.put(standard)
        guard !garmin.isEmpty || !left.isEmpty else { return }
        text.put("<Extensions>")
        if !garmin.isEmpty { text.put("<ax:TPX>\(garmin)</ax:TPX>") }
        for (name, value) in left { text.put(element: FieldNameEncoding.element(name), value) }
        text.put("</Extensions>")
    }

    private static func fits(_ name: String, _ value: FieldValue) -> Bool {
        switch name {
        case FieldName.heartRate: value.whole(in: 1...255) != nil
        case FieldName.cadence: value.whole(in: 0...254) != nil
        default: value.number != nil
        }
    }

    private static func spelled(_ value: FieldValue) -> String {
        value.whole(in: .min ... .max).map { "\($0)" } ?? value.text
    }

    mutating func end(_ track: ExportTrack, to text: inout ExportText) {
        if isInTrack { text.put("    </Track>\n") }
        text.put("   </Lap>\n")
        text.putLine(element: "Notes", track.attributes["notes"], indent: "   ")
        if track.person != nil || track.device != nil {
            text.put("   <Extensions>\n")
            text.putLine(
                element: FieldNameEncoding.prefix + ExportedNames.personElement, track.person, indent: "    ")
            text.putLine(
                element: FieldNameEncoding.prefix + ExportedNames.deviceElement, track.device, indent: "    ")
            text.put("   </Extensions>\n")
        }
        text.put("  </Activity>\n")
    }

    mutating func close(to text: inout ExportText) {
        text.put(" </Activities>\n</TrainingCenterDatabase>\n")
    }
}
