import Text

/// Why bytes are no vector tile.
public struct VectorTileError: Error, CustomStringConvertible, Sendable {
    public let description: String
}

/// Reads vector tiles of other programs, as the specification of Mapbox, version 2.1, defines them.
///
/// A layer is decoded when it is asked for: a map needs few of those that tiles have. Unknown fields are skipped, as
/// Protocol Buffers demand. Damaged geometries end where they are damaged; damaged messages throw.
public struct VectorTileReader: Sendable {
    private let bytes: [UInt8]
    private let layers: [(name: String, range: Range<Int>)]

    /// Reads the names of the layers.
    public init(_ bytes: [UInt8]) throws(VectorTileError) {
        self.bytes = bytes
        var layers: [(name: String, range: Range<Int>)] = []
        try ProtobufFields.forEach(in: bytes, 0..<bytes.count) { (field, value) throws(VectorTileError) in
            guard field == 3, case .delimited(let range) = value else { return }
            var name: Range<Int>?
            try ProtobufFields.forEach(in: bytes, range) { field, value in
                if field == 1, case .delimited(let text) = value { name = text }
            }
            guard let name else { throw VectorTileError(description: "a layer of the vector tile has no name") }
            layers.append((String(decoding: bytes[name], as: UTF8.self), range))
        }
        self.layers = layers
    }

    public var layerNames: [String] { layers.map(\.name) }

    /// A layer; nil if the tile has none of the name.
    public func layer(_ name: String) throws(VectorTileError) -> VectorTileLayer? {
        guard let found = layers.first(where: { $0.name == name }) else { return nil }
        return try VectorTileLayer(name, bytes, found.range)
    }
}

/// A layer of a vector tile.
public struct VectorTileLayer: Sendable {
    public struct Feature: Sendable {
        /// nil if the tile does not know what it is.
        public let kind: VectorGeometry.Kind?
        fileprivate let tags: Range<Int>
        fileprivate let geometry: Range<Int>
    }

    public let name: String
    /// The units along a side of the tile.
    public let extent: Int
    public private(set) var keys: [String] = []
    public private(set) var values: [VectorValue] = []
    public private(set) var features: [Feature] = []
    private let bytes: [UInt8]

    fileprivate init(_ name: String, _ bytes: [UInt8], _ range: Range<Int>) throws(VectorTileError) {
        self.name = name
        self.bytes = bytes
        var extent = VectorTile.extent
        var (keys, values, features): ([String], [VectorValue], [Feature]) = ([], [], [])
        try ProtobufFields.forEach(in: bytes, range) { (field, value) throws(VectorTileError) in
            switch (field, value) {
            case (2, .delimited(let range)): features.append(try Self.feature(bytes, range))
            case (3, .delimited(let range)): keys.append(String(decoding: bytes[range], as: UTF8.self))
            case (4, .delimited(let range)): values.append(try Self.value(bytes, range))
            case (5, .varint(let number)): extent = Int(truncatingIfNeeded: number)
            default: break
            }
        }
        guard (1...1 << 20).contains(extent) else {
            throw VectorTileError(description: "a layer of the vector tile has the extent \(extent)")
        }
        self.extent = extent
        (self.keys, self.values, self.features) = (keys, values, features)
    }

    private static func feature(_ bytes: [UInt8], _ range: Range<Int>) throws(VectorTileError) -> Feature {
        var (kind, tags, geometry): (VectorGeometry.Kind?, Range<Int>, Range<Int>) = (nil, 0..<0, 0..<0)
        try ProtobufFields.forEach(in: bytes, range) { field, value in
            switch (field, value) {
            case (2, .delimited(let range)): tags = range
            case (3, .varint(let number)): kind = VectorGeometry.Kind(rawValue: number)
            case (4, .delimited(let range)): geometry = range
            default: break
            }
        }
        return Feature(kind: kind, tags: tags, geometry: geometry)
    }

    private static func value(_ bytes: [UInt8], _ range: Range<Int>) throws(VectorTileError) -> VectorValue {
        var found = VectorValue.text("")
        try ProtobufFields.forEach(in: bytes, range) { field, value in
            switch (field, value) {
            case (1, .delimited(let range)): found = .text(String(decoding: bytes[range], as: UTF8.self))
            case (2, .fixed32(let word)): found = .number(Double(Float(bitPattern: word)))
            case (3, .fixed64(let word)): found = .number(Double(bitPattern: word))
            case (4, .varint(let number)), (5, .varint(let number)):
                found = .integer(Int64(bitPattern: number))
            case (6, .varint(let number)): found = .integer(Varint.unzigzag(number))
            case (7, .varint(let number)): found = .truth(number != 0)
            default: break
            }
        }
        return found
    }

