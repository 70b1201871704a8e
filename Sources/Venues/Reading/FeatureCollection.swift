internal import Text

/// The features of a GeoJSON text as they were recorded.
public struct FeatureCollection: Sendable {
    /// The name of the collection, if it has one.
    public var name: String?
    public var features: [RecordedFeature] = []
    /// Features without a type, members that are no features.
    public var skipped = 0

    public init() {}

    /// Reads a FeatureCollection, a single Feature or a list of features. Cost: 10 to 20 ms a megabyte.
    ///
    /// Throws `malformed` with the line if the text is not JSON, and `tooLarge` above `VenueLimits`.
    public init(_ bytes: [UInt8]) throws(VenueError) {
        guard bytes.count <= VenueLimits.bytes else { throw .tooLarge("\(VenueLimits.bytes >> 20) MiB") }
        var reader = JSONReader(bytes)
        do {
            _ = try reader.peekText()
            if try reader.isAtArray() {
                try readFeatures(&reader)
            } else {
                try readObject(&reader)
            }
            guard try reader.peek() == nil else { throw reader.failure("there is text after the value") }
        } catch let error as VenueError {
            throw error
        } catch let error as JSONError {
            throw .malformed(Self.reason(error))
        } catch {
            throw .malformed("the text cannot be read")
        }
    }

    private static func reason(_ error: JSONError) -> String {
        switch error {
        case .syntax(let reason, let line): "line \(line): \(reason)"
        case .tooDeep(let limit, let line): "line \(line): nested deeper than \(limit)"
        case .longText(let limit, let line): "line \(line): a text of more than \(limit) bytes"
        case .longValue(let limit, let line): "line \(line): a value that takes more than \(limit) bytes"
        }
    }

    private mutating func readObject(_ reader: inout JSONReader) throws {
        // A single feature has its members here, in any order.
        var members: [(name: String, value: JSONValue)] = []
        var hasFeatures = false
        try reader.eachMember { reader, name in
            if name == "features", try reader.isAtArray() {
                hasFeatures = true
                try readFeatures(&reader)
            } else {
                members.append((name, try reader.value()))
            }
        }
        let object = JSONValue.object(members)
        if hasFeatures {
            name = object["name"]?.text
        } else {
            try add(object)
        }
    }

    private mutating func readFeatures(_ reader: inout JSONReader) throws {
        try reader.eachElement { reader in
            reader.releaseValues()
            try add(try reader.value())
        }
    }

    private mutating func add(_ value: JSONValue) throws(VenueError) {
        guard value["type"]?.text == "Feature" else {
            skipped += 1
            return
        }
        guard features.count < VenueLimits.features else { throw .tooLarge("\(VenueLimits.features) features") }
        features.append(try RecordedFeature(value))
    }
}

extension RecordedFeature {
    /// A GeoJSON feature.
    init(_ value: JSONValue) throws(VenueError) {
        let clean = Self.withoutForeignWords(value)
        let properties = clean["properties"]?.members ?? []
        func property(_ name: String) -> String? { properties.first { $0.name == name }?.value.text }
        let type = clean["feature_type"]?.text ?? property("feature_type")
        // overpass turbo writes the id of the object as `@id`; the feature's own may be a number of the converter.
        let id = property("@id") ?? clean["id"]?.text ?? property("id") ?? ""
        var json = JSONWriter()
        json.add(clean)
        self.init(
            kind: type.flatMap { FeatureKind(rawValue: $0.lowercased()) }, sourceID: id,
            shape: try GeoJSONShape.shape(clean["geometry"]), properties: properties, json: json.bytes)
    }

    /// The value without `NaN` and `Infinity`, which are no JSON.
    private static func withoutForeignWords(_ value: JSONValue) -> JSONValue {
        switch value {
        case .none where value.decimal == nil: .none("null")
        case .list(let elements): .list(elements.map(withoutForeignWords))
        case .object(let members): .object(members.map { ($0.name, withoutForeignWords($0.value)) })
        default: value
        }
    }
}
