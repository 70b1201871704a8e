import Pins
import Text
import Tracks

/// Writes tracks in one file format. It gets one track after another, and the points of each in order and in portions.
protocol TrackFormatWriter: Sendable {
    /// What must be known about the fields before writing.
    var needs: FieldNeeds { get }
    /// The unit that is repeated if `passes` is greater than one.
    var run: PointRun { get }
    /// The number of passes over the points of the current track.
    var passes: Int { get }

    /// Writes the beginning of the file.
    mutating func open(_ statistics: FieldStatistics, to text: inout ExportText)
    /// Writes a pin; all pins come before the first track.
    mutating func add(_ pin: Pin, to text: inout ExportText)
    /// Writes the beginning of a track.
    mutating func begin(_ track: ExportTrack, _ statistics: FieldStatistics, to text: inout ExportText)
    /// Writes points of a chunk; `isFirst` is true for the first points of a run.
    mutating func add(_ points: PointRange, pass: Int, isFirst: Bool, to text: inout ExportText)
    /// Writes the end of a run.
    mutating func endRun(pass: Int, to text: inout ExportText)
    /// Writes the end of a track.
    mutating func end(_ track: ExportTrack, to text: inout ExportText)
    /// Writes the end of the file.
    mutating func close(to text: inout ExportText)
}

extension TrackFormatWriter {
    var needs: FieldNeeds { .nothing }
    var run: PointRun { .track }
    var passes: Int { 1 }
    mutating func endRun(pass: Int, to text: inout ExportText) {}
    mutating func add(_ pin: Pin, to text: inout ExportText) {}
}

/// What a writer must know about the fields before it writes.
enum FieldNeeds {
    case nothing
    /// The fields of a track before its points.
    case ofTrack
    /// The fields of all tracks before the first track.
    case ofAll
    /// The fields of all tracks before the first track, and those of each track before its points.
    case ofAllAndEach
}

/// The points that are written in one series of passes.
enum PointRun {
    case track, segment
}

/// A range of points in a chunk.
struct PointRange {
    let chunk: PointColumns
    let range: Range<Int>

    /// Whether a segment of the file begins at a point.
    func startsSegment(_ index: Int) -> Bool {
        // `segmentStarts` rarely has more than one entry.
        chunk.segmentStarts.contains(index)
    }
}

/// The fields and metadata that occur in tracks.
struct FieldStatistics: Sendable {
    /// The maximum number of tracks in the export.
    let trackCount: Int
    /// Whether pins are written before the tracks.
    var hasPins = false
    /// By field name, whether all values are numbers.
    private(set) var isNumber: [String: Bool] = [:]
    /// Whether any track has a person, a device and so on.
    private(set) var hasPersons = false
    private(set) var hasDevices = false
    private(set) var hasActivities = false
    /// Whether any track has points without a time.
    private(set) var hasUntimedPoints = false

    /// The field names in ascending order.
    var names: [String] { isNumber.keys.sorted() }

    mutating func add(_ track: ExportTrack) {
        hasPersons = hasPersons || track.person != nil
        hasDevices = hasDevices || track.device != nil
        hasActivities = hasActivities || track.activity != nil
        hasUntimedPoints = hasUntimedPoints || track.untimed > 0
    }

    mutating func add(_ chunk: PointColumns) {
        for field in chunk.fields {
            if case .numbers = field.values {
                isNumber[field.name] = isNumber[field.name] ?? true
            } else {
                isNumber[field.name] = false
            }
        }
    }
}

extension FieldValue {
    /// The value as an integer within a range; nil for any other value.
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

    /// The value as text.
    var text: String { description }
}
