import Foundation

/// JSON of `Codable` values. Documents that are read or written in parts use `JSONReader` and `JSONWriter`.
public enum JSONCoding {
    /// The value as JSON with sorted keys, so that equal values give equal bytes.
    public static func bytes(of value: some Encodable, isIndented: Bool = false) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
        return Array(try encoder.encode(value))
    }

    /// The value that JSON stands for; nil if it is not JSON of this type.
    public static func value<Value: Decodable>(_ type: Value.Type = Value.self, from json: some Collection<UInt8>)
        -> Value?
    {
        try? JSONDecoder().decode(type, from: Data(json))
    }
}
