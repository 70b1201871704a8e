import Text
import Tracks

/// The coordinates of a geometry in sequence, from any nesting of arrays.
struct GeoPositions {
    /// Number of positions.
    private(set) var count = 0
    /// Number of valid positions.
    private(set) var placeCount = 0
    /// Indices of the positions at which an array of positions begins.
    private(set) var starts: [Int] = []
    private(set) var refused = Findings<Refusal>()
    private(set) var hasAltitudes = false
    /// The first fourth number: by convention a time since the epoch, or a measure.
    private(set) var firstFourthNumber: FixedDecimal?
    /// The first position; it may be invalid.
    private(set) var first: Position?

    /// A position with its third and fourth numbers; without a place it is invalid.
    struct Position {
        var place: Place?
        var altitude: FixedDecimal?
        var fourth: FixedDecimal?
    }

    // A single position needs no columns.
    fileprivate var columns: Columns?

    fileprivate struct Columns {
        var longitudes: ValueColumn
        var latitudes: ValueColumn
        var altitudes: ValueColumn
        var fourths: ValueColumn

        init(_ storage: ColumnStorage) {
            longitudes = ValueColumn(storage)
            latitudes = ValueColumn(storage)
            altitudes = ValueColumn(storage)
            fourths = ValueColumn(storage)
        }

        mutating func append(_ position: Position?) throws {
            // An invalid position keeps its index, because times are matched by index.
            try longitudes.append(position?.place?.longitude)
            try latitudes.append(position?.place?.latitude)
            try altitudes.append(position?.altitude)
            try fourths.append(position?.fourth)
        }
    }

    /// The indices of the second positions of lines that have two positions for a single point.
    func doubles(ofLines lines: [Int]) -> Set<Int> {
        // The first entry is the array of all lines, if it begins where the first line does.
        let starts = starts.count > 1 && starts[0] == starts[1] ? Array(starts.dropFirst()) : starts
        var doubles: Set<Int> = []
        for line in lines where starts.indices.contains(line) {
            let end = line + 1 < starts.count ? starts[line + 1] : count
            if end - starts[line] == 2 { doubles.insert(end - 1) }
        }
        return doubles
    }

    /// Reads a position, or nested arrays of positions.
    mutating func read(_ scanner: inout JSONReader, into storage: ColumnStorage) throws {
        guard try scanner.isAtArray() else { return try scanner.skipValue() }
        var numbers: [JSONNumber] = []
        var isFirst = true
        var isPosition = false
        try scanner.eachElement { scanner in
            if isFirst { isPosition = try !scanner.isAtArray() }
            guard isPosition else {
                if isFirst {
                    try scanner.countMemory(bytes: MemoryLayout<Int>.size)
                    starts.append(count)
                }
                isFirst = false
                return try read(&scanner, into: storage)
            }
            isFirst = false
            numbers.append(try scanner.number())
            // RFC 7946 (3.1.1) discourages more than three numbers; the limit bounds memory.
            guard numbers.count <= 16 else { throw scanner.failure("a position has more than 16 numbers") }
        }
        if isPosition { try add(numbers, &scanner, storage) }
    }

    private mutating func add(
        _ numbers: [JSONNumber], _ scanner: inout JSONReader, _ storage: ColumnStorage
    ) throws {
        var position = Position()
        if numbers.count >= 2, let east = numbers[0].decimal, let north = numbers[1].decimal {
            position.place = Place(longitude: east, latitude: north)
        }
        if position.place == nil { refused.add(Self.refusal(numbers), line: scanner.line) }
        if numbers.count > 2 { position.altitude = numbers[2].decimal }
        if numbers.count > 3 { position.fourth = numbers[3].decimal }
        if count == 1 {
            columns = Columns(storage)
            try columns?.append(first)
        }
        if count == 0 { first = position } else { try columns?.append(position) }
        count += 1
        placeCount += position.place == nil ? 0 : 1
        hasAltitudes = hasAltitudes || position.altitude != nil
        firstFourthNumber = firstFourthNumber ?? position.fourth
    }

    private static func refusal(_ numbers: [JSONNumber]) -> Refusal {
        guard numbers.count >= 2 else { return .noPlace }
        guard let east = numbers[0].decimal, Place.isWithin(east, degrees: 180) else {
            return .longitude(numbers[0].spelling)
        }
        return .latitude(numbers[1].spelling)
    }
}

/// Reads positions in order.
struct GeoPositionCursor {
    private var cursors: (ValueCursor, ValueCursor, ValueCursor, ValueCursor)?
    private var first: GeoPositions.Position?

    init(_ positions: GeoPositions) {
        guard let columns = positions.columns else {
            first = positions.first
            return
        }
        cursors = (
            ValueCursor(columns.longitudes), ValueCursor(columns.latitudes), ValueCursor(columns.altitudes),
            ValueCursor(columns.fourths)
        )
    }

    /// The next position; empty if it is invalid, and after the end.
    mutating func next() throws -> GeoPositions.Position {
        guard cursors != nil else {
            defer { first = nil }
            return first ?? GeoPositions.Position()
        }
        let longitude = try cursors?.0.nextNumber()
        let latitude = try cursors?.1.nextNumber()
        var position = GeoPositions.Position()
        if let longitude, let latitude { position.place = Place(longitude: longitude, latitude: latitude) }
        position.altitude = try cursors?.2.nextNumber()
        position.fourth = try cursors?.3.nextNumber()
        return position
    }
}

/// The times of positions, with the indices at which arrays of them begin.
struct GeoTimes {
    var milliseconds: ValueColumn
    var starts: [Int] = []

    var count: Int { milliseconds.count }
}

/// A list among the properties, with nested lists flattened.
struct GeoList {
    var values: ValueColumn
    var isNested = false

    /// The values as text, separated by commas; empty for a nested list.
    func text() throws -> String { isNested ? "" : try values.joined() }
}

/// A GeoJSON object: a feature, a geometry, or an object of OGC Moving Features.
struct GeoObject {
    var type: String?
    /// The IMDF feature type.
    var featureType: String?
    var id: String?
    var positions = GeoPositions()
    /// The geometries of a collection.
    var parts: [GeoObject] = []
    /// The times of the positions, from the geometry or from the feature's properties.
    var times: GeoTimes?
    /// The geometries of a feature; `temporalGeometry` comes before `geometry`.
    var geometry: [GeoObject] = []
    var properties: [(name: String, value: JSONValue)] = []
    /// The properties that are lists.
    var lists: [(name: String, list: GeoList)] = []
    /// The lines that have two positions for a single point.
    var duplicatedPointLines: [Int] = []
    /// Whether it was a collection whose features have been handled already.
    var wasCollection = false
}
