import Text

/// Which fields to decode from a chunk.
public enum WantedFields: Sendable {
    /// Only times and places.
    case none
    /// The fields with these names that the chunk has; the names must be in ascending order.
    case only([String])
    /// All fields.
    case all
}

/// A chunk: points that are stored and read in one piece, and the format in which they are stored.
///
/// The format is version, count, unit, segment starts, times, longitudes, latitudes, then the fields.
///
/// Numbers are varints (7 bits per byte, lowest first); signed numbers are zigzag-encoded. Runs show which points carry
/// a value: the number of points without a value and the number of points with a value, in turn. Times: a divisor of
/// all steps, the first time, then differences of (step / divisor). Coordinates and number fields: first differences.
/// Text fields: the distinct texts in order of first appearance, then one index per point. Size: 5–6 bytes per point
/// for traces of 1–5 s without fields.
public enum PointChunk {
    /// The maximum number of points: a few database pages, and a bound on what one read decodes.
    public static let capacity = 4096
    /// The maximum number of different fields of a chunk, so that every stored chunk can be decoded: 32 MiB of numbers.
    public static let fieldLimit = 1000
    /// The maximum number of field values in a decoded chunk, over all its fields: 128 MiB of numbers.
    fileprivate static let cellLimit = 1 << 24
    fileprivate static let formatVersion: UInt8 = 1
    fileprivate static let semicirclesTag: UInt8 = 10
    fileprivate static let numbersTag: UInt8 = 0
    fileprivate static let textsTag: UInt8 = 1
}

extension PointColumns {
    /// The encoded chunk; equal chunks give equal bytes. `init(decoding:)` reads it.
    public func encoded() -> [UInt8] {
        var writer = ColumnWriter(expecting: count * 3 * Varint.longest + 64)
        writer.add(byte: PointChunk.formatVersion)
        writer.add(count)
        switch unit {
        case .decimal(let places): writer.add(byte: places)
        case .semicircles: writer.add(byte: PointChunk.semicirclesTag)
        }
        writer.add(segmentStarts.count)
        var lastStart = 0
        for start in segmentStarts {
            writer.add(start - lastStart)
            lastStart = start
        }
        writer.add(presenceOf: times, absent: PointColumns.untimed)
        let divisor = Self.commonDivisor(ofStepsIn: times)
        writer.add(zigzag: divisor)
        writer.add(stepsOf: times, without: PointColumns.untimed, divisor: divisor)
        writer.add(differencesOf: longitudes)
        writer.add(differencesOf: latitudes)
        writer.add(fields.count)
        for field in fields { field.write(to: &writer) }
        return writer.written
    }

    /// Decodes a chunk with the wanted fields. Bytes after the last wanted field are not read.
    public init(decoding bytes: [UInt8], fields wanted: WantedFields = .all) throws(ChunkCodecError) {
        try self.init(decoding: bytes.span, fields: wanted)
    }

    /// Decodes a chunk with the wanted fields. Bytes after the last wanted field are not read.
    public init(decoding bytes: Span<UInt8>, fields wanted: WantedFields = .all) throws(ChunkCodecError) {
        var reader = ColumnReader()
        let version = try reader.byte(bytes)
        guard version == PointChunk.formatVersion else {
            throw version > PointChunk.formatVersion ? .newerVersion(version) : .malformed
        }
        let count = try reader.number(bytes, upTo: PointChunk.capacity)
        let (unit, limit) = try Self.unit(tag: reader.byte(bytes))
        let segmentStarts = try Self.readSegmentStarts(bytes, &reader, count: count)
        let runs = try reader.presence(bytes, count)
        let divisor = try reader.signedNumber(bytes)
        let (times, areTimesInBounds) = try reader.steps(
            bytes, count: count, present: runs, absent: PointColumns.untimed, divisor: divisor,
            limit: Instant.bounds.upperBound)
        let longitudes = try reader.differences(bytes, count: count, within: limit)
        let latitudes = try reader.differences(bytes, count: count, within: limit / 2)
        var fields: [FieldColumn] = []
        switch wanted {
        case .none:
            break
        case .all:
            let fieldCount = try reader.number(bytes, upTo: PointChunk.cellLimit / max(count, 1))
            for _ in 0..<fieldCount { fields.append(try FieldColumn.read(bytes, &reader, count: count)) }
            guard reader.position == bytes.count else { throw .malformed }
        case .only(let names):
            let fieldCount = try reader.number(bytes, upTo: PointChunk.cellLimit / max(count, 1))
            fields = try FieldColumn.find(names, among: fieldCount, bytes, &reader, count: count)
        }
        self.init(
            unit: unit, longitudes: longitudes, latitudes: latitudes, times: times, segmentStarts: segmentStarts,
            fields: fields)
        // Earlier versions stored any number that a file or a client gave.
        if !areTimesInBounds { self = withTimesInBounds() }
    }

