/// A field's place in one builder.
public struct FieldSlot: Hashable, Sendable {
    fileprivate let index: Int
}

/// Gathers points as a reader finds them and gives them out as chunks.
///
/// A value that is no plain number turns its field, for this chunk, into texts as they were written.
public struct ChunkBuilder: Sendable {
    private var longitudes: [Int64] = []
    private var latitudes: [Int64] = []
    private var times: [Int64] = []
    private var segmentStarts: [Int] = []
    private var columns: [Column] = []
    private var slots: [String: FieldSlot] = [:]
    private var finestPlaces: UInt8 = 0
    private var segmentPending = true
    private let semicircles: Bool

    fileprivate struct Column {
        let name: String
        var numbers = SparseNumbers()
        var texts: [Int: String] = [:]
    }

    /// A builder for decimal degrees, or for FIT's semicircles.
    public init(semicircles: Bool = false) {
        self.semicircles = semicircles
    }

    /// How many points wait.
    public var count: Int { times.count }
    /// Whether the chunk is as large as one may be.
    public var isFull: Bool { times.count >= PointChunk.capacity }

    /// The next point begins a segment.
    public mutating func beginSegment() {
        segmentPending = true
    }

    /// Adds a point in decimal degrees that is known to be a place; digits beyond 1e-9° are rounded.
    ///
    /// A time that is not plausible is no time to go by: the point has none, and keeps the stamp as a field.
    public mutating func addPoint(longitude: FixedDecimal, latitude: FixedDecimal, time: Instant?) {
        precondition(!semicircles, "this builder counts semicircles")
        let east = normalised(longitude)
        let north = normalised(latitude)
        finestPlaces = max(finestPlaces, east.places, north.places)
        append(east.value, north.value, time)
    }

    /// Adds a point in semicircles.
    public mutating func addPoint(longitudeSemicircles: Int32, latitudeSemicircles: Int32, time: Instant?) {
        precondition(semicircles, "this builder counts degrees")
        append(Int64(longitudeSemicircles), Int64(latitudeSemicircles), time)
    }

    /// The place of a field, for readers that set it often; it holds as long as the builder.
    public mutating func slot(for name: String) -> FieldSlot {
        if let slot = slots[name] { return slot }
        let slot = FieldSlot(index: columns.count)
        columns.append(Column(name: name))
        slots[name] = slot
        return slot
    }

    /// Gives the newest point a number.
    public mutating func set(_ slot: FieldSlot, to number: FixedDecimal) {
        let index = times.count - 1
        precondition(index >= 0, "a field belongs to a point")
        columns[slot.index].numbers.set(number, at: index)
    }

    /// Gives one of the points a number, counted from the first that waits: the last that has one in this field, or one
    /// behind it.
    package mutating func set(_ slot: FieldSlot, to number: FixedDecimal, at index: Int) {
        precondition(index < times.count, "a field belongs to a point")
        columns[slot.index].numbers.set(number, at: index)
    }

    /// Gives one of the points a text, counted from the first that waits.
    package mutating func set(_ slot: FieldSlot, toText text: String, at index: Int) {
        precondition(index < times.count, "a field belongs to a point")
        columns[slot.index].texts[index] = text
    }

    /// Gives the newest point a text.
    public mutating func set(_ slot: FieldSlot, toText text: String) {
        let index = times.count - 1
        precondition(index >= 0, "a field belongs to a point")
        columns[slot.index].texts[index] = text
    }

    /// Gives the newest point a number.
    public mutating func set(_ name: String, to number: FixedDecimal) {
        set(slot(for: name), to: number)
    }

    /// Gives the newest point a text.
    public mutating func set(_ name: String, toText text: String) {
        set(slot(for: name), toText: text)
    }

