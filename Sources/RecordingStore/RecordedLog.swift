internal import PrimaryStore
import Text
internal import Tracks

/// The points of a log, grouped by device.
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

    /// Points that have the same fields, so that memory grows with the values present, not with points times fields: a
    /// request of some kilobytes may name 1,000 fields of which each of 4,096 points has another one.
    private struct Part {
        var points: PointColumns
        /// The position of each point in the log.
        var positions: [UInt32]
        /// The numbers of the fields, ascending.
        var fields: [UInt32]
    }

    private var parts: [Part] = []
    /// The part to which points with these fields are appended.
    private var partOfFields: [[UInt32]: Int] = [:]
    private var fieldNumbers: [String: UInt32] = [:]
    private var count: UInt32 = 0

    init(person: String?, device: String, source: String) {
        header = RecordingHeader(person: person, device: device, source: source)
    }

    /// The number of stored field values.
    var valueCount: Int { parts.reduce(0) { $0 + $1.points.count * $1.fields.count } }
    /// Changes of heading, distinct and in order.
    var headings: [HeadingChange] { headingsFound.sorted() }

    /// Adds points in any order.
    mutating func add(_ recorded: RecordedPoints) {
        header.source = min(header.source, recorded.source)
        headingsFound.formUnion(recorded.headings)
        var points = recorded.points
        points.becomeDecimal()
        let base = count
        count += UInt32(points.count)
        for (chosen, rows) in points.withCompleteFields {
            append(chosen, rows.map { base + UInt32($0) })
        }
    }

    private mutating func append(_ points: PointColumns, _ positions: [UInt32]) {
        let fields = points.fields.map { number(of: $0.name) }.sorted()
        if let known = partOfFields[fields], parts[known].points.appendAlike(points) {
            parts[known].positions += positions
            return
        }
        partOfFields[fields] = parts.count
        parts.append(Part(points: points, positions: positions, fields: fields))
    }

    private mutating func number(of name: String) -> UInt32 {
        if let number = fieldNumbers[name] { return number }
        let number = UInt32(fieldNumbers.count)
        fieldNumbers[name] = number
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

    /// The points ordered by time and place.
    struct Ordered {
        /// A point's place in the order, and where it is.
        fileprivate struct Entry {
            let time: Int64
            let longitude: Int64
            let latitude: Int64
            let position: UInt32
            let part: UInt32
            let row: UInt32
        }

        fileprivate let device: RecordedDevice
        fileprivate let entries: [Entry]
    }

    /// The points ordered by time and place.
    func ordered() -> Ordered {
        var entries: [Ordered.Entry] = []
        entries.reserveCapacity(Int(count))
        for (number, part) in parts.enumerated() {
            let points = part.points
            for row in points.times.indices {
                entries.append(
                    Ordered.Entry(
                        time: points.times[row], longitude: points.unit.nanodegrees(points.longitudes[row]),
                        latitude: points.unit.nanodegrees(points.latitudes[row]), position: part.positions[row],
                        part: UInt32(number), row: UInt32(row)))
            }
        }
        entries.sort {
            ($0.time, $0.longitude, $0.latitude, $0.position) < ($1.time, $1.longitude, $1.latitude, $1.position)
        }
        return Ordered(device: self, entries: entries)
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
        // Fields are added only where they may be others: nearly all points of a device have the same ones.
        var lastPart: UInt32?
        for (rank, entry) in entries.enumerated() {
            let isFull = rank - start >= pointLimit
            let known = fields.count
            if entry.part != lastPart { fields.formUnion(device.parts[Int(entry.part)].fields) }
            lastPart = entry.part
            guard rank > start, isFull || fields.count * (rank - start + 1) > cellLimit else { continue }
            steps.append(Step(start..<rank, fieldCount: known))
            start = rank
            fields = Set(device.parts[Int(entry.part)].fields)
        }
        if start < entries.count { steps.append(Step(start..<entries.count, fieldCount: fields.count)) }
        return steps
    }

    /// The points of a step.
    func points(of step: Step) -> PointColumns {
        let entries = entries[step.points]
        var rows: [UInt32: [Int]] = [:]
        for entry in entries { rows[entry.part, default: []].append(Int(entry.row)) }
        var chunks: [PointColumns] = []
        var nextRows: [UInt32: Int] = [:]
        var count = 0
        for (part, rows) in rows.sorted(by: { $0.key < $1.key }) {
            nextRows[part] = count
            count += rows.count
            chunks.append(device.parts[Int(part)].points.gathered(rows))
        }
        let all = PointColumns.joined(chunks[...])
        guard chunks.count > 1 else { return all }
        return all.gathered(
            entries.map { entry in
                defer { nextRows[entry.part]? += 1 }
                return nextRows[entry.part] ?? 0
            })
    }
}

extension PointColumns {
    /// The points, divided so that each has a value in every field of its part, with the indices of the points of each part.
    fileprivate var withCompleteFields: [(points: PointColumns, rows: [Int])] {
        if fields.allSatisfy(\.values.isComplete) { return [(self, Array(times.indices))] }
        var rows: [[Int]: [Int]] = [:]
        for row in times.indices {
            rows[fields.indices.filter { fields[$0].values.hasValue(at: row) }, default: []].append(row)
        }
        return rows.map { present, rows in
            var chosen = self
            chosen.fields = present.map { fields[$0] }
            return (chosen.gathered(rows), rows)
        }
    }
}

extension FieldColumn.Values {
    fileprivate var isComplete: Bool {
        switch self {
        case .numbers(_, let numbers): !numbers.contains(FieldColumn.absent)
        case .texts(let texts): texts.allSatisfy { $0 != nil }
        }
    }

    fileprivate func hasValue(at row: Int) -> Bool {
        switch self {
        case .numbers(_, let numbers): numbers[row] != FieldColumn.absent
        case .texts(let texts): texts[row] != nil
        }
    }
}
