/// A vector tile, decoded as the specification 2.1 says, and nothing that it forbids: written for tests, independently of the
/// encoder.
public struct DecodedVectorTile {
    public struct Feature {
        public enum Value: Hashable {
            case text(String)
            case integer(Int64)
            case number(Double)
            case truth(Bool)
        }

        public var id: UInt64?
        /// 1 for points, 2 for lines, 3 for polygons.
        public var type = 0
        public var attributes: [String: Value] = [:]
        /// Points: one list. Lines: each. Polygons: rings, without the repeated place.
        public var parts: [[(x: Int, y: Int)]] = []

        public func text(_ key: String) -> String? {
            guard case .text(let text) = attributes[key] else { return nil }
            return text
        }
    }

    public struct Layer {
        public var name = ""
        public var extent = 0
        public var features: [Feature] = []
    }

    public var layers: [Layer] = []

    public subscript(name: String) -> Layer? { layers.first { $0.name == name } }

    /// Why bytes are no valid tile.
    public struct Invalid: Error, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }
    }

    /// Decodes a tile; throws `Invalid` for what the specification forbids.
    public init(_ bytes: [UInt8]) throws {
        var names: Set<String> = []
        for field in try Message(bytes[...]).fields {
            guard field.number == 3, case .bytes(let content) = field.value else {
                throw Invalid("field \(field.number) in a tile")
            }
            let layer = try Self.layer(content)
            guard names.insert(layer.name).inserted else { throw Invalid("two layers \(layer.name)") }
            layers.append(layer)
        }
    }

    // MARK: Protocol Buffers

    private struct Field {
        enum Value {
            case varint(UInt64)
            case fixed64(UInt64)
            case bytes(ArraySlice<UInt8>)
        }
        var number: UInt64
        var value: Value
    }

    private struct Message {
        var fields: [Field] = []

        init(_ bytes: ArraySlice<UInt8>) throws {
            var rest = bytes
            while !rest.isEmpty {
                let key = try DecodedVectorTile.varint(&rest)
                switch key & 7 {
                case 0: fields.append(Field(number: key >> 3, value: .varint(try DecodedVectorTile.varint(&rest))))
                case 1:
                    guard rest.count >= 8 else { throw Invalid("a number is cut") }
                    let word = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    rest = rest.dropFirst(8)
                    fields.append(Field(number: key >> 3, value: .fixed64(word)))
                case 2:
                    let count = Int(try DecodedVectorTile.varint(&rest))
                    guard rest.count >= count else { throw Invalid("a field is cut") }
                    fields.append(Field(number: key >> 3, value: .bytes(rest.prefix(count))))
                    rest = rest.dropFirst(count)
                default: throw Invalid("wire type \(key & 7)")
                }
            }
        }
    }

    private static func varint(_ bytes: inout ArraySlice<UInt8>) throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = bytes.popFirst() else { throw Invalid("a varint is cut") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw Invalid("a varint is too long")
    }

    private static func numbers(_ bytes: ArraySlice<UInt8>) throws -> [Int] {
        var (rest, numbers): (ArraySlice<UInt8>, [Int]) = (bytes, [])
        while !rest.isEmpty { numbers.append(Int(try varint(&rest))) }
        return numbers
    }

    // MARK: Layers

    private static func layer(_ bytes: ArraySlice<UInt8>) throws -> Layer {
        var layer = Layer()
        var (keys, values): ([String], [Feature.Value]) = ([], [])
        var encoded: [ArraySlice<UInt8>] = []
        let fields = try Message(bytes).fields
        guard fields.first?.number == 15, case .varint(2)? = fields.first?.value else {
            throw Invalid("the version 2 is not the first field")
        }
        for field in fields.dropFirst() {
            switch (field.number, field.value) {
            case (1, .bytes(let text)): layer.name = String(decoding: text, as: UTF8.self)
            case (2, .bytes(let feature)): encoded.append(feature)
            case (3, .bytes(let text)): keys.append(String(decoding: text, as: UTF8.self))
            case (4, .bytes(let content)): values.append(try value(content))
            case (5, .varint(let extent)): layer.extent = Int(extent)
            default: throw Invalid("field \(field.number) in a layer")
            }
        }
        guard !layer.name.isEmpty, !encoded.isEmpty else { throw Invalid("a layer without name or features") }
        guard Set(keys).count == keys.count, Set(values).count == values.count else {
            throw Invalid("keys or values are repeated")
        }
        layer.features = try encoded.map { try feature($0, keys, values) }
        let used = Set(layer.features.flatMap { $0.attributes.keys })
        guard used.count == keys.count else { throw Invalid("keys that no feature has") }
        return layer
    }

    private static func value(_ bytes: ArraySlice<UInt8>) throws -> Feature.Value {
        let fields = try Message(bytes).fields
        guard fields.count == 1 else { throw Invalid("\(fields.count) values in one") }
        switch (fields[0].number, fields[0].value) {
        case (1, .bytes(let text)): return .text(String(decoding: text, as: UTF8.self))
        case (3, .fixed64(let word)): return .number(Double(bitPattern: word))
        case (4, .varint(let number)): return .integer(Int64(bitPattern: number))
        case (7, .varint(let number)) where number < 2: return .truth(number == 1)
        default: throw Invalid("a value of another type")
        }
    }

    private static func feature(
        _ bytes: ArraySlice<UInt8>, _ keys: [String], _ values: [Feature.Value]
    ) throws -> Feature {
        var feature = Feature()
        var commands: [Int] = []
        for field in try Message(bytes).fields {
            switch (field.number, field.value) {
            case (1, .varint(let id)): feature.id = id
            case (2, .bytes(let content)):
                let tags = try numbers(content)
                guard tags.count % 2 == 0 else { throw Invalid("a key without value") }
                for index in stride(from: 0, to: tags.count, by: 2) {
                    guard keys.indices.contains(tags[index]), values.indices.contains(tags[index + 1]) else {
                        throw Invalid("a tag beyond the list")
                    }
                    guard feature.attributes.updateValue(values[tags[index + 1]], forKey: keys[tags[index]]) == nil
                    else {
                        throw Invalid("a key twice")
                    }
                }
            case (3, .varint(let type)): feature.type = Int(type)
            case (4, .bytes(let content)): commands = try numbers(content)
            default: throw Invalid("field \(field.number) in a feature")
            }
        }
        feature.parts = try parts(commands, type: feature.type)
        return feature
    }

    private static func parts(_ commands: [Int], type: Int) throws -> [[(x: Int, y: Int)]] {
        var parts: [[(x: Int, y: Int)]] = []
        var position = 0
        var (x, y) = (0, 0)
        func next() throws -> Int {
            guard position < commands.count else { throw Invalid("commands are cut") }
            position += 1
            return commands[position - 1]
        }
        func move() throws -> (x: Int, y: Int) {
            let (dx, dy) = (try next(), try next())
            (x, y) = (x + (dx >> 1 ^ -(dx & 1)), y + (dy >> 1 ^ -(dy & 1)))
            return (x, y)
        }
        var isClosed = true
        while position < commands.count {
            let command = try next()
            let (kind, count) = (command & 7, command >> 3)
            switch (type, kind) {
            case (1, 1) where parts.isEmpty && count > 0: parts.append(try (0..<count).map { _ in try move() })
            case (2, 1) where count == 1, (3, 1) where count == 1 && isClosed:
                parts.append([try move()])
                isClosed = false
            case (2, 2) where count > 0 && parts.last?.count == 1, (3, 2) where count > 1 && parts.last?.count == 1:
                for _ in 0..<count {
                    let (before, place) = ((x, y), try move())
                    guard before != place else { throw Invalid("a line of no length") }
                    parts[parts.count - 1].append(place)
                }
            case (3, 7) where count == 1 && !isClosed:
                guard let ring = parts.last, ring.count > 2, let first = ring.first, let last = ring.last,
                    first != last, area(ring) != 0
                else { throw Invalid("a ring without area") }
                isClosed = true
            default: throw Invalid("command \(kind) × \(count) in type \(type)")
            }
        }
        guard !parts.isEmpty, type != 3 || isClosed, type != 2 || parts.allSatisfy({ $0.count > 1 }) else {
            throw Invalid("no geometry, or one that does not end")
        }
        guard type != 3 || area(parts[0]) > 0 else { throw Invalid("a polygon begins with a hole") }
        return parts
    }

    /// Twice the area of a ring by the formula of surveyors.
    public static func area(_ ring: [(x: Int, y: Int)]) -> Int {
        ring.indices.reduce(0) { sum, index in
            let (one, next) = (ring[index], ring[(index + 1) % ring.count])
            return sum + one.x * next.y - next.x * one.y
        }
    }
}