    /// The points gathered so far as a chunk (nil where there are none); the builder begins anew, in the same segment.
    public mutating func takeChunk() -> PointChunk? {
        guard !times.isEmpty else { return nil }
        let unit: CoordinateUnit = semicircles ? .semicircles : .decimal(places: finestPlaces)
        if !semicircles, finestPlaces < 9 {
            let divisor = FixedDecimal.integerPower(9 - finestPlaces)
            for index in longitudes.indices {
                longitudes[index] /= divisor
                latitudes[index] /= divisor
            }
        }
        let count = times.count
        // With more than can be stored, one too many says so (`FieldName.otherFields` may stand besides): whoever stores the
        // points refuses them.
        let used = columns.filter { !$0.isEmpty }.prefix(PointChunk.fieldLimit + 2)
        let fields = used.sorted { $0.name < $1.name }.map { $0.column(count: count) }
        let chunk = PointChunk(
            unit: unit, longitudes: longitudes, latitudes: latitudes, times: times, segmentStarts: segmentStarts,
            fields: fields)
        longitudes = []
        latitudes = []
        times = []
        segmentStarts = []
        finestPlaces = 0
        for index in columns.indices where !columns[index].isEmpty {
            columns[index] = Column(name: columns[index].name)
        }
        return chunk.withPlausibleTimes()
    }

    private mutating func append(_ longitude: Int64, _ latitude: Int64, _ time: Instant?) {
        if segmentPending {
            segmentStarts.append(times.count)
            segmentPending = false
        }
        longitudes.append(longitude)
        latitudes.append(latitude)
        times.append(time?.milliseconds ?? PointChunk.untimed)
    }

    /// The coordinate in 1e-9°, and how many decimal places of it are in use.
    private func normalised(_ decimal: FixedDecimal) -> (value: Int64, places: UInt8) {
        guard let value = decimal.rescaled(to: 9) else { preconditionFailure("a coordinate that is no place") }
        var places = min(decimal.places, 9)
        while places > finestPlaces, value % FixedDecimal.integerPower(10 - places) == 0 { places -= 1 }
        return (value, places)
    }
}

extension ChunkBuilder.Column {
    fileprivate var isEmpty: Bool { numbers.isEmpty && texts.isEmpty }

    fileprivate func column(count: Int) -> FieldColumn {
        guard texts.isEmpty, let rescaled = rescaledNumbers(count: count) else {
            return FieldColumn(name: name, values: .texts(textValues(count: count)))
        }
        return FieldColumn(name: name, values: .numbers(places: rescaled.places, rescaled.numbers))
    }

    /// All numbers with the same count of decimal places; nil where they do not fit together in 64 bits.
    private func rescaledNumbers(count: Int) -> (places: UInt8, numbers: [Int64])? {
        var finest: UInt8 = 0
        numbers.forEach { _, number in
            var needed = number.places
            while needed > finest, number.mantissa % FixedDecimal.integerPower(number.places - needed + 1) == 0 {
                needed -= 1
            }
            finest = max(finest, needed)
        }
        var result = [Int64](repeating: FieldColumn.absent, count: count)
        var fits = true
        numbers.forEach { index, number in
            if let value = number.rescaled(to: finest) { result[index] = value } else { fits = false }
        }
        return fits ? (finest, result) : nil
    }

    private func textValues(count: Int) -> [String?] {
        var result = [String?](repeating: nil, count: count)
        numbers.forEach { result[$0] = $1.description }
        for (index, text) in texts { result[index] = text }
        return result
    }
}

extension FixedDecimal: CustomStringConvertible {
    /// The number in digits with a decimal point.
    public var description: String {
        guard places > 0 else { return "\(mantissa)" }
        let digits = String(mantissa.magnitude)
        let padded = String(repeating: "0", count: max(0, Int(places) + 1 - digits.count)) + digits
        let cut = padded.index(padded.endIndex, offsetBy: -Int(places))
        return (mantissa < 0 ? "-" : "") + padded[..<cut] + "." + padded[cut...]
    }
}
