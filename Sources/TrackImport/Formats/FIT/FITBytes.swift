import Text

/// The bytes of a FIT file, buffered as far as a message needs.
struct FITBytes {
    /// Buffered bytes; `at` is the start of the next message.
    private(set) var buffer: [UInt8] = []
    var at = 0

    private let reading: FileReading
    private var source: any ByteSource
    // Offset of `buffer` in the file.
    private var bufferOffset = 0
    private var checksum = FITChecksum()
    private var checksummedTo = 0

    init(_ source: any ByteSource, _ reading: FileReading) {
        self.source = source
        self.reading = reading
    }

    /// Offset of the next message in the file.
    var position: Int { bufferOffset + at }

    /// Whether `count` bytes are available from `at`.
    @inline(__always)
    mutating func has(_ count: Int) throws -> Bool {
        if buffer.count - at >= count { return true }
        return try refill(count)
    }

    private mutating func refill(_ count: Int) throws -> Bool {
        sum()
        bufferOffset += at
        buffer.removeFirst(at)
        at = 0
        checksummedTo = 0
        while buffer.count < count {
            let block = try reading.next(from: &source)
            if block.isEmpty { return false }
            buffer.append(contentsOf: block)
        }
        return true
    }

    /// Throws `truncated` if `count` bytes are not available.
    mutating func need(_ count: Int) throws {
        guard try has(count) else { throw ImportFailure.truncated }
    }

    /// Starts the checksum at `at`.
    mutating func beginChecksum() {
        checksum = FITChecksum()
        checksummedTo = at
    }

    /// The checksum of the bytes since `beginChecksum`.
    mutating func takeChecksum() -> UInt16 {
        sum()
        return checksum.value
    }

    private mutating func sum() {
        guard at > checksummedTo else { return }
        var sum = checksum
        sum.add(buffer.span, checksummedTo..<at)
        checksum = sum
        checksummedTo = at
    }

    /// The little-endian number in `count` bytes, `offset` bytes after `at`.
    func little(_ offset: Int, _ count: Int) -> Int {
        buffer.little(at + offset, count)
    }
}

extension [UInt8] {
    /// The little-endian number in `count` bytes at `offset`.
    func little(_ offset: Int, _ count: Int) -> Int {
        (0..<count).reversed().reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}

extension Instant {
    /// The instant of a FIT timestamp, in seconds since 1989-12-31T00:00Z; nil for values below 2^28, which count from
    /// power-on.
    init?(fitTimestamp seconds: UInt32) {
        guard seconds >= 0x1000_0000 else { return nil }
        self.init(seconds: Int64(seconds) + 631_065_600)
    }
}
