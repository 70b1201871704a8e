/// How the columns of a table were used.
public struct ColumnUsage: Sendable, Equatable {
    /// Columns of longitude and latitude, and of their hemispheres.
    public internal(set) var places: [String] = []
    /// Columns of the time; empty if there is none.
    public internal(set) var times: [String] = []
    /// Columns whose names suggest times but that are kept as fields.
    public internal(set) var others: [String] = []
    /// Those of `others` that count from an unknown start.
    public internal(set) var relativeTimes: [String] = []
    /// Unit of the coordinates.
    public internal(set) var scale = CoordinateScale.degrees
    /// Order of dates written as three numbers; nil if there are none.
    public internal(set) var dateOrder: DateOrder?
    /// Whether the order is assumed, because no date of the file determines it.
    public internal(set) var isOrderAssumed = false
    /// Whether numbers were read as days since 1899-12-30.
    public internal(set) var usesSerialDays = false
    /// Columns converted from other units, by their names in the header.
    public internal(set) var converted: [String] = []
}
