public import Text

/// A change of the device's heading between two points: it has a time but no place.
///
/// The library stores the changes that devices record as rows. Files and exports hold all changes after a point as one
/// text, `FieldName.headingChanges`.
public struct HeadingChange: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970.
    public let time: Int64
    /// Degrees from north, clockwise, without trailing zeros after the decimal point.
    public let degrees: FixedDecimal
    /// The recorder's own identifier; empty if there is none.
    public let id: String

    /// The maximum length of an id in bytes.
    public static let idLimit = 200
    /// Separates two changes in a text.
    static let separator = "; "

    /// nil if `degrees` is outside 0...360, the time is not plausible, or the id cannot be part of a text.
    public init?(time: Int64, degrees: FixedDecimal, id: String = "") {
        guard let instant = Instant(milliseconds: time), instant.isPlausible, Self.isHeading(degrees),
            id.utf8.count <= Self.idLimit, id.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != ";" }),
            id.first != " ", id.last != " "
        else { return nil }
        self.init(storedTime: time, degrees: degrees, id: id)
    }

    /// Creates a change that was checked when it was stored.
    package init(storedTime time: Int64, degrees: FixedDecimal, id: String) {
        self.time = time
        var degrees = degrees
        while degrees.places > 0, degrees.mantissa % 10 == 0 {
            degrees = FixedDecimal(mantissa: degrees.mantissa / 10, places: degrees.places - 1)
        }
        self.degrees = degrees
        self.id = id
    }

    /// Whether a number is a heading in degrees.
    public static func isHeading(_ degrees: FixedDecimal) -> Bool { (0...360).contains(degrees.double) }

    public static func < (left: HeadingChange, right: HeadingChange) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.degrees != right.degrees {
            return (left.degrees.double, left.degrees.mantissa) < (right.degrees.double, right.degrees.mantissa)
        }
        return left.id < right.id
    }

    /// `TIME DEGREES ID`, with the time in UTC.
    public var text: String {
        "\(InstantFormatter.utc(time)) \(degrees)" + (id.isEmpty ? "" : " \(id)")
    }

    /// Appends changes to an existing text; changes that it already holds are skipped.
    public static func text(_ changes: some Collection<HeadingChange>, appendedTo text: String?) -> String? {
        guard !changes.isEmpty else { return text }
        guard let text, !text.isEmpty else { return changes.map(\.text).joined(separator: separator) }
        let known = Set(entries(of: text))
        let new = changes.map(\.text).filter { !known.contains(Substring($0)) }
        return ([text] + new).joined(separator: separator)
    }

    /// The changes in a text, each as written there.
    public static func entries(of text: String) -> [Substring] {
        var entries: [Substring] = []
        let utf8 = text.utf8
        var start = utf8.startIndex
        var at = start
        while at != utf8.endIndex {
            let next = utf8.index(after: at)
            if utf8[at] == UInt8(ascii: ";"), next != utf8.endIndex, utf8[next] == UInt8(ascii: " ") {
                entries.append(text[start..<at])
                start = utf8.index(after: next)
                at = start
            } else {
                at = next
            }
        }
        entries.append(text[start...])
        return entries
    }
}
