public import Text

/// The value of a field at a point.
public enum FieldValue: Sendable {
    case number(FixedDecimal)
    case text(String)
}

extension FieldValue: CustomStringConvertible {
    /// A number as a decimal with all of its places, or the text.
    public var description: String {
        switch self {
        case .number(let number): number.description
        case .text(let text): text
        }
    }
}

extension FieldColumn {
    /// The value at a point; nil if there is none.
    @inlinable
    public func value(at index: Int) -> FieldValue? {
        switch values {
        case .numbers(let places, let numbers):
            numbers[index] == Self.absent ? nil : .number(FixedDecimal(mantissa: numbers[index], places: places))
        case .texts(let texts): texts[index].map { .text($0) }
        }
    }
}

extension FieldColumn.Values {
    /// All values as texts.
    package var texts: [String?] {
        switch self {
        case .texts(let texts): texts
        case .numbers(let places, let numbers):
            numbers.map {
                $0 == FieldColumn.absent ? nil : FixedDecimal(mantissa: $0, places: places).description
            }
        }
    }
}

extension PointColumns {
    /// The column of a field; nil if no point has the field.
    @inlinable
    public func column(_ name: String) -> FieldColumn? {
        fields.first { $0.name == name }
    }
}
