import Text

extension FieldName {
    /// The fields with measured numbers, in which further digits of a long number mean nothing.
    static let measured: Set<String> = [
        elevation, speed, course, heading, horizontalAccuracy, verticalAccuracy, heartRate, cadence, power, temperature,
        distance, hdop, vdop, pdop, satellites, battery,
    ]
}

extension FieldColumn {
    /// Decimal places that are enough for everything that is measured: a nanometre, for example.
    static let measuredPlaces: UInt8 = 9

    /// The values as numbers, such as for totals. In a column of texts, these are the texts that are a number in any
    /// notation, rounded to nine decimal places; nil if there is none.
    package var numbers: (places: UInt8, numbers: [Int64])? {
        switch values {
        case .numbers(let places, let numbers): return (places, numbers)
        case .texts(let texts):
            let decimals = texts.map { $0.flatMap { FixedDecimal($0) } }
            guard let finest = decimals.lazy.compactMap({ $0?.places }).max() else { return nil }
            let places = min(finest, Self.measuredPlaces)
            return (places, decimals.map { $0?.rescaled(to: places) ?? Self.absent })
        }
    }
}

extension FixedDecimal {
    /// Parses a number that is too long to be stored as written, and rounds it; nil for any other text.
    init?(measured text: String) {
        // A shorter text that is not plain is a number in another notation, which is kept as written.
        guard FixedDecimal(plain: text) == nil, text.utf8.count > 20, let number = FixedDecimal(text) else {
            return nil
        }
        let places = min(number.places, FieldColumn.measuredPlaces)
        guard let rounded = number.rescaled(to: places) else { return nil }
        self.init(mantissa: rounded, places: places)
    }
}
