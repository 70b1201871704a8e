internal import Digest
internal import GEOS
internal import Text

/// Writes numbers, texts and points to bytes.
struct StoredWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ number: Int) { Varint.append(Varint.zigzag(Int64(number)), to: &bytes) }
    mutating func add(count: Int) { Varint.append(UInt64(count), to: &bytes) }
    mutating func add(raw: [UInt8]) { bytes += raw }
    mutating func add(_ text: String) { add(bytes: Array(text.utf8)) }

    mutating func add(bytes more: [UInt8]) {
        add(count: more.count)
        bytes += more
    }

    mutating func add(word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }

    /// Points as differences, which are short.
    mutating func add(_ points: [GridPoint]) {
        add(count: points.count)
        var last = GridPoint(x: 0, y: 0)
        for point in points {
            add(Int(point.x) - Int(last.x))
            add(Int(point.y) - Int(last.y))
            last = point
        }
    }

    /// Everything, after a word that names it and its version, and before its checksum.
    func sealed(as name: String) -> [UInt8] {
        var whole = StoredWriter()
        whole.add(raw: Array(name.utf8))
        whole.add(raw: bytes)
        var sum = Checksum64()
        sum.update(whole.bytes.span)
        whole.add(word: sum.value)
        return whole.bytes
    }
}

/// Reads what `StoredWriter` has written; damaged bytes throw, whatever they are.
struct StoredReader {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    private static let checksumBytes = 8

    /// Checks the name and the checksum.
    init(_ bytes: [UInt8], sealedAs name: String) throws(VenueError) {
        let head = Array(name.utf8)
        guard bytes.count >= head.count + Self.checksumBytes, bytes.starts(with: head) else {
            throw .damaged("it is of another kind or version")
        }
        end = bytes.count - Self.checksumBytes
        var sum = Checksum64()
        sum.update(Array(bytes[..<end]).span)
        var stored: UInt64 = 0
        for (index, byte) in bytes[end...].enumerated() { stored |= UInt64(byte) << UInt64(8 * index) }
        guard stored == sum.value else { throw .damaged("its checksum is wrong") }
        self.bytes = bytes
        position = head.count
    }

    static let wrong = VenueError.damaged("a value is impossible")

    private mutating func next() throws(VenueError) -> UInt64 {
        var next = position
        do {
            let number = try Varint.read(bytes.span, &next, end: end)
            position = next
            return number
        } catch {
            throw .damaged("it ends early")
        }
    }

    mutating func number() throws(VenueError) -> Int { Int(Varint.unzigzag(try next())) }

    /// A number in a range.
    mutating func number(in range: Range<Int>) throws(VenueError) -> Int {
        let number = try number()
        guard range.contains(number) else { throw Self.wrong }
        return number
    }

    /// The number of elements that follow; each takes at least a byte.
    mutating func count() throws(VenueError) -> Int {
        let count = try next()
        guard count <= UInt64(end - position) else { throw Self.wrong }
        return Int(count)
    }

    mutating func rawBytes() throws(VenueError) -> [UInt8] {
        let count = try count()
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }

    mutating func text() throws(VenueError) -> String { String(decoding: try rawBytes(), as: UTF8.self) }

    mutating func points() throws(VenueError) -> [GridPoint] {
        var last = GridPoint(x: 0, y: 0)
        let bound = Int(GridPoint.bound)
        var points: [GridPoint] = []
        for _ in 0..<(try count()) {
            let (x, wideX) = Int(last.x).addingReportingOverflow(try number())
            let (y, wideY) = Int(last.y).addingReportingOverflow(try number())
            guard !wideX, !wideY, abs(x) <= bound, abs(y) <= bound else { throw Self.wrong }
            last = GridPoint(x: Int32(x), y: Int32(y))
            points.append(last)
        }
        return points
    }

    /// Whether everything was read.
    func finish() throws(VenueError) {
        guard position == end else { throw .damaged("there is more than it should have") }
    }
}
