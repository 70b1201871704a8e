import Text

/// Writes columns of numbers as varints.
struct ColumnWriter {
    private var bytes: [UInt8]
    private(set) var count = 0

    init(expecting byteCount: Int) {
        bytes = [UInt8](repeating: 0, count: byteCount)
    }

    var written: [UInt8] { Array(bytes[..<count]) }

    mutating func add(byte: UInt8) {
        makeRoom(1)
        bytes[count] = byte
        count += 1
    }

    mutating func add(_ number: Int) {
        makeRoom(Varint.longest)
        var position = count
        var span = bytes.mutableSpan
        Varint.put(UInt64(number), into: &span, at: &position)
        count = position
    }

    mutating func add(_ text: String) {
        let utf8 = Array(text.utf8)
        add(utf8.count)
        makeRoom(utf8.count)
        bytes.replaceSubrange(count..<count + utf8.count, with: utf8)
        count += utf8.count
    }

    mutating func add(zigzag number: Int64) {
        makeRoom(Varint.longest)
        var position = count
        var span = bytes.mutableSpan
        Varint.put(Varint.zigzag(number), into: &span, at: &position)
        count = position
    }

    /// Writes the first number, then the differences between neighbours; the differences wrap on overflow.
    mutating func add(differencesOf numbers: [Int64]) {
        makeRoom(numbers.count * Varint.longest)
        var position = count
        var span = bytes.mutableSpan
        var last: Int64 = 0
        for number in numbers {
            Varint.put(Varint.zigzag(number &- last), into: &span, at: &position)
            last = number
        }
        count = position
    }

    /// Writes first differences of the numbers that are not `absent`.
    mutating func add(differencesOf numbers: [Int64], without absent: Int64) {
        makeRoom(numbers.count * Varint.longest)
        var position = count
        var span = bytes.mutableSpan
        var last: Int64 = 0
        for number in numbers where number != absent {
            Varint.put(Varint.zigzag(number &- last), into: &span, at: &position)
            last = number
        }
        count = position
    }

    /// Writes the first time, then the second differences: how each step, in units of `divisor`, differs from the step
    /// before. `divisor` divides all steps.
    mutating func add(stepsOf times: [Int64], without absent: Int64, divisor: Int64) {
        makeRoom(times.count * Varint.longest)
        var position = count
        var span = bytes.mutableSpan
        var previous: Int64?
        var lastDelta: Int64 = 0
        var lastStep: Int64 = 0
        for time in times where time != absent {
            guard let last = previous else {
                Varint.put(Varint.zigzag(time), into: &span, at: &position)
                previous = time
                continue
            }
            let delta = time &- last
            // A division only where the step changes: evenly recorded points need none.
            let step = delta == lastDelta ? lastStep : delta / divisor
            Varint.put(Varint.zigzag(step &- lastStep), into: &span, at: &position)
            previous = time
            lastDelta = delta
            lastStep = step
        }
        count = position
    }

    private mutating func makeRoom(_ more: Int) {
        guard count + more > bytes.count else { return }
        // Doubled, so that writing n bytes copies fewer than 2n.
        bytes.append(contentsOf: repeatElement(0, count: max(more, bytes.count)))
    }
}

/// Reads what `ColumnWriter` wrote. Arbitrary bytes give an error, never a trap.
///
/// The reader stores only its position. Each call receives the bytes, because a span cannot be stored.
struct ColumnReader {
    private(set) var position = 0

    mutating func byte(_ bytes: Span<UInt8>) throws(ChunkCodecError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a count that is at most `limit`.
    mutating func number(_ bytes: Span<UInt8>, upTo limit: Int) throws(ChunkCodecError) -> Int {
        let value = try Self.varint(bytes, &position)
        guard value <= UInt64(limit) else { throw .malformed }
        return Int(value)
    }

    mutating func signedNumber(_ bytes: Span<UInt8>) throws(ChunkCodecError) -> Int64 {
        Varint.unzigzag(try Self.varint(bytes, &position))
    }

    mutating func text(_ bytes: Span<UInt8>) throws(ChunkCodecError) -> String {
        let count = try number(bytes, upTo: bytes.count - position)
        var utf8: [UInt8] = []
        utf8.reserveCapacity(count)
        guard count <= bytes.count - position else { throw .truncated }
        for index in position..<position + count { utf8.append(bytes[index]) }
        position += count
        guard let text = String(validating: utf8, as: UTF8.self) else { throw .malformed }
        return text
    }

    mutating func skipBytes(_ bytes: Span<UInt8>, count: Int) throws(ChunkCodecError) {
        guard count <= bytes.count - position else { throw .truncated }
        position += count
    }

    mutating func skipNumbers(_ bytes: Span<UInt8>, count: Int) throws(ChunkCodecError) {
        var left = count
        while left > 0 {
            guard position < bytes.count else { throw .truncated }
            if bytes[position] < 0x80 { left -= 1 }
            position += 1
        }
    }

    /// Reads `count` numbers stored as first differences. Each number must be within ±`limit`.
    mutating func differences(_ bytes: Span<UInt8>, count: Int, within limit: Int64) throws(ChunkCodecError) -> [Int64]
    {
        var numbers = [Int64](repeating: 0, count: count)
        var span = numbers.mutableSpan
        var at = position
        var last: Int64 = 0
        var most: UInt64 = 0
        for index in 0..<count {
            last &+= Varint.unzigzag(try Self.varint(bytes, &at))
            most = max(most, last.magnitude)
            span[index] = last
        }
        // Compared once instead of in the loop, which decodes 90 M points/s.
        guard most <= limit.magnitude else { throw .malformed }
        position = at
        return numbers
    }

    /// Reads numbers stored as first differences for the points in `runs`; all other points get `absent`.
    mutating func differences(
        _ bytes: Span<UInt8>, count: Int, present runs: [Range<Int>], absent: Int64
    ) throws(ChunkCodecError)
        -> [Int64]
    {
        var numbers = [Int64](repeating: absent, count: count)
        var span = numbers.mutableSpan
        var at = position
        var last: Int64 = 0
        for run in runs {
            for index in run {
                last &+= Varint.unzigzag(try Self.varint(bytes, &at))
                span[index] = last
            }
        }
        position = at
        return numbers
    }

    /// Reads times stored as second differences for the points in `runs`; all other points get `absent`. `isWithin` is
    /// true if all times are within ±`limit`.
    mutating func steps(
        _ bytes: Span<UInt8>, count: Int, present runs: [Range<Int>], absent: Int64, divisor: Int64, limit: Int64
    )
        throws(ChunkCodecError) -> (times: [Int64], isWithin: Bool)
    {
        var most: UInt64 = 0
        var times = [Int64](repeating: absent, count: count)
        var span = times.mutableSpan
        var at = position
        var last: Int64 = 0
        var step: Int64 = 0
        var isFirst = true
        for run in runs {
            for index in run {
                let number = Varint.unzigzag(try Self.varint(bytes, &at))
                if isFirst {
                    last = number
                    isFirst = false
                } else {
                    step &+= number
                    last &+= step &* divisor
                }
                most = max(most, last.magnitude)
                span[index] = last
            }
        }
        position = at
        return (times, most <= limit.magnitude)
    }

    @inline(__always)
    private static func varint(_ bytes: Span<UInt8>, _ position: inout Int) throws(ChunkCodecError) -> UInt64 {
        do throws(VarintError) {
            return try Varint.read(bytes, &position, end: bytes.count)
        } catch .truncated {
            throw .truncated
        } catch {
            throw .malformed
        }
    }
}
