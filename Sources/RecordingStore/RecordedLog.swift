internal import PrimaryStore
import Text
internal import Tracks

/// The points of a log, grouped by device. Memory grows with the values present, not with points times fields.
struct RecordedLog {
    /// A device of a person, as named in the log.
    private struct Name: Hashable, Comparable {
        var person: String
        var device: String
        static func < (left: Name, right: Name) -> Bool {
            (left.person, left.device) < (right.person, right.device)
        }
    }

    private var found: [Name: RecordedDevice] = [:]

    /// Ordered by person and device, so that a log is always moved in the same steps.
    var devices: [RecordedDevice] {
        found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Adds the points of one request.
    mutating func add(_ recorded: RecordedPoints) {
        let name = Name(person: recorded.person ?? "", device: recorded.device)
        let new = RecordedDevice(person: recorded.person, device: recorded.device, source: recorded.source)
        found[name, default: new].add(recorded)
    }
}

/// The points of a device in a log.
struct RecordedDevice {
    private(set) var header: RecordingHeader
    private var headingsFound: Set<HeadingChange> = []

    /// Places in 1e-9°.
    private var longitudes: [Int64] = []
    private var latitudes: [Int64] = []
    private var times: [Int64] = []
    /// Values of fields, in the order in which their points were added.
    private var values: [Value] = []
    private var texts: [String] = []
    private var names: [String] = []
    private var numbers: [String: UInt32] = [:]

    /// The value of a field at a point.
    private struct Value {
        /// The number, or the index of the text in `texts`.
        var number: Int64
        var point: UInt32
        var field: UInt32
        /// The decimal places of the number; nil for a text.
        var places: UInt8?
    }

    init(person: String?, device: String, source: String) {
        header = RecordingHeader(person: person, device: device, source: source)
    }

    /// The number of stored field values.
    var valueCount: Int { values.count }
    /// Changes of heading, distinct and in order.
    var headings: [HeadingChange] { headingsFound.sorted() }

    /// Adds points in any order.
    mutating func add(_ recorded: RecordedPoints) {
        header.source = min(header.source, recorded.source)
        headingsFound.formUnion(recorded.headings)
        let chunk = recorded.points
        let base = times.count
        longitudes += chunk.longitudes.map(chunk.unit.nanodegrees)
        latitudes += chunk.latitudes.map(chunk.unit.nanodegrees)
        times += chunk.times
        for field in chunk.fields {
            let number = number(of: field.name)
            switch field.values {
            case .numbers(let places, let mantissas):
                for (index, mantissa) in mantissas.enumerated() where mantissa != FieldColumn.absent {
                    let decimal = FixedDecimal(mantissa: mantissa, places: places).trimmed
                    add(decimal.mantissa, base + index, number, decimal.places)
                }
            case .texts(let found):
                for (index, text) in found.enumerated() {
                    guard let text else { continue }
                    add(Int64(texts.count), base + index, number, nil)
                    texts.append(text)
                }
            }
        }
    }

    private mutating func add(_ number: Int64, _ point: Int, _ field: UInt32, _ places: UInt8?) {
        values.append(Value(number: number, point: UInt32(point), field: field, places: places))
    }

    private mutating func number(of name: String) -> UInt32 {
        if let number = numbers[name] { return number }
        let number = UInt32(names.count)
        names.append(name)
        numbers[name] = number
        return number
    }

    // MARK: Steps

    /// A range of the points ordered by time and place.
    struct Step {
        fileprivate var points: Range<Int>
        /// The number of different fields.
        private(set) var fieldCount: Int

        /// The number of points.
        var count: Int { points.count }

        fileprivate init(_ points: Range<Int>, fieldCount: Int) {
            self.points = points
            self.fieldCount = fieldCount
        }
    }

    /// Points and their values, ordered by time and place.
    struct Ordered {
        fileprivate let device: RecordedDevice
        /// The points in their order.
        fileprivate let order: [UInt32]
        /// Where the values of each of them begin in `byPoint`, by its index in `order`; at last, where all end.
        fileprivate let firsts: [Int]
        fileprivate let byPoint: [UInt32]
    }

