import TestSupport
import Text
import TrackExport
import Tracks

/// What a format can represent; other properties are not tested with it.
struct FormatCapabilities {
    var untimed = true
    var segments = true
}

extension ExportFormat {
    var capabilities: FormatCapabilities {
        switch self {
        case .gpx, .geojson, .kml, .csv: FormatCapabilities()
        case .geojsonPoints, .gpslog: FormatCapabilities(segments: false)
        case .tcx: FormatCapabilities(untimed: false)
        case .mfjson: FormatCapabilities(untimed: false, segments: false)
        }
    }
}

/// Field names seen in files, and names chosen to cause trouble.
let hostileNames = [
    "ele", "speed", "course", "heading", "hacc", "vacc", "hr", "cad", "power", "temp", "distance", "hdop", "sat", "fix",
    "battery", "name", "mark", "cmt", "sym", "magvar", "dgpsid", "geoidheight", "address", "repeats", "time", "Time",
    "timestamp", "date", "Cadence", "Course", "Lap", "Track", "Value", "heartrate", "HR", "accuracy", "x", "y",
    "latitude", "lon", "person", "device", "type", "title", "segment", "type:id", "gpxtpx:hr", "Altitude (ft)",
    "two words", " blank ", "Höhe", "_x0041_", "_x_", "a_xb", "1st", "-", ".", "<&\">", "a,b;c", "", "emoji 🚲",
    "tab\tname",
    "doubled", "times", "headings", "MapX", "mapy", "Key", "Speed", "notes", "extensions", "link", "number", "id",
    "desc", "value", "m", "xmlns",
    "alt_ft", "speedKmh", "Speed (mph)", "Altitude [ft]", "speed in mph", "temp_f", "sog", "lat_dir", "N/S", "mmsi",
    "Start Time", "sunset_time", "elapsed", "utc_d", "a.lat", "x.t", "latitudeE7", "Direction", "implausible_time",
    "outcome", "Address", "Mark", "MARK", "Repeats", "milliseconds", "Milliseconds", "Vdop", "PDOP",
]

private let texts = [
    "plain", "two words", "<b>&amp;</b>", "\"quoted\"", "a,b;c", "line\nbreak", "tab\tin", "é—🚲", "]]>", "' -- '",
    "n/a",
    "007", "1e3", "+5", "true", "=1+1",
]

/// Chunks of a recording in file order, with fields of hostile names.
func randomChunks(_ seed: UInt64, _ capabilities: FormatCapabilities = FormatCapabilities(), semicircles: Bool = false)
    -> [PointColumns]
{
    var random = SeededRandom(seed: seed)
    var time: Int64 = 1_700_000_000_000
    var chunks: [PointColumns] = []
    for number in 0..<(1 + random.below(3)) {
        let count = 1 + random.below(40)
        let places = UInt8(random.below(10))
        let scale = FixedDecimal.integerPower(places)
        let unit: CoordinateUnit = semicircles ? .semicircles : .decimal(places: places)
        let (east, north): (Int64, Int64) =
            semicircles ? (1 << 31, 1 << 30) : (180 * scale, 90 * scale)
        var times: [Int64] = []
        var starts = number == 0 ? [0] : []
        for index in 0..<count {
            time += Int64(random.below(5000))
            times.append(capabilities.untimed && random.below(8) == 0 ? PointColumns.untimed : time)
            if capabilities.segments, index > 0 || number > 0, random.below(6) == 0 { starts.append(index) }
        }
        var names = Set<String>()
        for _ in 0..<random.below(7) { names.insert(hostileNames[random.below(hostileNames.count)]) }
        chunks.append(
            PointColumns(
                unit: unit, longitudes: (0..<count).map { _ in Int64(random.below(Int(2 * east))) - east },
                latitudes: (0..<count).map { _ in Int64(random.below(Int(2 * north))) - north }, times: times,
                segmentStarts: starts, fields: names.sorted().map { randomField($0, count, &random) }))
    }
    return chunks
}

private func randomField(_ name: String, _ count: Int, _ random: inout SeededRandom) -> FieldColumn {
    if random.below(3) == 0 {
        return FieldColumn(
            name: name,
            values: .texts((0..<count).map { _ in random.below(4) == 0 ? nil : texts[random.below(texts.count)] })
        )
    }
    let places = UInt8(random.below(4))
    let numbers = (0..<count).map { _ in
        random.below(4) == 0 ? FieldColumn.absent : Int64(random.below(400_000)) - 1000
    }
    return FieldColumn(name: name, values: .numbers(places: places, numbers))
}
