import Pins
import Text
import Tracks

/// How pins are written in each format.
extension ExportText {
    // MARK: GPX

    /// The standard elements of a waypoint, in the order that the schema requires; `link` has an attribute.
    private static let gpxTexts = [
        PinAttribute.name, PinAttribute.comment, PinAttribute.description, "src", "link", PinAttribute.symbol,
        PinAttribute.type,
    ]

    /// Adds a `wpt`.
    mutating func putWaypoint(_ pin: Pin) {
        put(" <wpt lat=\"")
        putE7(pin.place.latitude)
        put("\" lon=\"")
        putE7(pin.place.longitude)
        put("\">")
        var left = pin.attributes
        if let text = left[PinAttribute.elevation], Self.isDecimal(text) {
            put(element: "ele", .text(text))
            left[PinAttribute.elevation] = nil
        }
        if let time = pin.time {
            put("<time>")
            put(time: time)
            put("</time>")
        }
        for name in Self.gpxTexts {
            guard let text = left.removeValue(forKey: name) else { continue }
            if name == "link" {
                put("<link href=\"")
                put(xml: text)
                put("\"/>")
            } else {
                put(element: name, .text(text))
            }
        }
        put("<extensions>")
        for (name, text) in PinNames.values(of: pin) { put(element: FieldNameEncoding.prefix + name, .text(text)) }
        for (name, text) in left.sorted(by: { $0.key < $1.key }) {
            let isKnown = PinNames.all.contains(name) || Self.gpxTexts.contains(name)
            put(element: FieldNameEncoding.prefix + ElementName.encoded(name, escapesFirst: isKnown), .text(text))
        }
        put("</extensions></wpt>\n")
    }

    /// Whether a text is a decimal number as XML Schema writes it.
    private static func isDecimal(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        return !digits.isEmpty && text.utf8.count - digits.count <= 1
            && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
            && digits.count { $0 == UInt8(ascii: ".") } <= 1 && digits.first != UInt8(ascii: ".")
            && digits.last != UInt8(ascii: ".")
    }

    private mutating func putE7(_ coordinate: Int32) {
        put(FixedDecimal(mantissa: Int64(coordinate), places: 7))
    }

    // MARK: KML

    /// Adds a `Placemark` with a point.
    mutating func putPlacemark(_ pin: Pin) {
        var left = pin.attributes
        put(" <Placemark>\n")
        putLine(element: "name", left.removeValue(forKey: PinAttribute.name), indent: "  ")
        putLine(element: "description", left.removeValue(forKey: PinAttribute.description), indent: "  ")
        if let time = pin.time {
            put("  <TimeStamp><when>")
            put(time: time)
            put("</when></TimeStamp>\n")
        }
        let elevation = left[PinAttribute.elevation].flatMap { Self.isDecimal($0) ? $0 : nil }
        if elevation != nil { left[PinAttribute.elevation] = nil }
        put("  <ExtendedData>\n")
        for (name, text) in PinNames.values(of: pin) { putData(PinNames.prefix + name, text) }
        for (name, text) in left.sorted(by: { $0.key < $1.key }) { putData(PinAttributeLabel.kml(name), text) }
        put("  </ExtendedData>\n  <Point><coordinates>")
        putE7(pin.place.longitude)
        put("," as Unicode.Scalar)
        putE7(pin.place.latitude)
        if let elevation {
            put("," as Unicode.Scalar)
            put(elevation)
        }
        put("</coordinates></Point>\n </Placemark>\n")
    }

    private mutating func putData(_ name: String, _ text: String) {
        put("   <Data name=\"")
        put(xml: name)
        put("\"><value>")
        put(xml: text)
        put("</value></Data>\n")
    }

    // MARK: GeoJSON

    /// Adds a feature with a point. `name` and `description` are for other programs; an import reads the attributes.
    mutating func putPointFeature(_ pin: Pin) {
        put("{\"type\":\"Feature\",\"id\":")
        put(json: pin.id.description)
        put(",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
        putE7(pin.place.longitude)
        put("," as Unicode.Scalar)
        putE7(pin.place.latitude)
        put("]},\"properties\":{")
        if let time = pin.time {
            put("\"time\":")
            putTime(json: time)
            put("," as Unicode.Scalar)
        }
        for (name, text) in [("name", pin.caption), ("category", pin.category)] {
            guard let text else { continue }
            put("\"\(name)\":")
            put(json: text)
            put("," as Unicode.Scalar)
        }
        for (index, value) in PinNames.values(of: pin).enumerated() {
            if index > 0 { put("," as Unicode.Scalar) }
            put(json: PinNames.prefix + value.name)
            put(":" as Unicode.Scalar)
            put(json: value.value)
        }
        if !pin.attributes.isEmpty {
            put(",\"\(PinNames.prefix)notes\":{")
            for (index, attribute) in pin.attributes.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { put("," as Unicode.Scalar) }
                put(json: attribute.key)
                put(":" as Unicode.Scalar)
                put(json: attribute.value)
            }
            put("}")
        }
        put("}}")
    }
}
