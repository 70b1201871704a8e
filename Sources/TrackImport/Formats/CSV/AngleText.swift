import Text
import Tracks

/// Reads coordinates as people and older software write them.
///
/// Examples: `49.07N`, `W 8.4`, `49°04'12.3"N`, `8 24.3 E`, `49 deg 4' 12"`, `8d24m3s W`.
enum AngleText {
    /// The coordinate to read.
    enum Axis {
        case longitude, latitude
    }

    /// Degrees, positive to the north and east; nil if the text is not an angle or names the other axis.
    static func degrees(_ bytes: Span<UInt8>, _ range: Range<Int>, _ axis: Axis, comma: Bool) -> FixedDecimal? {
        let text = ByteText.string(bytes, ByteText.trimmed(bytes, range))
        guard text.utf8.count <= 48 else { return nil }
        var words: [(text: String, numbersBefore: Int)] = []
        var isInWord = false
        var negative = false
        var numbers: [String] = []
        var digits = ""
        for character in text {
            let continuesWord = isInWord
            isInWord = character.isLetter
            if character.isASCII, character.isNumber || character == "." || (comma && character == ",") {
                digits.append(character == "," ? "." : character)
                continue
            }
            if !digits.isEmpty {
                numbers.append(digits)
                digits = ""
            }
            if character == "-" || character == "−" || character == "+" {
                guard numbers.isEmpty, !negative else { return nil }
                negative = character != "+"
            } else if character.isLetter {
                if !continuesWord { words.append(("", numbers.count)) }
                words[words.count - 1].text.append(character)
            } else if !" °º˚'′’\"″”:,".contains(character) {
                return nil
            }
        }
        if !digits.isEmpty { numbers.append(digits) }
        guard let letters = hemisphereLetters(words), let value = sum(numbers), let sign = sign(letters, axis, negative)
        else { return nil }
        return FixedDecimal(mantissa: sign * value.mantissa, places: value.places)
    }

    /// The letters that are not units, in upper case; nil if an `S` may mean both seconds and south.
    ///
    /// `S` means seconds behind the third number if the minutes have a letter too, as in `8d24m3s`; else it means south.
    private static func hemisphereLetters(_ words: [(text: String, numbersBefore: Int)]) -> String? {
        let minutes = words.first { $0.numbersBefore == 2 && ["M", "MIN"].contains($0.text.uppercased()) }
        var letters = ""
        var hasSeconds = false
        for word in words {
            var text = word.text
            if let minutes, word.numbersBefore == 3, !hasSeconds {
                for unit in ["SEC", "S"] where text.uppercased().hasPrefix(unit) {
                    guard text.first?.isLowercase == minutes.text.first?.isLowercase else { return nil }
                    text.removeFirst(unit.count)
                    hasSeconds = true
                    break
                }
            }
            text = text.uppercased()
            for unit in ["DEGREES", "DEG", "MIN", "SEC"] { text = text.replacing(unit, with: "") }
            letters += text.filter { !"DM".contains($0) }
        }
        return letters
    }

    /// 1 or −1; nil if the letters do not belong to the axis, or if a minus sign contradicts them.
    private static func sign(_ letters: String, _ axis: Axis, _ negative: Bool) -> Int64? {
        guard !letters.isEmpty else { return negative ? -1 : 1 }
        guard let isNegative = hemisphere(letters, axis) else { return nil }
        return negative && !isNegative ? nil : isNegative ? -1 : 1
    }

    /// Whether a word names south or west; nil if it names no hemisphere of the axis.
    static func hemisphere(_ word: String, _ axis: Axis) -> Bool? {
        switch (axis, word.uppercased()) {
        case (.latitude, "N"), (.latitude, "NORTH"), (.latitude, "NORD"), (.latitude, "NORTE"), (.latitude, "+"),
            (.latitude, "1"):
            false
        case (.latitude, "S"), (.latitude, "SOUTH"), (.latitude, "SÜD"), (.latitude, "SUD"), (.latitude, "SUR"),
            (.latitude, "-"), (.latitude, "-1"):
            true
        case (.longitude, "E"), (.longitude, "EAST"), (.longitude, "OST"), (.longitude, "EST"), (.longitude, "ESTE"),
            (.longitude, "+"), (.longitude, "1"):
            false
        case (.longitude, "W"), (.longitude, "WEST"), (.longitude, "OUEST"), (.longitude, "OESTE"),
            (.longitude, "OVEST"), (.longitude, "-"), (.longitude, "-1"):
            true
        default: nil
        }
    }

    /// Converts degrees, minutes and seconds to degrees; a single number keeps its decimal places, others get nine.
    private static func sum(_ numbers: [String]) -> FixedDecimal? {
        let parts = numbers.compactMap { FixedDecimal($0) }
        guard parts.count == numbers.count, (1...3).contains(parts.count) else { return nil }
        guard parts.count > 1 else { return parts[0] }
        var total: Int64 = 0
        var divisor: Int64 = 1
        for (index, part) in parts.enumerated() {
            // Only the last number may have decimals; minutes and seconds are below 60.
            guard index == parts.count - 1 || part.places == 0, let scaled = part.rescaled(to: 9),
                index == 0 ? (0...180_000_000_000).contains(scaled) : (0..<60_000_000_000).contains(scaled)
            else { return nil }
            total += FixedDecimal.divided(scaled, by: divisor)
            divisor *= 60
        }
        return FixedDecimal(mantissa: total, places: 9)
    }
}

/// The unit of the numbers in coordinate columns.
public enum CoordinateScale: String, Sendable {
    case degrees
    case e7 = "1e-7 degrees"
    case e6 = "1e-6 degrees"
    case semicircles
    case radians
    /// NMEA's notation: degrees × 100 + minutes.
    case degreesMinutes = "degrees and minutes (ddmm.mm)"
}

extension CoordinateScale {
    /// Converts a number to degrees; nil if it is out of range.
    func degrees(_ number: FixedDecimal) -> FixedDecimal? {
        switch self {
        case .degrees: return number
        case .e7: return number.places <= 11 ? FixedDecimal(mantissa: number.mantissa, places: number.places + 7) : nil
        case .e6: return number.places <= 12 ? FixedDecimal(mantissa: number.mantissa, places: number.places + 6) : nil
        case .radians: return FieldUnit.radian.converted(number)
        case .semicircles:
            guard let whole = number.rescaled(to: 0), whole.magnitude <= 1 << 31 else { return nil }
            return FixedDecimal(mantissa: CoordinateUnit.semicircles.nanodegrees(whole), places: 9)
        case .degreesMinutes:
            guard number.places <= 9, number.mantissa.magnitude < 1_000_000_000_000_000 else { return nil }
            let hundred = 100 * FixedDecimal.integerPower(number.places)
            let (degrees, minutes) = (number.mantissa / hundred, number.mantissa % hundred)
            guard degrees.magnitude <= 180, minutes.magnitude < UInt64(hundred) * 60 / 100,
                let scaled = FixedDecimal(mantissa: minutes, places: number.places).rescaled(to: 9)
            else { return nil }
            return FixedDecimal(mantissa: degrees * 1_000_000_000 + FixedDecimal.divided(scaled, by: 60), places: 9)
        }
    }
}
