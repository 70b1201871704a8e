/// Why something that a device sent was not stored; the raw values name the counters of refusals.
package enum RefusalReason: String, Sendable, CaseIterable {
    /// The body cannot be parsed.
    case body = "unreadable-body"
    /// One of several lines cannot be parsed.
    case line = "unreadable-line"
    /// It can be parsed, but is not what the protocol defines.
    case shape = "wrong-shape"
    /// Longitude or latitude is missing.
    case place = "no-place"
    /// The longitude is outside ±180°.
    case longitude
    /// The latitude is outside ±90°.
    case latitude
    /// The time is missing or cannot be parsed.
    case time = "no-time"
    /// The device's name is too long.
    case device = "long-device-name"
    /// The request names too many devices.
    case deviceCount = "too-many-devices"
    /// A change of heading without a point before it, or with invalid values.
    case heading
    /// The message is encrypted.
    case encrypted
    /// A message of another type that has coordinates.
    case message = "not-a-location"
    /// A field's text or name is too long; the point is stored without the field.
    case text = "long-text"
    /// The request has too many different fields; the point is stored without the field.
    case fieldCount = "too-many-fields"
    /// A field's value is outside the field's range; the point is stored without the field.
    case value = "value-out-of-range"
    /// A field of a change of heading; the change is stored without the field.
    case headingField = "heading-field"

    /// What was not stored.
    package enum Subject: Sendable {
        /// A point, or a whole body.
        case point
        /// A field; its point is stored.
        case field
        /// A message that is not a point.
        case message
    }

    /// What was not stored.
    package var subject: Subject {
        switch self {
        case .text, .fieldCount, .value, .headingField: .field
        case .message: .message
        default: .point
        }
    }
}
