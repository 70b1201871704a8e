import Text
import Tracks

/// A `gx:Track` being read; its times, places and values are separate lists, paired by index.
struct KMLTrack {
    /// Maximum number of value arrays read per track.
    private static let arrayLimit = 256

    let line: Int
    /// Number of places that the track omits.
    private(set) var missing = 0
    private let storage: ColumnStorage
    private var times: ValueColumn
    private var longitudes: ValueColumn
    private var latitudes: ValueColumn
    private var altitudes: ValueColumn
    private var arrays: [(name: String, values: ValueColumn)] = []
    private var skipsArray = false

    init(line: Int = 0) {
        self.line = line
        let storage = ColumnStorage()
        self.storage = storage
        times = ValueColumn(storage)
        longitudes = ValueColumn(storage)
        latitudes = ValueColumn(storage)
        altitudes = ValueColumn(storage)
    }

    var count: Int { longitudes.count }
    var timeCount: Int { times.count }

    mutating func add(time: Instant?) throws {
        try times.append(time.map { FixedDecimal(mantissa: $0.milliseconds, places: 0) })
    }

    /// nil for an empty `coord`, which counts as an entry.
    mutating func add(_ tuple: KMLCoordinates.Tuple?) throws {
        if tuple == nil { missing += 1 }
        try longitudes.append(tuple?.place?.longitude)
        try latitudes.append(tuple?.place?.latitude)
        try altitudes.append(tuple?.altitude)
    }

    /// Adds heading, tilt and roll in degrees; one set per place.
    mutating func add(angles: String) throws {
        let numbers = angles.split { $0 == " " || $0 == "," }
        for (index, name) in [FieldName.heading, "tilt", "roll"].enumerated() {
            if !arrays.contains(where: { $0.name == name }) { arrays.append((name, ValueColumn(storage))) }
            guard let array = arrays.firstIndex(where: { $0.name == name }) else { continue }
            let bytes = Array((index < numbers.count ? String(numbers[index]) : "").utf8)
            try add(bytes.span, bytes.indices, to: array)
        }
    }

    /// Begins an array of values with that name.
    mutating func beginArray(_ name: String?) {
        skipsArray = arrays.count >= Self.arrayLimit
        if !skipsArray { arrays.append((FieldVocabulary.name(name ?? "value"), ValueColumn(storage))) }
    }

    /// Adds a value to the newest array; an empty value counts as an entry.
    mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>) throws {
        guard !arrays.isEmpty, !skipsArray else { return }
        try add(bytes, range, to: arrays.count - 1)
    }

    private mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>, to array: Int) throws {
        if range.isEmpty {
            try arrays[array].values.append(.absent)
        } else if let number = FixedDecimal(plain: bytes, range) {
            try arrays[array].values.append(number)
        } else {
            try arrays[array].values.append(ByteText.string(bytes, range))
        }
    }

    /// Adds each place with its time and values, and calls `body` after each.
    func add(to builder: inout ChunkBuilder, _ body: (inout ChunkBuilder) throws -> Void) throws {
        let slots = arrays.map { $0.name == ExportedNames.untimedPoint ? nil : builder.slot(for: $0.name) }
        let untimedFlags = arrays.firstIndex { $0.name == ExportedNames.untimedPoint }
        var times = ValueCursor(self.times)
        var east = ValueCursor(longitudes)
        var north = ValueCursor(latitudes)
        var altitudes = ValueCursor(self.altitudes)
        var values = arrays.map { ValueCursor($0.values) }
        for _ in 0..<count {
            var time = try times.nextNumber().flatMap { Instant(milliseconds: $0.mantissa) }
            let (longitude, latitude) = (try east.nextNumber(), try north.nextNumber())
            let altitude = try altitudes.nextNumber()
            var row: [ColumnValue] = []
            for index in values.indices { row.append(try values[index].next() ?? .absent) }
            guard let longitude, let latitude else { continue }
            if let untimedFlags, row[untimedFlags].text != nil { time = nil }
            builder.addPoint(longitude: longitude, latitude: latitude, time: time)
            if let altitude { builder.set(FieldName.elevation, to: altitude) }
            for (value, slot) in zip(row, slots) { if let slot { builder.set(slot, to: value) } }
            try body(&builder)
        }
    }
}
