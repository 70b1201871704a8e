/// A source of bytes, read block by block.
public protocol ByteSource {
    /// Returns the next block; empty at the end and on all later calls.
    mutating func read() throws -> [UInt8]
}

/// Bytes per block: large enough that the cost per block is negligible, small enough for the level 2 cache.
public let blockSize = 256 * 1024

/// Bytes in memory, read in blocks.
public struct MemorySource: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let block: Int

    /// A source of `bytes` in blocks of `block` bytes.
    public init(_ bytes: [UInt8], block: Int = blockSize) {
        precondition(block > 0, "the block size must be positive")
        rest = bytes[...]
        self.block = block
    }

    /// The next block.
    public mutating func read() -> [UInt8] {
        let taken = Array(rest.prefix(block))
        rest = rest.dropFirst(taken.count)
        return taken
    }
}

/// A source whose first bytes can be examined before they are read.
struct PeekedSource: ByteSource {
    private(set) var head: [UInt8] = []
    private var isHeadReturned = false
    private var rest: any ByteSource
    /// The error after the head; thrown when the head has been read.
    private var failure: (any Error)?

    /// Reads until there are `wanted` bytes or the source ends; throws only if the first read fails.
    init(_ source: any ByteSource, wanted: Int) throws {
        rest = source
        while head.count < wanted {
            do {
                let block = try rest.read()
                if block.isEmpty { break }
                head = head.isEmpty ? block : head + block
            } catch {
                guard !head.isEmpty else { throw error }
                failure = error
                break
            }
        }
    }

    mutating func read() throws -> [UInt8] {
        if !isHeadReturned {
            isHeadReturned = true
            let first = head
            head = []
            if !first.isEmpty { return first }
        }
        if let failure { throw failure }
        return try rest.read()
    }
}
