/// The bytes of a FIT file, buffered as far as a message needs.
struct FITBytes {
    /// Buffered bytes; `at` is the start of the next message.
    private(set) var held: [UInt8] = []
    var at = 0

    private let reading: FileReading
    private var source: any ByteSource
    // Offset of `held` in the file.
    private var heldFrom = 0
    private var checksum = FITChecksum()
    private var summedTo = 0

    init(_ source: any ByteSource, _ reading: FileReading) {
        self.source = source
        self.reading = reading
    }

    /// Offset of the next message in the file.
    var position: Int { heldFrom + at }

    /// Whether `count` bytes are available from `at`.
    @inline(__always)
    mutating func has(_ count: Int) throws -> Bool {
        if held.count - at >= count { return true }
        return try refill(count)
    }

    private mutating func refill(_ count: Int) throws -> Bool {
        sum()
        heldFrom += at
        held.removeFirst(at)
        at = 0
        summedTo = 0
        while held.count < count {
            let block = try reading.next(from: &source)
            if block.isEmpty { return false }
            held.append(contentsOf: block)
        }
        return true
    }

    /// Throws `breaksOff` if `count` bytes are not available.
    mutating func need(_ count: Int) throws {
        guard try has(count) else { throw ImportFailure.breaksOff }
    }

    /// Starts the checksum at `at`.
    mutating func beginChecksum() {
        checksum = FITChecksum()
        summedTo = at
    }

    /// The checksum of the bytes since `beginChecksum`.
    mutating func takeChecksum() -> UInt16 {
        sum()
        return checksum.value
    }

    private mutating func sum() {
        guard at > summedTo else { return }
        var sum = checksum
        sum.add(held.span, summedTo..<at)
        checksum = sum
        summedTo = at
    }

    /// The little-endian number in `count` bytes, `offset` bytes after `at`.
    func little(_ offset: Int, _ count: Int) -> Int {
        (0..<count).reversed().reduce(0) { $0 << 8 | Int(held[at + offset + $1]) }
    }
}
