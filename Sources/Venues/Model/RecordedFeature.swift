public import Text

/// A GeoJSON feature as it was recorded.
public struct RecordedFeature: Sendable {
    /// IMDF's type; nil for others.
    public let kind: FeatureKind?
    /// The id in the source; empty if it has none.
    public let sourceID: String
    public let shape: GeoShape
    /// Its properties, or the tags of an OpenStreetMap object.
    public let properties: [(name: String, value: JSONValue)]
    /// The whole feature as JSON without blanks, members in the order of the source.
    public let json: [UInt8]

    init(
        kind: FeatureKind?, sourceID: String, shape: GeoShape, properties: [(name: String, value: JSONValue)],
        json: [UInt8]
    ) {
        self.kind = kind
        self.sourceID = sourceID
        self.shape = shape
        self.properties = properties
        self.json = json
    }

    /// A property; nil if it is missing or null.
    func property(_ name: String) -> JSONValue? {
        guard let value = properties.first(where: { $0.name == name })?.value, !value.isNull else { return nil }
        return value
    }

    /// A property as text; nil if it is missing, null, empty or no plain value.
    func text(_ name: String) -> String? {
        guard let text = property(name)?.text, !text.isEmpty else { return nil }
        return text
    }
}

extension RecordedFeature {
    /// The order of features that does not depend on that of the source: by type, id and content.
    static func sorted(_ features: [RecordedFeature]) -> [RecordedFeature] {
        let keyed = features.map { (kind: $0.kind?.rawValue ?? "", feature: $0) }
        return keyed.sorted { one, other in
            if one.kind != other.kind { return one.kind < other.kind }
            if one.feature.sourceID != other.feature.sourceID { return one.feature.sourceID < other.feature.sourceID }
            return one.feature.json.lexicographicallyPrecedes(other.feature.json)
        }.map(\.feature)
    }
}