    /// Calls `body` with the positions in `keys` and `values` of a feature's attributes.
    public func forEachAttribute(of feature: Feature, _ body: (_ key: Int, _ value: Int) -> Void) {
        var cursor = VarintCursor(offset: feature.tags.lowerBound, end: feature.tags.upperBound)
        let bytes = self.bytes.span
        while !cursor.isAtEnd {
            let key = Int(truncatingIfNeeded: cursor.next(in: bytes))
            guard !cursor.isAtEnd else { return }
            let value = Int(truncatingIfNeeded: cursor.next(in: bytes))
            if keys.indices.contains(key), values.indices.contains(value) { body(key, value) }
        }
    }

    /// Reads the geometry of a feature into memory that is used again.
    public func read(_ feature: Feature, into shape: inout VectorShape) {
        shape.removeAll()
        var cursor = VarintCursor(offset: feature.geometry.lowerBound, end: feature.geometry.upperBound)
        let bytes = self.bytes.span
        var (x, y): (Int64, Int64) = (0, 0)
        while !cursor.isAtEnd {
            let command = cursor.next(in: bytes)
            // Each place takes two bytes at least.
            let count = min(Int(truncatingIfNeeded: command >> 3), (cursor.end - cursor.offset) / 2)
            switch command & 7 {
            case 1, 2:
                for _ in 0..<max(0, count) {
                    if cursor.isAtEnd { break }
                    x = Self.limited(x &+ Varint.unzigzag(cursor.next(in: bytes)))
                    y = Self.limited(y &+ Varint.unzigzag(cursor.next(in: bytes)))
                    if command & 7 == 1 { shape.begin() }
                    shape.add(TilePlace(Int32(x), Int32(y)))
                }
            case 7: break
            default: return
            }
        }
    }

    /// Coordinates of damaged tiles stay within 32 bits.
    private static func limited(_ value: Int64) -> Int64 { min(max(value, -1 << 30), 1 << 30) }
}

/// The parts of a geometry: points, each a part of its own; lines; or rings, which do not repeat their first place.
public struct VectorShape: Sendable {
    public private(set) var places: [TilePlace] = []
    private var starts: [Int] = []

    public init() {}

    public var partCount: Int { starts.count }

    /// The positions in `places` of a part.
    public func part(_ index: Int) -> Range<Int> {
        starts[index]..<(index + 1 < starts.count ? starts[index + 1] : places.count)
    }

    fileprivate mutating func removeAll() {
        places.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
    }

    fileprivate mutating func begin() { starts.append(places.count) }

    fileprivate mutating func add(_ place: TilePlace) {
        if starts.isEmpty { begin() }
        places.append(place)
    }
}

/// Walks over the fields of a message of Protocol Buffers.
private enum ProtobufFields {
    enum Value {
        case varint(UInt64)
        case fixed32(UInt32)
        case fixed64(UInt64)
        /// Where the bytes are.
        case delimited(Range<Int>)
    }

    static func forEach(
        in bytes: [UInt8], _ range: Range<Int>, _ body: (UInt64, Value) throws(VectorTileError) -> Void
    ) throws(VectorTileError) {
        let span = bytes.span
        var cursor = VarintCursor(offset: range.lowerBound, end: range.upperBound)
        func word(_ count: Int) throws(VectorTileError) -> UInt64 {
            guard cursor.end - cursor.offset >= count else { throw cut }
            defer { cursor.offset += count }
            return (0..<count).reduce(0) { $0 | UInt64(bytes[cursor.offset + $1]) << (8 * UInt64($1)) }
        }
        while !cursor.isAtEnd {
            let key = cursor.next(in: span)
            switch key & 7 {
            case 0:
                guard !cursor.isAtEnd else { throw cut }
                try body(key >> 3, .varint(cursor.next(in: span)))
            case 1: try body(key >> 3, .fixed64(try word(8)))
            case 5: try body(key >> 3, .fixed32(UInt32(truncatingIfNeeded: try word(4))))
            case 2:
                guard !cursor.isAtEnd else { throw cut }
                let count = cursor.next(in: span)
                guard count <= UInt64(cursor.end - cursor.offset) else { throw cut }
                let content = cursor.offset..<cursor.offset + Int(count)
                cursor.offset = content.upperBound
                try body(key >> 3, .delimited(content))
            default: throw VectorTileError(description: "a field of the vector tile has the wire type \(key & 7)")
            }
        }
    }

    private static let cut = VectorTileError(description: "a field of the vector tile is cut")
}
