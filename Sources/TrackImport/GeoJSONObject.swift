import Tracks

/// The coordinates of a geometry one after the other, whatever arrays they are nested in.
struct GeoPositions {
    /// Stands where a position has no such number.
    static let absent = FixedDecimal(mantissa: FieldColumn.absent, places: 0)

    /// nil where a position is no place; it keeps its index, since times are counted by it.
    var places: [Place?] = []
    var altitudes: [FixedDecimal] = []
    /// The fourth numbers: times since the epoch, by custom, or measures.
    var fourths: [FixedDecimal] = []
    /// With which positions an array of positions begins.
    var starts: [Int] = []
    var refused = Findings<Refusal>()

    var hasAltitudes: Bool { altitudes.contains { $0 != Self.absent } }
    var hasFourths: Bool { fourths.contains { $0 != Self.absent } }

    /// Without the second positions of lines that have two for one point.
    func withoutDoubles(ofLines lines: [Int]) -> GeoPositions {
        var positions = self
        // The array of the lines begins where the first of them does.
        let starts = starts.count > 1 && starts[0] == starts[1] ? Array(starts.dropFirst()) : starts
        for line in lines where starts.indices.contains(line) {
            let end = line + 1 < starts.count ? starts[line + 1] : places.count
            if end - starts[line] == 2 { positions.places[end - 1] = nil }
        }
        return positions
    }

    /// Reads the array that begins here: a position, or arrays of them.
    mutating func read(_ scanner: inout JSONScanner) throws {
        guard try scanner.isAtArray() else { return try scanner.skipValue() }
        var numbers: [(FixedDecimal?, spelling: () -> String)] = []
        var isFirst = true
        var isPosition = false
        try scanner.eachElement { scanner in
            if isFirst { isPosition = try !scanner.isAtArray() }
            guard isPosition else {
                if isFirst { starts.append(places.count) }
                isFirst = false
                return try read(&scanner)
            }
            isFirst = false
            numbers.append(try scanner.number())
            guard numbers.count <= 16 else { throw scanner.failure("a position has more than 16 numbers") }
        }
        if isPosition { try add(numbers, &scanner) }
    }

    private mutating func add(
        _ numbers: [(FixedDecimal?, spelling: () -> String)], _ scanner: inout JSONScanner
    ) throws {
        try scanner.hold()
        var place: Place?
        if numbers.count >= 2, let east = numbers[0].0, let north = numbers[1].0 {
            place = Place(longitude: east, latitude: north)
        }
        if place == nil { refused.add(Self.refusal(numbers), line: scanner.line) }
        places.append(place)
        altitudes.append(numbers.count > 2 ? numbers[2].0 ?? Self.absent : Self.absent)
        fourths.append(numbers.count > 3 ? numbers[3].0 ?? Self.absent : Self.absent)
    }

    private static func refusal(_ numbers: [(FixedDecimal?, spelling: () -> String)]) -> Refusal {
        guard numbers.count >= 2 else { return .noPlace }
        guard let east = numbers[0].0, Place.isWithin(east, degrees: 180) else {
            return .longitude(numbers[0].spelling())
        }
        return .latitude(numbers[1].spelling())
    }
}

/// An object of GeoJSON: a feature, a geometry, or one of the moving features.
struct GeoObject {
    var type: String?
    var positions = GeoPositions()
    /// The geometries of a collection.
    var parts: [GeoObject] = []
    /// The times of the positions; those of the geometry itself, or of its feature's properties.
    var times: [Int64]?
    /// The geometry of a feature; `temporalGeometry` wins over `geometry`.
    var geometry: [GeoObject] = []
    var properties: [(name: String, value: JSONValue)] = []
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

    /// The plain values of a list and of the lists in it.
    var flattened: [JSONValue] {
        guard case .list(let elements) = self else { return [self] }
        return elements.flatMap(\.flattened)
    }
}
