/// The headers of a request, in the order they were sent.
///
/// All names and values are in one byte array, with a second array of offsets: the dozen headers of a browser cost two
/// allocations, and a string is made only for a header that is read.
public struct HeaderFields: Sendable {
    private struct Field {
        var code: UInt8
        var nameStart: UInt32
        var valueStart: UInt32
        var valueEnd: UInt32
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    public init() {}

    /// Reserves space for `count` headers with `byteCount` bytes of names and values.
    public mutating func reserve(count: Int, byteCount: Int) {
        fields.reserveCapacity(count)
        bytes.reserveCapacity(byteCount)
    }

    /// Appends a header.
    public mutating func add(name: Span<UInt8>, value: Span<UInt8>) {
        let nameStart = UInt32(bytes.count)
        for index in 0..<name.count { bytes.append(name[index]) }
        let valueStart = UInt32(bytes.count)
        for index in 0..<value.count { bytes.append(value[index]) }
        fields.append(
            Field(
                code: HeaderName.code(of: name), nameStart: nameStart, valueStart: valueStart,
                valueEnd: UInt32(bytes.count)))
    }

    /// Appends a header.
    public mutating func add(_ name: HeaderName, _ value: String) {
        let nameBytes = Array(name.description.utf8)
        let valueBytes = Array(value.utf8)
        add(name: nameBytes.span, value: valueBytes.span)
    }

    /// The total size of names and values in bytes.
    public var byteCount: Int { bytes.count }

    /// The value of a header, repeated headers joined by commas (RFC 9110 5.3); nil if it was not sent.
    public subscript(name: HeaderName) -> String? {
        var found: String?
        for field in fields where matches(field, name) {
            let value = text(field.valueStart, field.valueEnd)
            found = found.map { "\($0), \(value)" } ?? value
        }
        return found
    }

    /// The bytes of a header that was sent exactly once; nil if it was not sent or was repeated.
    public func single(_ name: HeaderName) -> ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        for field in fields where matches(field, name) {
            guard found == nil else { return nil }
            found = bytes[Int(field.valueStart)..<Int(field.valueEnd)]
        }
        return found
    }

    /// How often a header was sent.
    public func count(of name: HeaderName) -> Int {
        fields.count { matches($0, name) }
    }

    private func matches(_ field: Field, _ name: HeaderName) -> Bool {
        guard field.code == name.code else { return false }
        return name.code != 0 || text(field.nameStart, field.valueStart).lowercased() == name.description
    }

    private func text(_ start: UInt32, _ end: UInt32) -> String {
        String(decoding: bytes[Int(start)..<Int(end)], as: UTF8.self)
    }
}
