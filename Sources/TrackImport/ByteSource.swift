/// Bytes that come block by block.
public protocol ByteSource {
    /// The next block; empty at the end, and from then on.
    mutating func read() throws -> [UInt8]
}

/// The size of the blocks that files are read in: large enough that a block's overhead vanishes, small enough for the
/// second-level cache.
public let blockSize = 256 * 1024

/// Bytes in memory, given out in blocks.
public struct MemorySource: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let block: Int

    /// A source of `bytes` in blocks of `block` bytes.
    public init(_ bytes: [UInt8], block: Int = blockSize) {
        precondition(block > 0, "a block holds something")
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

/// A source of which the first bytes have been looked at.
struct PeekedSource: ByteSource {
    private(set) var head: [UInt8] = []
    private var headGiven = false
    private var rest: any ByteSource
    /// What it broke off with behind the head.
    private var failure: (any Error)?

    /// Reads ahead until there are `wanted` bytes or no more; throws what it fails with before the first.
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
        if !headGiven {
            headGiven = true
            let first = head
            head = []
            if !first.isEmpty { return first }
        }
        if let failure { throw failure }
        return try rest.read()
    }
}