    /// The unit, and the number of units in 180°.
    private static func unit(tag: UInt8) throws(ChunkCodecError) -> (CoordinateUnit, Int64) {
        if tag == PointChunk.semicirclesTag { return (.semicircles, 1 << 31) }
        guard tag <= 9 else { throw .malformed }
        return (.decimal(places: tag), 180 * FixedDecimal.integerPower(tag))
    }

    private static func readSegmentStarts(
        _ bytes: Span<UInt8>, _ reader: inout ColumnReader, count: Int
    ) throws(ChunkCodecError) -> [Int] {
        let startCount = try reader.number(bytes, upTo: count)
        var starts: [Int] = []
        var last = 0
        for index in 0..<startCount {
            let step = try reader.number(bytes, upTo: count)
            last += step
            guard last < count, index == 0 || step > 0 else { throw .malformed }
            starts.append(last)
        }
        return starts
    }

    /// The greatest common divisor of all steps between times; 1 if all steps are 0. Times are mostly whole seconds: a
    /// step that is a second longer than the one before then takes one byte instead of two.
    private static func commonDivisor(ofStepsIn times: [Int64]) -> Int64 {
        var divisor: UInt64 = 0
        var previous: Int64?
        var lastStep: UInt64 = 0
        for time in times where time != PointColumns.untimed {
            if let last = previous {
                let step = (time &- last).magnitude
                if step != lastStep {
                    divisor = greatestCommonDivisor(divisor, step)
                    if divisor == 1 { return 1 }
                    lastStep = step
                }
            }
            previous = time
        }
        // A step may have the magnitude 2^63, which an Int64 cannot hold.
        return divisor == 0 ? 1 : Int64(exactly: divisor) ?? 1
    }

    private static func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
        var (one, other) = (first, second)
        while other != 0 { (one, other) = (other, one % other) }
        return one
    }
}

extension FieldColumn {
    fileprivate func write(to writer: inout ColumnWriter) {
        writer.add(name)
        switch values {
        case .numbers(let places, let numbers):
            writer.add(byte: PointChunk.numbersTag)
            writer.add(byte: places)
            writer.add(presenceOf: numbers, absent: Self.absent)
            writer.add(differencesOf: numbers, without: Self.absent)
        case .texts(let texts):
            writer.add(byte: PointChunk.textsTag)
            writer.add(presenceIn: texts.lazy.map { $0 != nil }, count: texts.count)
            var indices: [String: Int] = [:]
            var dictionary: [String] = []
            for case let text? in texts where indices[text] == nil {
                indices[text] = dictionary.count
                dictionary.append(text)
            }
            writer.add(dictionary.count)
            for text in dictionary { writer.add(text) }
            for case let text? in texts { writer.add(indices[text] ?? 0) }
        }
    }

    /// Reads the wanted fields. Both the wanted names and the stored fields are ordered by name.
    fileprivate static func find(
        _ wanted: [String], among fieldCount: Int, _ bytes: Span<UInt8>, _ reader: inout ColumnReader, count: Int
    ) throws(ChunkCodecError) -> [FieldColumn] {
        var found: [FieldColumn] = []
        var wanted = wanted[...]
        for _ in 0..<fieldCount {
            let name = try reader.text(bytes)
            wanted = wanted.drop { $0 < name }
            guard let next = wanted.first else { break }
            if name == next {
                found.append(try read(name, bytes, &reader, count: count))
            } else {
                try skip(bytes, &reader, count: count)
            }
        }
        return found
    }

