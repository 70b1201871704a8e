/// Why something that a device sent was not stored: the names under which refusals are counted.
package enum RefusalReason: String, Sendable, CaseIterable {
    /// The body cannot be read at all.
    case body = "unreadable-body"
    /// A line of several cannot be read.
    case line = "unreadable-line"
    /// It can be read, and is not what the protocol has here.
    case shape = "wrong-shape"
    /// There are no coordinates.
    case place = "no-place"
    /// The longitude is outside ±180°.
    case longitude
    /// The latitude is outside ±90°.
    case latitude
    /// There is no time, or none that can be read.
    case time = "no-time"
    /// The device's name is too long.
    case device = "long-device-name"
    /// The request names too many devices.
    case deviceCount = "too-many-devices"
    /// A change of heading without a point before it, or one that is no heading.
    case heading
    /// The message is encrypted.
    case encrypted
    /// A message of another kind that has coordinates.
    case message = "not-a-location"
    /// A field's text or name is too long; the point is stored without the field.
    case text = "long-text"
    /// The request has too many different fields; the point is stored without the field.
    case fieldCount = "too-many-fields"
    /// A field's value is outside the field's range; the point is stored without the field.
    case value = "value-out-of-range"
    /// A field of a change of heading; the change is stored without the field.
    case headingField = "heading-field"

    /// What it is that is not stored.
    package enum Subject: Sendable {
        /// A point, or a whole body.
        case point
        /// A field; the point that it belongs to is stored.
        case field
        /// A message that is not about a point.
        case message
    }

    /// What it is that is not stored.
    package var subject: Subject {
        switch self {
        case .text, .fieldCount, .value, .headingField: .field
        case .message: .message
        default: .point
        }
    }
}
