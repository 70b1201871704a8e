import Text

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

    /// Appends the fields of a message `Value`.
    func append(to message: inout ProtobufMessage) {
        switch self {
        case .text(let text): message.add(1, text: text)
        case .number(let number): message.add(3, double: number)
        case .integer(let number): message.add(4, varint: UInt64(bitPattern: number))
        case .truth(let isTrue): message.add(7, varint: isTrue ? 1 : 0)
        }
    }
}

/// A layer under construction: features with attributes, whose keys and values are stored once.
public struct VectorLayer: Sendable {
    public let name: String
    private var features: [UInt8] = []
    private var ranges: [Range<Int>] = []
    private var keys = ProtobufMessage()
    /// Few, so that a search is faster than a table.
    private var keyNames: [String] = []
    private var values = ProtobufMessage()
    /// The numbers of values. Texts and integers have tables of their own, because most values are such.
    private var textNumbers: [String: UInt32] = [:]
    private var integerNumbers: [Int64: UInt32] = [:]
    private var otherNumbers: [VectorValue: UInt32] = [:]
    private var valueCount: UInt32 = 0
    /// Memory that is used again for each feature.
    private var tags: [UInt32] = []
    private var scratch = ProtobufMessage()
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
    /// `limit` bytes. Each key may be there once.
    @discardableResult
    public mutating func add(
        id: UInt64?, _ geometry: VectorGeometry, _ attributes: [(key: String, value: VectorValue)],
        limit: Int = .max
    ) -> Bool {
        guard !geometry.isEmpty else { return false }
        let before = (
            keys: keyNames.count, keyBytes: keys.bytes.count, values: valueCount,
            valueBytes: values.bytes.count
        )
        tags.removeAll(keepingCapacity: true)
        for (key, value) in attributes {
            tags.append(number(of: key))
            tags.append(number(of: value))
        }
        let id = id.map { $0 & Self.idBits }
        let tagBytes = tags.reduce(0) { $0 + ProtobufMessage.byteCount(of: UInt64($1)) }
        let count =
            (id.map { ProtobufMessage.byteCount(ofField: $0) } ?? 0)
            + (tags.isEmpty ? 0 : ProtobufMessage.byteCount(ofDelimited: tagBytes))
            + ProtobufMessage.byteCount(ofField: geometry.kind.rawValue)
            + ProtobufMessage.byteCount(ofDelimited: geometry.bytes.count)
        let layerCount = byteCount + ProtobufMessage.byteCount(ofDelimited: count)
        guard limit == .max || VectorTile.byteCount(ofLayer: layerCount) <= limit else {
            keyNames.removeSubrange(before.keys...)
            keys.truncate(to: before.keyBytes)
            textNumbers = textNumbers.filter { $0.value < before.values }
            integerNumbers = integerNumbers.filter { $0.value < before.values }
            otherNumbers = otherNumbers.filter { $0.value < before.values }
            valueCount = before.values
            values.truncate(to: before.valueBytes)
            return false
        }
        let start = features.count
        features.append(
            contentsOf: repeatElement(0, count: ProtobufMessage.byteCount(ofDelimited: count)))
        write(id, geometry, count: count, tagBytes: tagBytes, at: start)
        ranges.append(start..<features.count)
        return true
    }

    /// Writes the feature field, whose size is known, over zeros: a check for each byte would take most of the time.
    private mutating func write(
        _ id: UInt64?, _ geometry: VectorGeometry, count: Int, tagBytes: Int, at start: Int
    ) {
        let (ownTags, content) = (tags, geometry.bytes.span)
        let tags = ownTags.span
        var bytes = features.mutableSpan
        var position = start
        Varint.put(Field.features << 3 | 2, into: &bytes, at: &position)
        Varint.put(UInt64(count), into: &bytes, at: &position)
        if let id {
            Varint.put(FeatureField.id << 3, into: &bytes, at: &position)
            Varint.put(id, into: &bytes, at: &position)
        }
        if !tags.isEmpty {
            Varint.put(FeatureField.tags << 3 | 2, into: &bytes, at: &position)
            Varint.put(UInt64(tagBytes), into: &bytes, at: &position)
            for index in tags.indices { Varint.put(UInt64(tags[index]), into: &bytes, at: &position) }
        }
        Varint.put(FeatureField.type << 3, into: &bytes, at: &position)
        Varint.put(geometry.kind.rawValue, into: &bytes, at: &position)
        Varint.put(FeatureField.geometry << 3 | 2, into: &bytes, at: &position)
        Varint.put(UInt64(content.count), into: &bytes, at: &position)
        for index in content.indices { bytes[position + index] = content[index] }
        precondition(position + content.count == bytes.count, "a feature has the size that was computed")
    }

    private mutating func number(of key: String) -> UInt32 {
        if let known = keyNames.firstIndex(of: key) { return UInt32(known) }
        keyNames.append(key)
        keys.add(Field.keys, text: key)
        return UInt32(keyNames.count - 1)
    }

    private mutating func number(of value: VectorValue) -> UInt32 {
        let next = valueCount
        let number =
            switch value {
            case .text(let text): Self.number(of: text, in: &textNumbers, next)
            case .integer(let number): Self.number(of: number, in: &integerNumbers, next)
            case .number, .truth: Self.number(of: value, in: &otherNumbers, next)
            }
        guard number == next else { return number }
        valueCount += 1
        scratch.removeAll()
        value.append(to: &scratch)
        values.add(Field.values, bytes: scratch.bytes)
        return next
    }

    /// The number of a known element, or `next`, which becomes its number.
    private static func number<Element: Hashable>(
        of element: Element, in numbers: inout [Element: UInt32], _ next: UInt32
    ) -> UInt32 {
        func use(_ number: inout UInt32) -> UInt32 { number }
        return use(&numbers[element, default: next])
    }

    /// The message `Layer`.
    var bytes: [UInt8] {
        var layer = ProtobufMessage()
        layer.append(head)
        if isReversed {
            for range in ranges.reversed() { layer.append(features[range]) }
        } else {
            layer.append(features)
        }
        layer.append(keys.bytes)
        layer.append(values.bytes)
        layer.append(end)
        return layer.bytes
    }
}
