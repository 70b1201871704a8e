import Tracks

/// The coordinates of a geometry one after the other, whatever arrays they are nested in.
struct GeoPositions {
    /// How many positions there are.
    private(set) var count = 0
    /// How many of them are places.
    private(set) var placeCount = 0
    /// With which positions an array of positions begins.
    private(set) var starts: [Int] = []
    private(set) var refused = Findings<Refusal>()
    private(set) var hasAltitudes = false
    /// The first of the fourth numbers: times since the epoch, by custom, or measures.
    private(set) var firstFourth: FixedDecimal?
    /// The first position, where it is a place.
    private(set) var first: Position?

    /// A place with its third and fourth numbers.
    struct Position {
        var place: Place?
        var altitude: FixedDecimal?
        var fourth: FixedDecimal?
    }

    // A lone position needs none of these.
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
            // What is no place keeps its index, since times are counted by it.
            try longitudes.append(position?.place?.longitude)
            try latitudes.append(position?.place?.latitude)
            try altitudes.append(position?.altitude)
            try fourths.append(position?.fourth)
        }
    }

    /// Which positions are the second ones of lines that have two for one point.
    func doubles(ofLines lines: [Int]) -> Set<Int> {
        // The array of the lines begins where the first of them does.
        let starts = starts.count > 1 && starts[0] == starts[1] ? Array(starts.dropFirst()) : starts
        var doubles: Set<Int> = []
        for line in lines where starts.indices.contains(line) {
            let end = line + 1 < starts.count ? starts[line + 1] : count
            if end - starts[line] == 2 { doubles.insert(end - 1) }
        }
        return doubles
    }

    /// Reads the array that begins here: a position, or arrays of them.
    mutating func read(_ scanner: inout JSONScanner, into storage: ColumnStorage) throws {
        guard try scanner.isAtArray() else { return try scanner.skipValue() }
        var numbers: [(FixedDecimal?, spelling: () -> String)] = []
        var isFirst = true
        var isPosition = false
        try scanner.eachElement { scanner in
            if isFirst { isPosition = try !scanner.isAtArray() }
            guard isPosition else {
                if isFirst {
                    try scanner.hold(bytes: MemoryLayout<Int>.size)
                    starts.append(count)
                }
                isFirst = false
                return try read(&scanner, into: storage)
            }
            isFirst = false
            numbers.append(try scanner.number())
            guard numbers.count <= 16 else { throw scanner.failure("a position has more than 16 numbers") }
        }
        if isPosition { try add(numbers, &scanner, storage) }
    }

    private mutating func add(
        _ numbers: [(FixedDecimal?, spelling: () -> String)], _ scanner: inout JSONScanner, _ storage: ColumnStorage
    ) throws {
        var position = Position()
        if numbers.count >= 2, let east = numbers[0].0, let north = numbers[1].0 {
            position.place = Place(longitude: east, latitude: north)
        }
        if position.place == nil { refused.add(Self.refusal(numbers), line: scanner.line) }
        if numbers.count > 2 { position.altitude = numbers[2].0 }
        if numbers.count > 3 { position.fourth = numbers[3].0 }
        if count == 1 {
            columns = Columns(storage)
            try columns?.append(first)
        }
        if count == 0 { first = position } else { try columns?.append(position) }
        count += 1
        placeCount += position.place == nil ? 0 : 1
        hasAltitudes = hasAltitudes || position.altitude != nil
        firstFourth = firstFourth ?? position.fourth
    }

    private static func refusal(_ numbers: [(FixedDecimal?, spelling: () -> String)]) -> Refusal {
        guard numbers.count >= 2 else { return .noPlace }
        guard let east = numbers[0].0, Place.isWithin(east, degrees: 180) else {
            return .longitude(numbers[0].spelling())
        }
        return .latitude(numbers[1].spelling())
    }
}

/// Reads positions in their order.
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

    /// The next position; one without a place is empty, and so is what comes behind the end.
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

/// A list among the properties, its values one after the other whatever arrays they are nested in.
struct GeoList {
    var values: ValueColumn
    var isNested = false

    /// The values in letters.
    func text() throws -> String { isNested ? "" : try values.joined() }
}

/// An object of GeoJSON: a feature, a geometry, or one of the moving features.
struct GeoObject {
    var type: String?
    /// What the feature is in IMDF.
    var featureType: String?
    var id: String?
    var positions = GeoPositions()
    /// The geometries of a collection.
    var parts: [GeoObject] = []
    /// The times of the positions; those of the geometry itself, or of its feature's properties.
    var times: GeoTimes?
    /// The geometry of a feature; `temporalGeometry` wins over `geometry`.
    var geometry: [GeoObject] = []
    var properties: [(name: String, value: JSONValue)] = []
    /// The properties that are lists.
    var lists: [(name: String, list: GeoList)] = []
    /// Which lines have two positions for one point.
    var doubledLines: [Int] = []
    /// Whether it was a collection whose features have been taken already.
    var wasCollection = false
}

extension JSONValue {
    /// The value's leaves by name (`motion.kind`); a list of plain values is one text.
    package func leaves(_ name: String) -> [(name: String, value: JSONValue)] {
        switch self {
        case .object(let members): members.flatMap { $0.value.leaves(name + "." + $0.name) }
        case .list(let elements): [(name, .text(elements.compactMap(\.text).joined(separator: ",")))]
        case .none: []
        default: [(name, self)]
        }
    }

    /// A plain value in letters; nil for others.
    package var text: String? {
        switch self {
        case .text(let text): text
        case .number(let number): number.description
        case .bool(let value): value ? "true" : "false"
        case .none, .list, .object: nil
        }
    }

    /// A number, or what a text spells as one.
    var spelledNumber: FixedDecimal? {
        switch self {
        case .number(let number): return number
        case .text(let text):
            let bytes = Array(text.utf8)
            return FixedDecimal(bytes.span, bytes.indices)
        default: return nil
        }
    }

    /// The plain values of a list and of the lists in it.
    var flattened: [JSONValue] {
        guard case .list(let elements) = self else { return [self] }
        return elements.flatMap(\.flattened)
    }
}
