import Text
import Tracks

/// Reads a Polarsteps export: the places of a trip (`locations.json`) and its steps (`trip.json`).
///
/// Each file is a recording. Other lists of places with `lat`, `lon` and `time` can be read too. One entry at a time is
/// in memory.
///
/// location, step → point.
struct PolarstepsReader {
    private let reading: FileReading
    private var table: InterleavedTracks
    private var name: String?
    private var line = 1

    init(_ reading: FileReading) {
        self.reading = reading
        table = InterleavedTracks(reading)
    }

    /// Whether the first names in an object are those of a trip or of its places.
    static func recognises(_ names: [String]) -> Bool {
        guard !names.contains("all_steps") else { return true }
        return names.first == "locations" && Set(["lat", "lon", "time"]).isSubset(of: names.dropFirst().prefix(8))
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var scanner = JSONReader(source, reading)
        try ImportFailure.keepingEarlierPoints {
            try scanner.eachMember { scanner, member in
                switch member {
                case "name" where try scanner.isAtString(): name = try scanner.string()
                case "locations" where try scanner.isAtArray(): try scanner.eachElement { try location(&$0) }
                case "all_steps" where try scanner.isAtArray(): try scanner.eachElement { try step(&$0) }
                default: try scanner.skipValue()
                }
            }
        } end: {
            try end()
        }
    }

    private mutating func end() throws {
        for number in table.tracks.indices { table.tracks[number].name = name ?? Self.trip(reading.receipt.file) }
        try table.end()
    }

    /// The name of a trip, from a folder named `NAME_NUMBER`.
    private static func trip(_ path: String) -> String? {
        guard let folder = path.split(separator: "/").dropLast().last, let underscore = folder.lastIndex(of: "_"),
            !folder[underscore...].dropFirst().isEmpty, folder[underscore...].dropFirst().allSatisfy(\.isNumber)
        else { return nil }
        return String(folder[..<underscore])
    }

    private mutating func location(_ scanner: inout JSONReader) throws {
        let entry = try entry(&scanner)
        try add(entry, entry["time"], entry.members.filter { !Self.placeNames.contains($0.name) })
    }

    private mutating func step(_ scanner: inout JSONReader) throws {
        let entry = try entry(&scanner)
        if case .bool(true)? = entry["is_deleted"] { return }
        guard let location = entry["location"] else { return reading.skip(.recordWithoutPosition) }
        let address = [location["name"], location["detail"]].compactMap { $0?.text }.filter { !$0.isEmpty }
        var fields: [(name: String, value: JSONValue)] = []
        if !address.isEmpty { fields.append((FieldName.address, .text(address.joined(separator: ", ")))) }
        for (name, field) in Self.stepFields {
            guard let value = entry[name], value.text?.isEmpty == false, !fields.contains(where: { $0.name == field })
            else { continue }
            fields.append((field, value))
        }
        try add(location, entry["start_time"], fields)
    }

    private static let placeNames: Set<String> = ["lat", "lon", "time"]

    private static let stepFields = [
        ("name", FieldName.pointName), ("display_name", FieldName.pointName), ("id", FieldName.pointID),
        ("description", "description"), ("weather_temperature", FieldName.temperature),
        ("weather_condition", "weather_condition"), ("timezone_id", "timezone_id"), ("end_time", "end_time"),
    ].map { (name: $0.0, field: $0.1) }

    private mutating func entry(_ scanner: inout JSONReader) throws -> JSONValue {
        scanner.releaseValues()
        let value = try scanner.value()
        line = scanner.line
        return value
    }

    private mutating func add(
        _ location: JSONValue, _ time: JSONValue?, _ fields: [(name: String, value: JSONValue)]
    ) throws {
        guard case .number(let longitude)? = location["lon"], case .number(let latitude)? = location["lat"] else {
            return reading.refuse(.noPlace, line: line)
        }
        guard let place = reading.place(longitude, latitude, line: line) else { return }
        var instant: Instant?
        if case .number(let seconds)? = time { instant = InstantReader.instant(seconds) }
        let known = fields.flatMap { field in
            field.value.leaves(FieldVocabulary.name(field.name)).filter { $0.value.text != "" }
        }
        try table.add(place, instant, known, to: TrackKey())
    }
}
