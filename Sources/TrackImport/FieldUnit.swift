import Text
import Tracks

/// A unit in a table header, with its conversion to the library's unit.
enum FieldUnit: Hashable, Sendable {
    case metre, kilometre, centimetre, millimetre, foot, yard, mile, nauticalMile
    case metrePerSecond, kilometrePerHour, milePerHour, knot, footPerSecond, footPerMinute
    case celsius, fahrenheit, kelvin
    case degree, radian
    /// Beats, turns, steps, watts, per cent: counted as in the library.
    case plain

    enum Quantity {
        case length, speed, temperature, angle, other
    }

    var quantity: Quantity {
        switch self {
        case .metre, .kilometre, .centimetre, .millimetre, .foot, .yard, .mile, .nauticalMile: .length
        case .metrePerSecond, .kilometrePerHour, .milePerHour, .knot, .footPerSecond, .footPerMinute: .speed
        case .celsius, .fahrenheit, .kelvin: .temperature
        case .degree, .radian: .angle
        case .plain: .other
        }
    }

    /// Whether it is the library's unit for its quantity.
    var isLibraryUnit: Bool {
        switch self {
        case .metre, .metrePerSecond, .celsius, .degree, .plain: true
        default: false
        }
    }

    /// The quantity that a field measures.
    static func quantity(of field: String) -> Quantity {
        switch field {
        case FieldName.elevation, FieldName.horizontalAccuracy, FieldName.verticalAccuracy, FieldName.distance: .length
        case FieldName.speed: .speed
        case FieldName.temperature: .temperature
        case FieldName.course, FieldName.heading: .angle
        default: .other
        }
    }

    /// Parses a unit (`ft`, `km/h`, `°C`, `ft msl`); nil if it is unknown.
    init?(_ spelling: String) {
        let letters = spelling.lowercased().filter { !$0.isWhitespace && $0 != "." && $0 != "_" }
        if let unit = Self.spellings[letters] {
            self = unit
            return
        }
        // The second word names the vertical datum: `ft wgs`, `m AMSL`.
        guard let first = spelling.split(separator: " ").first, first.count < spelling.count,
            let unit = Self.spellings[first.lowercased()], unit.quantity == .length
        else { return nil }
        self = unit
    }

    private static let spellings: [String: FieldUnit] = {
        let table: [(FieldUnit, String)] = [
            (.metre, "m meter meters metre metres mtr mtrs mamsl mmsl"),
            (.kilometre, "km kms kilometer kilometers kilometre kilometres"),
            (.centimetre, "cm"), (.millimetre, "mm"), (.foot, "ft feet foot fuß ftmsl ftamsl ftagl"),
            (.yard, "yd yds yard yards"),
            (.mile, "mi mile miles"), (.nauticalMile, "nm nmi nauticalmiles nauticalmile"),
            (.metrePerSecond, "m/s mps ms-1 ms⁻¹ m*s^-1 meters/second metres/second meterspersecond m/sec metersecond"),
            (.kilometrePerHour, "km/h kmh kph kmph km/hr kmh-1 kilometersperhour kilometers/hour"),
            (.milePerHour, "mph mi/h miles/hour milesperhour"), (.knot, "kn kt kts knot knots"),
            (.footPerSecond, "ft/s fps ft/sec"), (.footPerMinute, "ft/min fpm"),
            (.celsius, "c °c degc celsius ℃"), (.fahrenheit, "f °f degf fahrenheit ℉"), (.kelvin, "k kelvin"),
            (.degree, "° deg degs degree degrees ddeg decimaldegrees decimaldegree dd wgs84 °true degtrue degmag gps"),
            (.radian, "rad rads radian radians"), (.plain, "bpm rpm spm w watt watts % percent 1/min count beats/min"),
        ]
        var spellings: [String: FieldUnit] = [:]
        for (unit, words) in table { for word in words.split(separator: " ") { spellings[String(word)] = unit } }
        return spellings
    }()

