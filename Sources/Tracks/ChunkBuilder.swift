public import Text

/// Identifies a field within one builder.
public struct FieldSlot: Hashable, Sendable {
    fileprivate let index: Int
}

/// Collects points from a reader and returns them as chunks.
///
/// If a field has a value that is not a plain number, the whole field becomes text in this chunk, as written in the
/// file. Only numbers with too many decimals, which software writes that converts its binary numbers exactly, are rounded
/// in fields that are measured.
public struct ChunkBuilder: Sendable {
    private var longitudes: [Int64] = []
    private var latitudes: [Int64] = []
    private var times: [Int64] = []
    private var segmentStarts: [Int] = []
    private var columns: [Column] = []
    private var slots: [String: FieldSlot] = [:]
    private var finestPlaces: UInt8 = 0
    /// Whether the next point begins a segment.
    package var isSegmentPending = true
    private let semicircles: Bool

    fileprivate struct Column {
        let name: String
        let isMeasured: Bool
        var numbers = SparseNumbers()
        var texts: [Int: String] = [:]

        init(name: String) {
            self.name = name
            isMeasured = FieldName.measured.contains(name)
        }
    }

    /// Creates a builder for decimal degrees or for FIT semicircles.
    public init(semicircles: Bool = false) {
        self.semicircles = semicircles
    }

    /// The number of points not yet taken as a chunk.
    public var count: Int { times.count }
    /// Whether the chunk has reached `PointChunk.capacity`.
    public var isFull: Bool { times.count >= PointChunk.capacity }

    /// Makes the next point the start of a segment.
    public mutating func beginSegment() {
        isSegmentPending = true
    }

    /// Adds a point in decimal degrees that was checked to be a place on Earth; digits beyond 1e-9° are rounded.
    ///
    /// If the time is not plausible, the point has no time, and the timestamp is kept as a field.
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

    /// The slot of a field, for readers that set the field often; valid for the lifetime of the builder.
    public mutating func slot(for name: String) -> FieldSlot {
        if let slot = slots[name] { return slot }
        let slot = FieldSlot(index: columns.count)
        columns.append(Column(name: name))
        slots[name] = slot
        return slot
    }

    /// Sets a number on the last point.
    public mutating func set(_ slot: FieldSlot, to number: FixedDecimal) {
        let index = times.count - 1
        precondition(index >= 0, "a field belongs to a point")
        columns[slot.index].numbers.set(number, at: index)
    }

    /// Sets a number on the point at `index`, counted from the first point not yet taken. Indices must not descend
    /// within a field.
    package mutating func set(_ slot: FieldSlot, to number: FixedDecimal, at index: Int) {
        precondition(index < times.count, "a field belongs to a point")
        columns[slot.index].numbers.set(number, at: index)
    }

    /// Sets a text on the point at `index`, counted from the first point not yet taken.
    package mutating func set(_ slot: FieldSlot, toText text: String, at index: Int) {
        precondition(index < times.count, "a field belongs to a point")
        columns[slot.index].texts[index] = text
    }

    /// Sets a text on the last point.
    public mutating func set(_ slot: FieldSlot, toText text: String) {
        precondition(!times.isEmpty, "a field belongs to a point")
        set(slot, toText: text, at: times.count - 1)
    }

    /// Sets a number on the last point.
    public mutating func set(_ name: String, to number: FixedDecimal) {
        set(slot(for: name), to: number)
    }

    /// Sets a text on the last point.
    public mutating func set(_ name: String, toText text: String) {
        set(slot(for: name), toText: text)
    }

    /// Returns the collected points as a chunk, or nil if there are none. The builder is then empty and stays in the
    /// same segment.
    public mutating func takeChunk() -> PointColumns? {
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
        // If there are more fields than can be stored, the chunk has one field too many (`FieldName.otherFields` may be
        // an additional one), so that the store refuses these points.
        let used = columns.filter { !$0.isEmpty }.prefix(PointChunk.fieldLimit + 2)
        let fields = used.sorted { $0.name < $1.name }.map { $0.column(count: count) }
        let chunk = PointColumns(
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
        if isSegmentPending {
            segmentStarts.append(times.count)
            isSegmentPending = false
        }
        longitudes.append(longitude)
        latitudes.append(latitude)
        times.append(time?.milliseconds ?? PointColumns.untimed)
    }

    /// The coordinate in 1e-9°, and how many of its decimal places are used.
    private func normalised(_ decimal: FixedDecimal) -> (value: Int64, places: UInt8) {
        guard let value = decimal.rescaled(to: 9) else { preconditionFailure("a coordinate must be a place on Earth") }
        var places = min(decimal.places, 9)
        while places > finestPlaces, value % FixedDecimal.integerPower(10 - places) == 0 { places -= 1 }
        return (value, places)
    }
}

extension ChunkBuilder.Column {
    fileprivate var isEmpty: Bool { numbers.isEmpty && texts.isEmpty }

    fileprivate func column(count: Int) -> FieldColumn {
        withoutLongNumbers.plainColumn(count: count)
    }

