/// Vector tiles as the specification of Mapbox, version 2.1, defines them: messages of Protocol Buffers.
public enum VectorTile {
    /// Units along a side of a tile: 16 for each pixel of 256.
    public static let extent = 4096
    /// Units around a tile in which geometries go on, so that clients draw wide lines and symbols across its edge: 4 pixels.
    public static let buffer = 64
    /// The limit of a tile in bytes, before compression. Clients get slow with more; tippecanoe has the same.
    public static let byteLimit = 500_000
    public static let mediaType = "application/vnd.mapbox-vector-tile"

    /// The tile with these layers, without those that have no features; empty if none has.
    public static func bytes(of layers: [VectorLayer]) -> [UInt8] {
        var tile = ProtobufMessage()
        for layer in layers where !layer.isEmpty { tile.add(layersField, bytes: layer.bytes) }
        return tile.bytes
    }

    /// The size of a tile with this layer and no other.
    static func byteCount(ofLayer count: Int) -> Int { ProtobufMessage.byteCount(ofDelimited: count) }

    private static let layersField: UInt64 = 3
}

/// The value of an attribute.
public enum VectorValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case truth(Bool)

    /// The fields of a message `Value`.
    var bytes: [UInt8] {
        var message = ProtobufMessage()
        switch self {
        case .text(let text): message.add(1, text: text)
        case .number(let number): message.add(3, double: number)
        case .integer(let number): message.add(4, varint: UInt64(bitPattern: number))
        case .truth(let isTrue): message.add(7, varint: isTrue ? 1 : 0)
        }
        return message.bytes
    }
}

/// A layer under construction: features with attributes, whose keys and values are stored once.
public struct VectorLayer: Sendable {
    public let name: String
    private var features: [UInt8] = []
    private var ranges: [Range<Int>] = []
    private var keys = ProtobufMessage()
    private var values = ProtobufMessage()
    private var keyNumbers: [String: UInt32] = [:]
    private var valueNumbers: [VectorValue: UInt32] = [:]
    private let head: [UInt8]
    private let end: [UInt8]
    /// Whether the features are in the reverse of the order in which they were added.
    private let isReversed: Bool

    private enum Field {
        static let name: UInt64 = 1
        static let features: UInt64 = 2
        static let keys: UInt64 = 3
        static let values: UInt64 = 4
        static let extent: UInt64 = 5
        static let version: UInt64 = 15
    }

    private enum FeatureField {
        static let id: UInt64 = 1
        static let tags: UInt64 = 2
        static let type: UInt64 = 3
        static let geometry: UInt64 = 4
    }

    /// Ids of features in JavaScript are exact up to 53 bits.
    public static let idBits: UInt64 = 1 << 53 - 1

    /// A layer without features. Clients draw features in their order; with `isReversed` the first one added is drawn
    /// last, above the others.
    public init(_ name: String, isReversed: Bool = false) {
        self.name = name
        self.isReversed = isReversed
        var head = ProtobufMessage()
        // Decoders of other versions stop here, so it is the first field.
        head.add(Field.version, varint: 2)
        head.add(Field.name, text: name)
        self.head = head.bytes
        var end = ProtobufMessage()
        end.add(Field.extent, varint: UInt64(VectorTile.extent))
        self.end = end.bytes
    }

    public var isEmpty: Bool { ranges.isEmpty }

    /// The number of features.
    public var count: Int { ranges.count }

    /// The size of the layer in bytes.
    public var byteCount: Int {
        head.count + features.count + keys.bytes.count + values.bytes.count + end.count
    }

    /// Adds a feature; false, without a change, if it has no geometry or the tile with this layer only would be larger than
    /// `limit` bytes.
    @discardableResult
    public mutating func add(
        id: UInt64?, _ geometry: VectorGeometry, _ attributes: [(key: String, value: VectorValue)],
        limit: Int = .max
    ) -> Bool {
        guard !geometry.isEmpty else { return false }
        var tags: [UInt32] = []
        var (newKeys, newValues): ([String], [VectorValue]) = ([], [])
        for (key, value) in attributes {
            tags.append(number(of: key, in: keyNumbers, &newKeys))
            tags.append(number(of: value, in: valueNumbers, &newValues))
        }
        var feature = ProtobufMessage()
        if let id { feature.add(FeatureField.id, varint: id & Self.idBits) }
        if !tags.isEmpty { feature.add(FeatureField.tags, packed: tags) }
        feature.add(FeatureField.type, varint: geometry.kind.rawValue)
        feature.add(FeatureField.geometry, bytes: geometry.bytes)
        let encodedValues = newValues.map(\.bytes)
        if limit < .max {
            let added = ProtobufMessage.byteCount(ofDelimited: feature.bytes.count)
            let ofKeys = newKeys.reduce(0) { $0 + ProtobufMessage.byteCount(ofDelimited: $1.utf8.count) }
            let ofValues = encodedValues.reduce(0) { $0 + ProtobufMessage.byteCount(ofDelimited: $1.count) }
            guard VectorTile.byteCount(ofLayer: byteCount + added + ofKeys + ofValues) <= limit else { return false }
        }
        for key in newKeys {
            keyNumbers[key] = UInt32(keyNumbers.count)
            keys.add(Field.keys, text: key)
        }
        for (value, bytes) in zip(newValues, encodedValues) {
            valueNumbers[value] = UInt32(valueNumbers.count)
            values.add(Field.values, bytes: bytes)
        }
        var field = ProtobufMessage()
        field.add(Field.features, bytes: feature.bytes)
        ranges.append(features.count..<features.count + field.bytes.count)
        features += field.bytes
        return true
    }

    /// The number of a known or a new key or value.
    private func number<Element: Hashable>(
        of element: Element, in known: [Element: UInt32], _ new: inout [Element]
    ) -> UInt32 {
        if let number = known[element] { return number }
        let position = new.firstIndex(of: element) ?? new.count
        if position == new.count { new.append(element) }
        return UInt32(known.count + position)
    }

    /// The message `Layer`.
    var bytes: [UInt8] {
        var layer = ProtobufMessage()
        layer.append(head[...])
        if isReversed {
            for range in ranges.reversed() { layer.append(features[range]) }
        } else {
            layer.append(features[...])
        }
        layer.append(keys.bytes[...])
        layer.append(values.bytes[...])
        layer.append(end[...])
        return layer.bytes
    }
}
