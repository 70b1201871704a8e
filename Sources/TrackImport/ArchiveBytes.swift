/// The bytes of an archive, read once from front to end.
final class ArchiveBytes {
    private let reading: FileReading
    private var source: any ByteSource
    private var held: [UInt8] = []
    private var at = 0
    private var heldFrom = 0

    init(_ source: any ByteSource, _ reading: FileReading) {
        self.source = source
        self.reading = reading
    }

    /// Where in the archive the next byte stands.
    var position: Int { heldFrom + at }

    /// Up to `count` bytes to look at; fewer at the end.
    func peek(_ count: Int) throws -> ArraySlice<UInt8> {
        while held.count - at < count {
            let block = try reading.next(from: &source)
            if block.isEmpty { break }
            dropUsed()
            held.append(contentsOf: block)
        }
        return held[at...].prefix(count)
    }

    /// Exactly `count` bytes.
    func take(_ count: Int) throws -> [UInt8] {
        let bytes = Array(try peek(count))
        guard bytes.count == count else { throw ImportFailure.breaksOff }
        at += count
        return bytes
    }

    /// At least one byte and at most `limit`; none at the end.
    func takeSome(_ limit: Int) throws -> [UInt8] {
        guard limit > 0, try !peek(1).isEmpty else { return [] }
        let bytes = Array(held[at...].prefix(limit))
        at += bytes.count
        return bytes
    }

    /// Gives the last `count` bytes taken back, to be taken again.
    func giveBack(_ count: Int) {
        precondition(count <= at, "only what was taken last is given back")
        at -= count
    }

    /// Passes over `count` bytes.
    func skip(_ count: Int) throws {
        var rest = count
        while rest > 0 {
            let bytes = try takeSome(min(rest, blockSize))
            guard !bytes.isEmpty else { throw ImportFailure.breaksOff }
            rest -= bytes.count
        }
    }

    private func dropUsed() {
        heldFrom += at
        held.removeFirst(at)
        at = 0
    }
}

/// The bytes of an archive's member, unpacked.
final class ArchiveMember: ByteSource {
    private let next: () throws -> [UInt8]
    private var isAtEnd = false
    /// What was found wrong with it once it was read.
    private(set) var failure: ImportFailure?

    init(_ next: @escaping () throws -> [UInt8]) {
        self.next = next
    }

    func read() throws -> [UInt8] {
        guard !isAtEnd else { return [] }
        do {
            let block = try next()
            isAtEnd = block.isEmpty
            return block
        } catch {
            isAtEnd = true
            failure = ImportFailure(error)
            throw error
        }
    }

    /// Reads what is left, for the archive to go on behind it.
    func drain() throws {
        while try !read().isEmpty {}
    }
}

extension [UInt8] {
    /// The number of `count` bytes at `offset`, the lowest first.
    func little(_ offset: Int, _ count: Int) -> Int {
        (0..<count).reversed().reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}
