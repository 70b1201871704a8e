import Text

/// A point decoded from a protocol, in our field names and units.
struct DecodedPoint {
    enum Value {
        case number(FixedDecimal)
        case text(String)
    }

    var longitude: FixedDecimal?
    var latitude: FixedDecimal?
    var time: Instant?
    /// Whether a time was sent, valid or not.
    var hasTime = false
    var fields: [(name: String, value: Value)] = []
    /// The source it was read from.
    var source = OriginalPoint.none
}