    /// Unit endings of names (`altitudeFeet`, `speed_kmh`); one counts only if the rest of the name is a known field.
    static let endings: [(word: String, unit: FieldUnit)] = [
        ("meters", .metre), ("metres", .metre), ("feet", .foot), ("ft", .foot), ("miles", .mile), ("km", .kilometre),
        ("mph", .milePerHour), ("kmh", .kilometrePerHour), ("kph", .kilometrePerHour), ("kmph", .kilometrePerHour),
        ("knots", .knot), ("kts", .knot), ("kt", .knot), ("kn", .knot), ("fps", .footPerSecond),
        ("mps", .metrePerSecond),
        ("fahrenheit", .fahrenheit), ("celsius", .celsius), ("degc", .celsius), ("degf", .fahrenheit),
        ("degrees", .degree), ("deg", .degree), ("bpm", .plain), ("rpm", .plain), ("watts", .plain),
        ("percent", .plain),
        ("mi", .mile), ("f", .fahrenheit), ("c", .celsius), ("m", .metre), ("ms", .metrePerSecond),
    ]

    /// A number with its unit (`98.470 m`, `0.865 km/h`), converted to the library's unit; nil if the text is something
    /// else, or has a unit of another quantity.
    static func measured(_ text: String, _ quantity: Quantity, comma: Bool) -> FixedDecimal? {
        guard quantity != .other else { return nil }
        let digits = text.prefix { $0.isNumber || "+-.,".contains($0) }
        let rest = text[digits.endIndex...].drop { $0.isWhitespace }
        guard !digits.isEmpty, !rest.isEmpty, let unit = FieldUnit(String(rest)), unit.quantity == quantity else {
            return nil
        }
        let bytes = Array(digits.utf8)
        return FixedDecimal(bytes.span, bytes.indices, comma: comma).flatMap { unit.converted($0) }
    }

    /// Converts a number to the library's unit; nil if it is too large.
    func converted(_ number: FixedDecimal) -> FixedDecimal? {
        switch self {
        case .metre, .metrePerSecond, .celsius, .degree, .plain: number
        case .kilometre: Self.times(number, 1000, places: 0)
        case .centimetre: Self.times(number, 1, places: 2)
        case .millimetre: Self.times(number, 1, places: 3)
        // Exact: the foot is defined as 0.3048 m, the yard as 0.9144 m, the mile as 1,609.344 m, the nautical mile as
        // 1,852 m.
        case .foot, .footPerSecond: Self.times(number, 3048, places: 4)
        case .yard: Self.times(number, 9144, places: 4)
        case .mile: Self.times(number, 1_609_344, places: 3)
        case .nauticalMile: Self.times(number, 1852, places: 0)
        case .milePerHour: Self.times(number, 44_704, places: 5)
        case .footPerMinute: Self.times(number, 508, places: 5)
        case .kilometrePerHour: SpeedUnit.kilometrePerHour.metresPerSecond(number)
        case .knot: SpeedUnit.knot.metresPerSecond(number)
        case .kelvin: Self.minus(number, FixedDecimal(mantissa: 27_315, places: 2))
        case .fahrenheit:
            Self.minus(number, FixedDecimal(mantissa: 32, places: 0)).flatMap {
                Self.times($0, 5000, places: 3, dividedBy: 9)
            }
        case .radian: Self.degrees(radians: number)
        }
    }

    private static func times(
        _ number: FixedDecimal, _ factor: Int64, places: UInt8, dividedBy divisor: Int64 = 1
    ) -> FixedDecimal? {
        let (product, overflow) = number.mantissa.multipliedReportingOverflow(by: factor)
        guard !overflow, number.places + places <= 18 else { return nil }
        return FixedDecimal(mantissa: FixedDecimal.divided(product, by: divisor), places: number.places + places)
    }

    private static func minus(_ number: FixedDecimal, _ other: FixedDecimal) -> FixedDecimal? {
        let places = max(number.places, other.places)
        guard let one = number.rescaled(to: places), let two = other.rescaled(to: places) else { return nil }
        let (difference, overflow) = one.subtractingReportingOverflow(two)
        return overflow ? nil : FixedDecimal(mantissa: difference, places: places)
    }

    private static func degrees(radians: FixedDecimal) -> FixedDecimal? {
        let degrees = radians.double * 180 / Double.pi
        guard degrees.magnitude < 1e6 else { return nil }
        return FixedDecimal(mantissa: Int64((degrees * 1e9).rounded()), places: 9)
    }
}