    /// The points ordered by time and place.
    func ordered() -> Ordered {
        let order = times.indices.map { UInt32($0) }.sorted {
            let (one, other) = (Int($0), Int($1))
            return (times[one], longitudes[one], latitudes[one], one)
                < (times[other], longitudes[other], latitudes[other], other)
        }
        var ranks = [UInt32](repeating: 0, count: order.count)
        for (rank, point) in order.enumerated() { ranks[Int(point)] = UInt32(rank) }
        var firsts = [Int](repeating: 0, count: order.count + 1)
        for value in values { firsts[Int(ranks[Int(value.point)]) + 1] += 1 }
        for rank in order.indices { firsts[rank + 1] += firsts[rank] }
        var next = firsts
        var byPoint = [UInt32](repeating: 0, count: values.count)
        for (index, value) in values.enumerated() {
            let rank = Int(ranks[Int(value.point)])
            byPoint[next[rank]] = UInt32(index)
            next[rank] += 1
        }
        return Ordered(device: self, order: order, firsts: firsts, byPoint: byPoint)
    }
}

extension RecordedDevice.Ordered {
    typealias Step = RecordedDevice.Step

    /// Divides the points into steps of at most `pointLimit` points and `cellLimit` values (points × fields); the same
    /// points always give the same steps.
    func steps(points pointLimit: Int, cells cellLimit: Int) -> [Step] {
        var steps: [Step] = []
        var fields: Set<UInt32> = []
        var start = 0
        for rank in order.indices {
            let isFull = rank - start >= pointLimit
            let own = byPoint[firsts[rank]..<firsts[rank + 1]].map { device.values[Int($0)].field }
            let known = fields.count
            fields.formUnion(own)
            guard rank > start, isFull || fields.count * (rank - start + 1) > cellLimit else { continue }
            steps.append(Step(start..<rank, fieldCount: known))
            start = rank
            fields = Set(own)
        }
        if start < order.count { steps.append(Step(start..<order.count, fieldCount: fields.count)) }
        return steps
    }

    /// The points of a step, with a column for each field that one of them has.
    func table(_ step: Step) -> PointTable {
        let chosen = order[step.points].map { Int($0) }
        var columns: [UInt32: [(index: Int, value: RecordedDevice.Value)]] = [:]
        for (index, rank) in step.points.enumerated() {
            for valueIndex in byPoint[firsts[rank]..<firsts[rank + 1]] {
                let value = device.values[Int(valueIndex)]
                columns[value.field, default: []].append((index, value))
            }
        }
        let fields = columns.map { number, found in
            FieldColumn(
                name: device.names[Int(number)], values: device.column(of: found, count: chosen.count))
        }
        return PointTable(
            PointChunk(
                unit: .decimal(places: 9), longitudes: chosen.map { device.longitudes[$0] },
                latitudes: chosen.map { device.latitudes[$0] }, times: chosen.map { device.times[$0] },
                segmentStarts: [], fields: fields))
    }
}

extension RecordedDevice {
    /// Values as a column; numbers that cannot share one scale become texts.
    private func column(of found: [(index: Int, value: Value)], count: Int) -> FieldColumn.Values {
        let finest = found.reduce(UInt8(0)) { max($0, $1.value.places ?? 0) }
        var numbers = [Int64](repeating: FieldColumn.absent, count: count)
        for (index, value) in found {
            guard let places = value.places,
                let number = FixedDecimal(mantissa: value.number, places: places).rescaled(to: finest)
            else { return .texts(texts(of: found, count: count)) }
            numbers[index] = number
        }
        return .numbers(places: finest, numbers)
    }

    private func texts(of found: [(index: Int, value: Value)], count: Int) -> [String?] {
        var result = [String?](repeating: nil, count: count)
        for (index, value) in found {
            result[index] =
                value.places.map { FixedDecimal(mantissa: value.number, places: $0).description }
                ?? texts[Int(value.number)]
        }
        return result
    }
}
