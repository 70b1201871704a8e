import Text
import Tracks

/// A buffer of output, with methods to encode values.
struct ExportText {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func put(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(bytes more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    mutating func put(_ byte: Unicode.Scalar) {
        bytes.append(UInt8(truncatingIfNeeded: byte.value))
    }

    mutating func put(_ number: Int64) {
        put(FixedDecimal(mantissa: number, places: 0))
    }

    /// Adds all digits, with as many decimals as the number has.
    mutating func put(_ number: FixedDecimal) {
        number.write(to: &bytes)
    }

    // MARK: Places and times

    /// Adds degrees at the scale of the recording.
    mutating func put(degrees coordinate: Int64, _ unit: CoordinateUnit) {
        switch unit {
        case .decimal(let places): put(FixedDecimal(mantissa: coordinate, places: places))
        case .semicircles: put(FixedDecimal(mantissa: Self.nanodegrees(ofSemicircles: coordinate), places: 9))
        }
    }

    /// Adds a longitude, with -180 for 180, which is the same place: the schema of GPX excludes 180.
    mutating func put(longitudeBelow180 coordinate: Int64, _ unit: CoordinateUnit) {
        let isEdge = unit.nanodegrees(coordinate) == 180 * 1_000_000_000
        put(degrees: isEdge ? -coordinate : coordinate, unit)
    }

    /// The nearest 1e-9°, or its neighbour if the nearest one, rounded to 1e-7°, would differ from the semicircles
    /// rounded to 1e-7°: digests over places must not change.
    private static func nanodegrees(ofSemicircles coordinate: Int64) -> Int64 {
        let unit = CoordinateUnit.semicircles
        let nearest = unit.nanodegrees(coordinate)
        let wanted = Int64(E7Converter(unit: unit).e7(coordinate))
        let found = FixedDecimal.divided(nearest, by: 100)
        return nearest + (wanted - found).signum()
    }

    /// Adds a time in the format of RFC 3339.
    mutating func put(time: Int64) {
        put(InstantFormatter.utc(time))
    }

    // MARK: XML

    /// Adds XML character data or an attribute value; characters that XML cannot represent become U+FFFD.
    mutating func put(xml text: String) {
        XMLText.append(text, to: &bytes)
    }

    mutating func put(xml value: FieldValue) {
        switch value {
        case .number(let number): put(number)
        case .text(let text): put(xml: text)
        }
    }

    /// Adds `<name>value</name>`.
    mutating func put(element name: String, _ value: FieldValue) {
        put("<\(name)>")
        put(xml: value)
        put("</\(name)>")
    }

    /// Adds `<name>text</name>` on its own line, if there is a text.
    mutating func putLine(element name: String, _ value: String?, indent: String = "") {
        guard let value else { return }
        put("\(indent)<\(name)>")
        put(xml: value)
        put("</\(name)>\n")
    }

    // MARK: JSON

    /// Adds a JSON string with its quotes.
    mutating func put(json text: String) {
        JSONWriter.append(text, escapes: [.lineFeed, .delete, .lineSeparators], to: &bytes)
    }

    mutating func put(json value: FieldValue?) {
        switch value {
        case .number(let number)?: put(number)
        case .text(let text)?: put(json: text)
        case nil: put("null")
        }
    }

    // MARK: CSV

    /// Adds a cell, quoted if necessary.
    mutating func put(csv text: String) {
        CSVText.append(text, to: &bytes)
    }
}
