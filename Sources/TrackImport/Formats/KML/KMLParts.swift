import Pins
import Text
import Tracks

/// The KML elements and attributes that are used.
enum KMLName: String, KnownXMLName {
    case document = "Document"
    case folder = "Folder"
    case placemark = "Placemark"
    case networkLink = "NetworkLink"
    case name
    case description
    case address
    case timeStamp = "TimeStamp"
    case timeSpan = "TimeSpan"
    case when
    case begin
    case end
    case point = "Point"
    case lineString = "LineString"
    case linearRing = "LinearRing"
    case polygon = "Polygon"
    case coordinates
    case track = "Track"
    case coord
    case angles
    case simpleArray = "SimpleArrayData"
    case simpleData = "SimpleData"
    case data = "Data"
    case value

    static let all = Array(allCases)
}

/// The places of points in order, as a number that is the same for the same places; only within this process, because
/// the seed of a `Hasher` is random.
struct PlaceSequence: Equatable {
    private var count = 0
    private var hasher = Hasher()

    mutating func add(_ place: Place) {
        count += 1
        for coordinate in [place.longitude, place.latitude] {
            hasher.combine(coordinate.mantissa)
            hasher.combine(coordinate.places)
        }
    }

    static func == (one: PlaceSequence, other: PlaceSequence) -> Bool {
        one.count == other.count && one.hasher.finalize() == other.hasher.finalize()
    }
}

/// A `Document` or `Folder`, with its number in the file.
struct KMLFolder {
    let number: Int
    var name: String?
}

/// A `Placemark` being read.
struct KMLPlacemark {
    /// Maximum number of fields kept.
    private static let fieldLimit = 256
    /// Maximum number of points, which wait until the end of the placemark: 60 MB.
    static let pointLimit = 1_000_000

    /// A point, which has the time and the data of the placemark.
    struct Position {
        var place: Place
        var altitude: FixedDecimal?
    }

    var name: String?
    /// The time, or the start of the time span, as written.
    var time: String?
    private(set) var points: [Position] = []
    /// The name of the current `Data` element.
    var dataName: String?
    private(set) var attributes: [String: String] = [:]

    /// The data of the placemark, including its name, as fields of a point; sorted by name.
    var fields: [(name: String, value: String)] {
        // If two words mean the same field, the first in alphabetical order gets it.
        var all: [String: String] = [:]
        for (word, value) in attributes.sorted(by: { $0.key < $1.key }) {
            let field = FieldVocabulary.name(word)
            all[all[field] == nil ? field : word] = value
        }
        all[FieldName.pointName] = name
        return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The placemark as a waypoint, without place and time.
    var waypoint: WaypointBuilder {
        var waypoint = WaypointBuilder()
        if let name { waypoint.addAttribute(PinAttribute.name, name) }
        let isExported = attributes[PinNames.prefix + PinNames.id] != nil
        for (word, value) in attributes.sorted(by: { $0.key < $1.key }) {
            if word.hasPrefix(PinNames.prefix), PinNames.all.contains(String(word.dropFirst(PinNames.prefix.count))) {
                waypoint.addExportedAttribute(String(word.dropFirst(PinNames.prefix.count)), value)
            } else if word == KMLName.description.rawValue {
                waypoint.addAttribute(PinAttribute.description, value)
            } else {
                waypoint.addAttribute(isExported ? PinAttributeLabel.attribute(ofKML: word) : word, value)
            }
        }
        return waypoint
    }

    mutating func addPoint(_ place: Place, altitude: FixedDecimal?, line: Int) throws {
        guard points.count < Self.pointLimit else {
            throw ImportFailure.tooManyPoints(limit: Self.pointLimit, line: line)
        }
        points.append(Position(place: place, altitude: altitude))
    }

    mutating func addAttribute(_ name: String, _ value: String) {
        guard attributes.count < Self.fieldLimit, attributes[name] == nil else { return }
        attributes[name] = value
    }
}

/// Reads `longitude,latitude[,altitude]` tuples separated by blanks; commas may have blanks around them.
struct KMLCoordinates {
    /// A place with its altitude, or the reason for its refusal.
    struct Tuple {
        var place: Place?
        var altitude: FixedDecimal?
        var refusal = Refusal.noPlace
    }

    private let separatesByBlanks: Bool
    private var tuples: [Tuple] = []
    private var numbers: [Range<Int>] = []

    /// `separatesByBlanks` means one tuple with blanks between its numbers, as in `gx:coord`.
    init(separatesByBlanks: Bool = false) {
        self.separatesByBlanks = separatesByBlanks
    }

    /// Returns the tuples found since the last call.
    mutating func takeTuples() -> [Tuple] {
        defer { tuples = [] }
        return tuples
    }

    /// Reads the tuples of `text` that are certainly complete, and leaves the rest in it.
    mutating func drain(_ text: inout [UInt8]) {
        // A tuple ends at a blank between two numbers.
        guard
            let end = text.indices.dropFirst().dropLast().last(where: { index in
                text[index] <= 0x20 && Self.isNumber(text[index - 1]) && Self.isNumber(text[index + 1])
            })
        else { return }
        finish(Array(text[..<end]))
        text.removeFirst(end)
    }

    /// Reads all tuples of `text`.
    mutating func finish(_ text: [UInt8]) {
        let bytes = text.span
        var at = 0
        var expectsNumber = true
        while at < bytes.count {
            let byte = bytes[at]
            if byte <= 0x20 {
                at += 1
            } else if byte == UInt8(ascii: ",") {
                // Two commas in a row omit a number.
                if expectsNumber { numbers.append(at..<at) }
                expectsNumber = true
                at += 1
            } else {
                if !expectsNumber, !separatesByBlanks { endTuple(bytes) }
                let start = at
                while at < bytes.count, bytes[at] > 0x20, bytes[at] != UInt8(ascii: ",") { at += 1 }
                numbers.append(start..<at)
                expectsNumber = false
            }
        }
        endTuple(bytes)
    }

    private static func isNumber(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private mutating func endTuple(_ bytes: Span<UInt8>) {
        guard !numbers.isEmpty else { return }
        defer { numbers.removeAll(keepingCapacity: true) }
        var tuple = Tuple()
        guard numbers.count >= 2 else { return tuples.append(tuple) }
        let longitude = FixedDecimal(bytes, numbers[0])
        let latitude = FixedDecimal(bytes, numbers[1])
        if let longitude, let latitude { tuple.place = Place(longitude: longitude, latitude: latitude) }
        if tuple.place == nil {
            let isLongitudeValid = longitude.map { Place.isWithin($0, degrees: 180) } ?? false
            tuple.refusal =
                isLongitudeValid
                ? .latitude(ByteText.string(bytes, numbers[1])) : .longitude(ByteText.string(bytes, numbers[0]))
        }
        if numbers.count > 2 { tuple.altitude = FixedDecimal(bytes, numbers[2]) }
        tuples.append(tuple)
    }
}