    private static func skip(
        _ bytes: Span<UInt8>, _ reader: inout ColumnReader, count: Int
    ) throws(ChunkCodecError) {
        let tag = try reader.byte(bytes)
        if tag == PointChunk.numbersTag { _ = try reader.byte(bytes) }
        let present = try reader.presence(bytes, count).reduce(0) { $0 + $1.count }
        if tag == PointChunk.textsTag {
            for _ in 0..<(try reader.number(bytes, upTo: count)) {
                try reader.skipBytes(bytes, count: try reader.number(bytes, upTo: bytes.count))
            }
        }
        try reader.skipNumbers(bytes, count: present)
    }

    fileprivate static func read(
        _ bytes: Span<UInt8>, _ reader: inout ColumnReader, count: Int
    ) throws(ChunkCodecError) -> FieldColumn {
        try read(try reader.text(bytes), bytes, &reader, count: count)
    }

    private static func read(
        _ name: String, _ bytes: Span<UInt8>, _ reader: inout ColumnReader, count: Int
    ) throws(ChunkCodecError) -> FieldColumn {
        switch try reader.byte(bytes) {
        case PointChunk.numbersTag:
            let places = try reader.byte(bytes)
            guard places <= 18 else { throw .malformed }
            let runs = try reader.presence(bytes, count)
            let numbers = try reader.differences(bytes, count: count, present: runs, absent: absent)
            return FieldColumn(name: name, values: .numbers(places: places, numbers))
        case PointChunk.textsTag:
            let runs = try reader.presence(bytes, count)
            var dictionary: [String] = []
            for _ in 0..<(try reader.number(bytes, upTo: count)) { dictionary.append(try reader.text(bytes)) }
            var texts = [String?](repeating: nil, count: count)
            for run in runs {
                for index in run {
                    let entry = try reader.number(bytes, upTo: count)
                    guard entry < dictionary.count else { throw .malformed }
                    texts[index] = dictionary[entry]
                }
            }
            return FieldColumn(name: name, values: .texts(texts))
        default:
            throw .malformed
        }
    }
}

extension ColumnWriter {
    fileprivate mutating func add(presenceOf numbers: [Int64], absent: Int64) {
        // Nearly always every point has a value, so this loop of one comparison per point comes first.
        var missing = 0
        for number in numbers where number == absent { missing += 1 }
        if missing == 0 {
            addRuns([0, numbers.count], count: numbers.count)
        } else {
            add(presenceIn: numbers.lazy.map { $0 != absent }, count: numbers.count)
        }
    }

    fileprivate mutating func add(presenceIn flags: some Sequence<Bool>, count: Int) {
        var runs: [Int] = []
        var wanted = false
        var length = 0
        for flag in flags {
            if flag != wanted {
                runs.append(length)
                length = 0
                wanted = flag
            }
            length += 1
        }
        runs.append(length)
        addRuns(runs, count: count)
    }

    /// No end marker is needed: the runs end when their sum is the count, which the reader knows.
    private mutating func addRuns(_ runs: [Int], count: Int) {
        guard count > 0 else { return }
        for run in runs { add(run) }
    }
}

extension ColumnReader {
    /// The ranges of points that have a value.
    fileprivate mutating func presence(_ bytes: Span<UInt8>, _ count: Int) throws(ChunkCodecError) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var done = 0
        var isPresent = false
        while done < count {
            let length = try number(bytes, upTo: count - done)
            // Only the first run may be empty: otherwise a few bytes could claim any number of runs.
            guard length > 0 || (done == 0 && !isPresent) else { throw .malformed }
            if isPresent { runs.append(done..<done + length) }
            done += length
            isPresent.toggle()
        }
        return runs
    }
}
