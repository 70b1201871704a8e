internal import Text
internal import TileMath

/// The properties that several types of IMDF have.
extension RecordedFeature {
    /// LABELS, or a plain text, which the specification does not allow and programs write.
    func labels(_ name: String) -> LocalizedText? {
        guard let value = property(name) else { return nil }
        if let text = value.text { return LocalizedText(text) }
        return LocalizedText(
            value.members.compactMap { member in member.value.text.map { (language: member.name, text: $0) } })
    }

    /// A point, such as `display_point`.
    func point(_ name: String) -> GeoPoint? {
        guard case .points(let points)? = try? GeoJSONShape.shape(property(name)) else { return nil }
        return points.first
    }

    /// A list of texts; a single text is a list of one.
    func texts(_ name: String) -> [String] {
        guard let value = property(name) else { return [] }
        return value.text.map { [$0] } ?? value.elements.compactMap(\.text)
    }

    /// `restriction`: `employeesonly` or `restricted`.
    var restriction: Access {
        text("restriction").map { .restricted($0) } ?? .open
    }

    /// `hours`, `phone` and `website`.
    var contact: Contact {
        var contact = Contact()
        contact.hours = text("hours")
        contact.phone = text("phone")
        contact.website = text("website")
        return contact
    }

    /// The ids of feature references: `{"id":…,"feature_type":…}`, lists of them, or plain ids.
    func references(_ name: String) -> [String] {
        guard let value = property(name) else { return [] }
        let list = value.elements.isEmpty ? [value] : value.elements
        return list.compactMap { $0["id"]?.text ?? $0.text }
    }
}
