import Text
import Tracks

/// The names under which exports give what a format has no place for, so that an import finds it again: elements and
/// attributes of our namespace in XML; with `prefix`, data of a KML placemark and properties in GeoJSON.
public enum PinNames {
    /// Before the names where there are no namespaces.
    public static let prefix = "tileserve:"

    public static let id = "pin"
    public static let source = "source"
    public static let located = "located"
    public static let person = "person"
    public static let category = "category"
    public static let caption = "caption"
    public static let visibility = "visibility"
    public static let expires = "expires"

    /// All names; an attribute of the same name is written with `prefix`.
    public static let all: Set<String> = [id, source, located, person, category, caption, visibility, expires]

    /// What the formats have no place for, by name: all that is not given by the attributes, the place and the time.
    /// `expires` is in milliseconds since 1970.
    public static func values(of pin: Pin) -> [(name: String, value: String)] {
        var values = [(id, pin.id.description), (source, pin.source.rawValue), (located, pin.located.rawValue)]
        if let text = pin.person { values.append((person, text)) }
        if let text = pin.ownCategory { values.append((category, text)) }
        if let text = pin.ownCaption { values.append((caption, text)) }
        if pin.visibility != .open { values.append((visibility, pin.visibility.rawValue)) }
        if let instant = pin.expires { values.append((expires, "\(instant)")) }
        return values
    }
}

extension PinContent {
    /// Takes a value that an export gave under a name of `PinNames`; false if the name is unknown or the value invalid.
    public mutating func takeExported(_ name: String, _ value: String) -> Bool {
        switch name {
        case PinNames.id:
            guard let id = PinID(value) else { return false }
            givenID = id
        case PinNames.source:
            guard let known = PinSource(rawValue: value) else { return false }
            source = known
        case PinNames.located:
            guard let known = PinLocating(rawValue: value) else { return false }
            located = known
        case PinNames.person: person = PinText.category(value) == nil ? nil : value
        case PinNames.category: category = PinText.category(value)
        case PinNames.caption: caption = PinText.caption(value)
        case PinNames.visibility:
            guard let known = PinVisibility(rawValue: value) else { return false }
            visibility = known
        case PinNames.expires:
            guard let instant = Int64(value).flatMap(Instant.init(milliseconds:)) else { return false }
            expires = instant.milliseconds
        default: return false
        }
        return true
    }
}

/// The names of attributes among the data of a KML placemark, where readers take some words for others.
public enum PinAttributeLabel {
    private static let reserved: Set<String> = ["name", "description", "address", "end", "time"]

    /// The name of the data that holds an attribute.
    public static func kml(_ name: String) -> String {
        let isReserved = reserved.contains(name) || name.hasPrefix(PinNames.prefix)
        return isReserved || name.contains("_x") || name != name.filter({ !$0.isNewline })
            ? ElementName.encoded(name, escapesFirst: isReserved) : name
    }

    /// The attribute that data of an exported pin holds.
    public static func attribute(ofKML label: String) -> String { ElementName.decoded(label) }
}
