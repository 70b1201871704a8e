import Tracks

/// Writes tracks in one format: told of one track after the other, of each its points in order, some at a time.
protocol TrackFormatWriter: Sendable {
    /// What has to be known beforehand of the fields.
    var needs: FieldNeeds { get }
    /// What is gone through again where `passes` is more than one.
    var run: PointRun { get }
    /// How often the points of the track that was begun are gone through.
    var passes: Int { get }

    /// What stands before all tracks.
    mutating func open(_ survey: FieldSurvey, to text: inout ExportText)
    /// What stands before a track's points.
    mutating func begin(_ track: ExportTrack, _ survey: FieldSurvey, to text: inout ExportText)
    /// Some of a chunk's points; `isFirst` where the run begins with them.
    mutating func add(_ points: PointRange, pass: Int, isFirst: Bool, to text: inout ExportText)
    /// What stands behind a run's points.
    mutating func endRun(pass: Int, to text: inout ExportText)
    /// What stands behind a track's points.
    mutating func end(_ track: ExportTrack, to text: inout ExportText)
    /// What stands behind all tracks.
    mutating func close(to text: inout ExportText)
}

extension TrackFormatWriter {
    var needs: FieldNeeds { .nothing }
    var run: PointRun { .track }
    var passes: Int { 1 }
    mutating func endRun(pass: Int, to text: inout ExportText) {}
}

/// What a writer has to know of the fields before it begins.
enum FieldNeeds {
    case nothing
    /// Those of a track before its points.
    case ofTrack
    /// Those of all tracks before the first.
    case ofAll
    /// Those of all tracks before the first, and those of each before its points.
    case ofAllAndEach
}

/// Points that are gone through together.
enum PointRun {
    case track, segment
}

/// Some points of a chunk.
struct PointRange {
    let chunk: PointChunk
    let range: Range<Int>

    /// Whether a segment of the file begins with a point.
    func startsSegment(_ index: Int) -> Bool {
        // Ascending, and mostly none or one.
        chunk.segmentStarts.contains(index)
    }
}

/// Which fields points carry.
struct FieldSurvey: Sendable {
    /// How many tracks are to be written at most.
    let trackCount: Int
    /// Whether all values of a field are numbers, by its name.
    private(set) var isNumber: [String: Bool] = [:]
    /// Which of them tell of persons, devices and so on.
    private(set) var hasPersons = false
    private(set) var hasDevices = false
    private(set) var hasActivities = false
    private(set) var hasNames = false

    /// In the order of their names.
    var names: [String] { isNumber.keys.sorted() }

    mutating func add(_ track: ExportTrack) {
        hasPersons = hasPersons || track.person != nil
        hasDevices = hasDevices || track.device != nil
        hasActivities = hasActivities || track.activity != nil
        hasNames = hasNames || track.name != nil
    }

    mutating func add(_ chunk: PointChunk) {
        for field in chunk.fields {
            if case .numbers = field.values {
                isNumber[field.name] = isNumber[field.name] ?? true
            } else {
                isNumber[field.name] = false
            }
        }
    }
}

/// What one point carries in one field.
enum FieldValue {
    case number(FixedDecimal)
    case text(String)
}

extension FieldColumn {
    /// What a point carries; nil where it carries nothing.
    func value(at index: Int) -> FieldValue? {
        switch values {
        case .numbers(let places, let numbers):
            numbers[index] == Self.absent ? nil : .number(FixedDecimal(mantissa: numbers[index], places: places))
        case .texts(let texts): texts[index].map { .text($0) }
        }
    }
}

extension FieldValue {
    /// A whole number within a range; nil for any other.
    func whole(in range: ClosedRange<Int64>) -> Int64? {
        guard case .number(let number) = self else { return nil }
        let divisor = FixedDecimal.integerPower(number.places)
        guard number.mantissa % divisor == 0, range.contains(number.mantissa / divisor) else { return nil }
        return number.mantissa / divisor
    }

    /// The number; nil for a text.
    var number: FixedDecimal? {
        if case .number(let number) = self { return number }
        return nil
    }

    /// In letters.
    var text: String {
        switch self {
        case .number(let number): number.description
        case .text(let text): text
        }
    }
}
