package import Text

/// The NMEA 0183 sentences that are used.
package enum NMEAKind: String {
    case rmc = "RMC"
    case gga = "GGA"
    case gns = "GNS"
    case gll = "GLL"
    case vtg = "VTG"
    case gsa = "GSA"
    case zda = "ZDA"
}

/// A sentence: `$`, a talker of two letters, the kind, and values separated by commas.
package struct NMEASentence {
    package let kind: NMEAKind
    /// Whether there is a checksum.
    package let hasChecksum: Bool
    /// Whether the checksum is correct or missing.
    package let isChecksumValid: Bool
    private let bytes: [UInt8]
    private let values: [Range<Int>]

    /// The last sentence in a line, whatever precedes it; nil if it is not a supported one.
    package init?(_ line: ArraySlice<UInt8>) {
        guard let dollar = line.lastIndex(of: UInt8(ascii: "$")) else { return nil }
        let body = line[(dollar + 1)...]
        guard body.count > 6, body[dollar + 6] == UInt8(ascii: ","),
            let kind = NMEAKind(rawValue: String(decoding: body[(dollar + 3)..<(dollar + 6)], as: UTF8.self)),
            body[dollar + 1] &- UInt8(ascii: "A") < 26, body[dollar + 2] &- UInt8(ascii: "A") < 26
        else { return nil }
        self.kind = kind
        let star = body.lastIndex(of: UInt8(ascii: "*"))
        let bytes = Array(body[..<(star ?? body.endIndex)])
        self.bytes = bytes
        hasChecksum = star != nil
        isChecksumValid = star.map { Self.sum(bytes) == Self.hexadecimal(body[($0 + 1)...]) } ?? true
        var values: [Range<Int>] = []
        var start = 6
        for index in start...bytes.count where index == bytes.count || bytes[index] == UInt8(ascii: ",") {
            values.append(start..<index)
            start = index + 1
        }
        self.values = values
    }

    private static func sum(_ bytes: [UInt8]) -> UInt8 { bytes.reduce(0) { $0 ^ $1 } }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> UInt8? {
        guard let high = bytes.first, let low = bytes.dropFirst().first else { return nil }
        return HexDigits.byte(high, low)
    }

    /// The range of a value, counted from 0; empty if the sentence is shorter.
    private func range(_ index: Int) -> Range<Int> { index < values.count ? values[index] : 0..<0 }

    package func number(_ index: Int) -> FixedDecimal? { FixedDecimal(bytes.span, range(index)) }

    package func letter(_ index: Int) -> UInt8? {
        let range = ByteText.trimmed(bytes.span, range(index))
        return range.isEmpty ? nil : bytes[range.lowerBound]
    }

    package func text(_ index: Int) -> String { text(in: range(index)) }
    package func text(in range: Range<Int>) -> String { ByteText.string(bytes.span, range) }

    /// Parses `hhmmss.ss` into milliseconds since midnight.
    package func timeOfDay(_ index: Int) -> Int64? {
        guard let number = number(index), number.mantissa >= 0, let value = number.rescaled(to: 3) else { return nil }
        let (hours, minutes, rest) = (value / 10_000_000, value / 100_000 % 100, value % 100_000)
        // 60 is a leap second.
        guard range(index).count >= 6, hours < 24, minutes < 60, rest < 61_000 else { return nil }
        return (hours * 60 + minutes) * 60_000 + rest
    }

    /// Parses `ddmmyy` into days since 1970; years from 80 on are in the 20th century, because GPS time begins in 1980.
    package func date(_ index: Int) -> Int64? {
        guard range(index).count == 6, let value = number(index)?.rescaled(to: 0), value >= 0 else { return nil }
        let year = value % 100
        return Self.days(year + (year < 80 ? 2000 : 1900), value / 100 % 100, value / 10_000)
    }

    /// The date in three values for day, month and year, in days since 1970.
    package func date(day: Int, month: Int, year: Int) -> Int64? {
        guard let day = number(day)?.rescaled(to: 0), let month = number(month)?.rescaled(to: 0),
            let year = number(year)?.rescaled(to: 0), (1970..<2200).contains(year)
        else { return nil }
        return Self.days(year, month, day)
    }

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        CivilDay(year: Int(year), month: Int(month), day: Int(day)).map { Int64($0.daysSince1970) }
    }

    /// The place in four values from `index`: latitude, N or S, longitude, E or W; nil if it is missing or invalid.
    package func place(_ index: Int) -> Place? {
        coordinates(index).flatMap { Place(longitude: $0.longitude, latitude: $0.latitude) }
    }

    /// As `place`, in degrees.
    package func coordinates(_ index: Int) -> (longitude: FixedDecimal, latitude: FixedDecimal)? {
        guard let latitude = coordinate(index, negative: UInt8(ascii: "S"), positive: UInt8(ascii: "N")),
            let longitude = coordinate(index + 2, negative: UInt8(ascii: "W"), positive: UInt8(ascii: "E"))
        else { return nil }
        return (longitude, latitude)
    }

    /// Whether both coordinates are empty.
    package func hasNoCoordinates(_ index: Int) -> Bool { range(index).isEmpty && range(index + 2).isEmpty }

    /// Parses `dddmm.mmmm` and a letter into degrees, with enough decimal places to keep all minutes different.
    private func coordinate(_ index: Int, negative: UInt8, positive: UInt8) -> FixedDecimal? {
        guard let number = number(index), number.mantissa >= 0, number.places <= 9, let letter = letter(index + 1),
            letter == negative || letter == positive
        else { return nil }
        let hundred = 100 * FixedDecimal.integerPower(number.places)
        let (degrees, minutes) = (number.mantissa / hundred, number.mantissa % hundred)
        guard degrees <= 180, minutes < hundred * 60 / 100 else { return nil }
        let places = min(9, number.places + 3)
        let scale = FixedDecimal.integerPower(places)
        let minutesScaled = minutes * FixedDecimal.integerPower(places - number.places)
        let value = degrees * scale + FixedDecimal.divided(minutesScaled, by: 60)
        return FixedDecimal(mantissa: letter == negative ? -value : value, places: places)
    }
}
