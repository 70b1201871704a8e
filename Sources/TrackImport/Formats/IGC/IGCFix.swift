import Text
import Tracks

/// A B record: `BHHMMSSDDMMmmmNDDDMMmmmEAPPPPPGGGGG`.
struct IGCFix {
    /// Length of a record up to the end of the heights, in bytes.
    private static let length = 35

    /// Milliseconds since midnight UTC.
    let timeOfDay: Int64
    /// Whether position and height both come from satellites (`A`); with `V`, at most the position does.
    let isValid: Bool
    /// Height above the ellipsoid in metres, from satellites; nil if it is missing.
    let height: Int64?
    /// Pressure altitude in metres (standard atmosphere); nil if it is missing.
    let pressureHeight: Int64?
    // In thousandths of a minute, without sign.
    private let latitude: Int64
    private let longitude: Int64
    private let isSouth: Bool
    private let isWest: Bool

    /// nil if the line is not a B record.
    init?(_ line: ArraySlice<UInt8>) {
        let first = line.startIndex
        // The two heights, ten bytes, may be missing.
        guard line.count >= Self.length - 10, line.first == UInt8(ascii: "B"),
            let timeOfDay = Self.timeOfDay(line),
            let latitude = Self.angle(line[(first + 7)..<(first + 14)], degrees: 2),
            let longitude = Self.angle(line[(first + 15)..<(first + 23)], degrees: 3)
        else { return nil }
        let letters = (line[first + 14], line[first + 23], line[first + 24])
        guard letters.0 == UInt8(ascii: "N") || letters.0 == UInt8(ascii: "S"),
            letters.1 == UInt8(ascii: "E") || letters.1 == UInt8(ascii: "W"),
            letters.2 == UInt8(ascii: "A") || letters.2 == UInt8(ascii: "V")
        else { return nil }
        self.timeOfDay = timeOfDay
        self.latitude = latitude
        self.longitude = longitude
        isSouth = letters.0 == UInt8(ascii: "S")
        isWest = letters.1 == UInt8(ascii: "W")
        isValid = letters.2 == UInt8(ascii: "A")
        pressureHeight = line.count >= 30 ? Self.number(line[(first + 25)..<(first + 30)]) : nil
        height = line.count >= Self.length ? Self.number(line[(first + 30)..<(first + 35)]) : nil
    }

    /// Whether the position is 0,0, which recorders write without a fix.
    var isZeroPosition: Bool { latitude == 0 && longitude == 0 }

    /// The coordinates in degrees; extensions may add decimals of the minutes.
    func coordinates(
        extended extensions: [IGCExtension], _ line: ArraySlice<UInt8>
    ) -> (longitude: FixedDecimal, latitude: FixedDecimal) {
        (
            Self.degrees(longitude, extensions.first { $0.code == "LOD" }?.decimals(line), isNegative: isWest),
            Self.degrees(latitude, extensions.first { $0.code == "LAD" }?.decimals(line), isNegative: isSouth)
        )
    }

    /// Converts thousandths of a minute to degrees.
    ///
    /// One is 1/60000° = 500/3 × 1e-7°, so 7 decimal places keep all values different, and 9 do with four more decimals
    /// of the minutes.
    private static func degrees(_ thousandths: Int64, _ more: FixedDecimal?, isNegative: Bool) -> FixedDecimal {
        guard let more, let finer = more.rescaled(to: 4) else {
            let value = FixedDecimal.divided(thousandths * 500, by: 3)
            return FixedDecimal(mantissa: isNegative ? -value : value, places: 7)
        }
        let value = FixedDecimal.divided((thousandths * 10_000 + finer) * 5, by: 3)
        return FixedDecimal(mantissa: isNegative ? -value : value, places: 9)
    }

    /// Parses `HHMMSS` after the record's letter into milliseconds since midnight.
    static func timeOfDay(_ line: ArraySlice<UInt8>) -> Int64? {
        guard line.count >= 7, let number = number(line.dropFirst().prefix(6)) else { return nil }
        let (hours, minutes, seconds) = (number / 10_000, number / 100 % 100, number % 100)
        guard number >= 0, hours < 24, minutes < 60, seconds <= 60 else { return nil }
        return ((hours * 60 + minutes) * 60 + seconds) * 1000
    }

    /// Parses digits of degrees and five digits of minutes into thousandths of a minute.
    private static func angle(_ bytes: ArraySlice<UInt8>, degrees: Int) -> Int64? {
        guard let whole = digits(bytes.prefix(degrees)), let minutes = digits(bytes.dropFirst(degrees)),
            // Recorders that round write 60.000 minutes.
            minutes <= 60_000
        else { return nil }
        return whole * 60_000 + minutes
    }

    /// Parses digits with an optional minus sign.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard bytes.first == UInt8(ascii: "-") else { return digits(bytes) }
        return digits(bytes.dropFirst()).map { -$0 }
    }

    private static func digits(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard !bytes.isEmpty, bytes.count <= 12 else { return nil }
        var value: Int64 = 0
        for byte in bytes {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }
}

/// An extension of B records, as declared in the I record.
struct IGCExtension {
    enum Value {
        case number(FixedDecimal)
        case text(String)
    }

    /// Three-letter code.
    let code: String
    private let start: Int
    private let count: Int

    /// Parses `SSFFCCC` (first byte, last byte, code); nil if it is invalid.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let first = IGCFix.number(bytes.prefix(2)), let last = IGCFix.number(bytes.dropFirst(2).prefix(2)),
            first >= 1, last >= first
        else { return nil }
        start = Int(first) - 1
        count = Int(last - first) + 1
        code = ByteText.string(Array(bytes.suffix(3))).uppercased()
    }

    /// Whether it adds decimals of the position or time, which are not a field.
    var isOfPlaceOrTime: Bool { code == "LAD" || code == "LOD" || code == "TDS" }

    /// The name of the field: the library's if the unit is certain, otherwise the code.
    var field: String {
        switch code {
        case "FXA": FieldName.horizontalAccuracy
        case "VXA": FieldName.verticalAccuracy
        case "SIU": FieldName.satellites
        case "TRT" where count == 3: FieldName.course
        case "HDT" where count == 3: FieldName.heading
        case "GSP" where count == 3: FieldName.speed
        default: code
        }
    }

    /// The value in a record; nil if the record is too short or the value is blank.
    func value(_ line: ArraySlice<UInt8>) -> Value? {
        let bytes = Array(line.dropFirst(start).prefix(count))
        guard bytes.count == count else { return nil }
        guard let number = IGCFix.number(bytes[...]) else {
            let text = ByteText.string(bytes.span, ByteText.trimmed(bytes.span, bytes.indices))
            return text.isEmpty ? nil : .text(text)
        }
        let decimal = FixedDecimal(mantissa: number, places: 0)
        guard field == FieldName.speed else { return .number(decimal) }
        return SpeedUnit.kilometrePerHour.metresPerSecond(decimal).map { .number($0) }
    }

    /// The value as the digits after a decimal point.
    func decimals(_ line: ArraySlice<UInt8>) -> FixedDecimal? {
        guard count <= 9, case .number(let number)? = value(line), number.mantissa >= 0 else { return nil }
        return FixedDecimal(mantissa: number.mantissa, places: UInt8(count))
    }

    /// The value as a fraction of a second, in milliseconds.
    func milliseconds(_ line: ArraySlice<UInt8>) -> Int64? { decimals(line)?.rescaled(to: 3) }
}
