/// Members of objects: a name and its value.
extension JSONWriter {
    /// Adds a member that is an integer.
    public mutating func add(_ name: String, _ number: some FixedWidthInteger) {
        key(name)
        add(number)
    }

    /// Adds a member that is `mantissa` × 10^−`places`.
    public mutating func add(_ name: String, _ mantissa: Int64, places: UInt8) {
        key(name)
        add(mantissa, places: places)
    }

    /// Adds a member that is a number with as many decimals as it has.
    public mutating func add(_ name: String, _ number: FixedDecimal) {
        key(name)
        add(number)
    }

    /// Adds a member that is a number; `null` if it is nil or not finite.
    public mutating func add(_ name: String, _ number: Double?) {
        key(name)
        add(number)
    }

    /// Adds a member that is `true` or `false`.
    public mutating func add(_ name: String, _ isTrue: Bool) {
        key(name)
        add(isTrue)
    }

    /// Adds a member that is a string or `null`.
    public mutating func add(_ name: String, _ text: String?) {
        key(name)
        add(text)
    }

    /// Adds a member that is an array.
    public mutating func array<Elements: Sequence>(
        _ name: String, _ elements: Elements, _ add: (inout JSONWriter, Elements.Element) -> Void
    ) {
        key(name)
        array(elements, add)
    }

    /// Adds a member that is an object.
    public mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }
}
