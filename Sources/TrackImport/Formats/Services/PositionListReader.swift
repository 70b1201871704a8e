import Text
import Tracks

/// A position in the JSON of a service, with the values as they are in the file.
struct ListedPosition {
    var longitude: JSONValue?
    var latitude: JSONValue?
    var time: JSONValue?
    var key = TrackKey()
    var fields: [(name: String, value: JSONValue)] = []
}

/// What an object of a list is.
enum ListedEntry {
    case position(ListedPosition)
    case skipped(SkippedItem)
    /// An object that encloses the list.
    case other
}

/// The JSON of a service that is a list of positions.
protocol PositionListFormat {
    /// The members that contain the list, if it is not the text itself.
    static var lists: Set<String> { get }

    init()

    /// Whether the first names of members in a text are those of such a list.
    static func recognises(_ names: [String]) -> Bool

    /// Reads an object of the list.
    mutating func entry(_ object: JSONValue) -> ListedEntry
}

/// Reads the positions that a service exports as a list of objects. One object at a time is in memory.
///
/// object → point of the recording that its key names.
struct PositionListReader<Format: PositionListFormat> {
    private let reading: FileReading
    private var format = Format()
    private var times: InstantReader
    private var table: InterleavedTracks
    private var line = 1

    init(_ reading: FileReading) {
        self.reading = reading
        times = reading.times(.library)
        table = InterleavedTracks(reading)
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var scanner = JSONReader(source, reading)
        try ImportFailure.keepingEarlierPoints {
            while try scanner.peekText() != nil {
                try scanner.eachObject(listedIn: Format.lists) { object, line in
                    self.line = line
                    try take(object)
                }
            }
        } end: {
            try table.end()
        }
    }

    private mutating func take(_ object: JSONValue) throws {
        switch format.entry(object) {
        case .position(let position): try add(position)
        case .skipped(let item): reading.skip(item)
        case .other: break
        }
    }

    private mutating func add(_ position: ListedPosition) throws {
        guard let longitude = position.longitude?.spelledNumber, let latitude = position.latitude?.spelledNumber else {
            return reading.refuse(.noPlace, line: line)
        }
        guard let place = reading.place(longitude, latitude, line: line) else { return }
        let time = reading.instant(position.time, by: &times, line: line)
        try table.add(place, time, position.fields, to: position.key)
    }
}

extension JSONValue {
    /// The members of an object as fields, in the order of `names`; empty texts and `null` are left out.
    func fields(_ names: [(member: String, field: String)]) -> [(name: String, value: JSONValue)] {
        names.compactMap { member, field in
            guard let value = self[member], let text = value.text, !text.isEmpty else { return nil }
            return (field, value)
        }
    }

    /// The members of an object as fields, without negative numbers other than elevations: the systems of phones give
    /// an unknown value as −1.
    func measuredFields(_ names: [(member: String, field: String)]) -> [(name: String, value: JSONValue)] {
        fields(names).filter { $0.name == FieldName.elevation || $0.value.decimal.map { $0.mantissa >= 0 } ?? true }
    }

    /// A speed in another unit as a field in m/s; empty if there is none.
    func speedField(_ member: String, in unit: SpeedUnit) -> [(name: String, value: JSONValue)] {
        guard let speed = self[member]?.spelledNumber.flatMap(unit.metresPerSecond) else { return [] }
        return [(FieldName.speed, .number(speed))]
    }
}
