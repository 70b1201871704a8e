/// The bytes of a FIT file, read ahead as far as a message needs.
struct FITBytes {
    /// What is held; `at` is where the next message begins.
    private(set) var held: [UInt8] = []
    var at = 0

    private let reading: FileReading
    private var source: any ByteSource
    // Where in the file `held` begins.
    private var heldFrom = 0
    private var checksum = FITChecksum()
    private var summedTo = 0

    init(_ source: any ByteSource, _ reading: FileReading) {
        self.source = source
        self.reading = reading
    }

    /// Where in the file the next message begins.
    var position: Int { heldFrom + at }

    /// Whether `count` bytes can be had from `at` on.
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

    /// Throws where `count` bytes are not there.
    mutating func need(_ count: Int) throws {
        guard try has(count) else { throw ImportFailure.breaksOff }
    }

    /// Begins to sum at `at`.
    mutating func beginChecksum() {
        checksum = FITChecksum()
        summedTo = at
    }

    /// The sum of all since it was begun.
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

    /// The number of `count` bytes at `at`, the lowest first.
    func little(_ offset: Int, _ count: Int) -> Int {
        (0..<count).reversed().reduce(0) { $0 << 8 | Int(held[at + offset + $1]) }
    }
}