    /// The column with rounded numbers, if all of its texts are numbers with too many decimals.
    private var withoutLongNumbers: Self {
        guard isMeasured, !texts.isEmpty else { return self }
        var all: [(index: Int, number: FixedDecimal)] = []
        for (index, text) in texts {
            guard let number = FixedDecimal(measured: text) else { return self }
            all.append((index, number))
        }
        // A text replaces the number that was set before.
        numbers.forEach { if texts[$0] == nil { all.append(($0, $1)) } }
        all.sort { $0.index < $1.index }
        var column = Self(name: name)
        for (index, number) in all { column.numbers.set(number, at: index) }
        return column
    }

    private func plainColumn(count: Int) -> FieldColumn {
        guard texts.isEmpty, let rescaled = rescaledNumbers(count: count) else {
            return FieldColumn(name: name, values: .texts(textValues(count: count)))
        }
        return FieldColumn(name: name, values: .numbers(places: rescaled.places, rescaled.numbers))
    }

    /// All numbers with the same number of decimal places; nil if they do not fit in 64 bits. Those of a measured field
    /// are then rounded to `FieldColumn.measuredPlaces`.
    private func rescaledNumbers(count: Int) -> (places: UInt8, numbers: [Int64])? {
        var finest: UInt8 = 0
        numbers.forEach { _, number in
            var needed = number.places
            while needed > finest, number.mantissa % FixedDecimal.integerPower(number.places - needed + 1) == 0 {
                needed -= 1
            }
            finest = max(finest, needed)
        }
        if let exact = rescaledNumbers(to: finest, count: count) { return (finest, exact) }
        let places = FieldColumn.measuredPlaces
        guard isMeasured, places < finest else { return nil }
        return rescaledNumbers(to: places, count: count).map { (places, $0) }
    }

    private func rescaledNumbers(to places: UInt8, count: Int) -> [Int64]? {
        var result = [Int64](repeating: FieldColumn.absent, count: count)
        var fits = true
        numbers.forEach { index, number in
            if let value = number.rescaled(to: places) { result[index] = value } else { fits = false }
        }
        return fits ? result : nil
    }

    private func textValues(count: Int) -> [String?] {
        var result = [String?](repeating: nil, count: count)
        numbers.forEach { result[$0] = $1.description }
        for (index, text) in texts { result[index] = text }
        return result
    }
}

/// A checked pair of coordinates.
public struct Place: Sendable {
    public let longitude: FixedDecimal
    public let latitude: FixedDecimal

    /// nil if a coordinate is out of range.
    @inlinable
    @inline(__always)
    public init?(longitude: FixedDecimal, latitude: FixedDecimal) {
        guard Self.isWithin(longitude, degrees: 180), Self.isWithin(latitude, degrees: 90) else { return nil }
        self.longitude = longitude
        self.latitude = latitude
    }

    @inlinable
    @inline(__always)
    public static func isWithin(_ value: FixedDecimal, degrees: Int64) -> Bool {
        // 180 × 10^16 fits in 64 bits; with more decimal places, a mantissa of at most 18 digits is below 10.
        value.places > 16
            || value.mantissa.magnitude <= (degrees &* FixedDecimal.integerPower(value.places)).magnitude
    }
}

/// A point being read; its place, time and fields can be set in any order.
public struct PendingPoint: Sendable {
    public var place: Place?
    public var time: Instant?
    @usableFromInline var numbers: [(FieldSlot, FixedDecimal)] = []
    @usableFromInline var texts: [(FieldSlot, String)] = []

    public init() {}

    /// Removes place, time and fields.
    public mutating func reset() {
        place = nil
        time = nil
        numbers.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
    }

    /// Whether the field is set.
    @inlinable
    public func has(_ slot: FieldSlot) -> Bool {
        numbers.contains { $0.0 == slot } || texts.contains { $0.0 == slot }
    }

    /// Sets a number.
    @inlinable
    public mutating func set(_ slot: FieldSlot, to number: FixedDecimal) {
        numbers.append((slot, number))
    }

    /// Sets a text.
    @inlinable
    public mutating func set(_ slot: FieldSlot, toText text: String) {
        texts.append((slot, text))
    }

    /// Sets a text, as a number if it is one in canonical form.
    @inlinable
    public mutating func set(_ slot: FieldSlot, to bytes: Span<UInt8>, _ range: Range<Int>) {
        if let number = FixedDecimal(plain: bytes, range) {
            set(slot, to: number)
        } else {
            set(slot, toText: ByteText.string(bytes, range))
        }
    }

    /// Adds the point with its fields; does nothing without a place.
    public func add(to builder: inout ChunkBuilder) {
        guard let place else { return }
        builder.addPoint(longitude: place.longitude, latitude: place.latitude, time: time)
        for (slot, number) in numbers { builder.set(slot, to: number) }
        for (slot, text) in texts { builder.set(slot, toText: text) }
    }
}

extension ChunkBuilder {
    /// Sets a value of the newest point: a number if it is one in canonical form, otherwise a text.
    public mutating func set(_ slot: FieldSlot, toSpelled value: String) {
        if let number = FixedDecimal(plain: value) {
            set(slot, to: number)
        } else {
            set(slot, toText: value)
        }
    }
}
