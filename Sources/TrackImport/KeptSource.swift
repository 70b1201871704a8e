/// Keeps the bytes of a file while it is read, for the case that it has planned routes, which are read as a whole.
struct KeptSource: ByteSource {
    /// Files of planned routes are small; what is larger is not kept.
    static let limit = 16 << 20

    /// What was read so far.
    final class Bytes {
        private var blocks: [[UInt8]] = []
        private var count = 0

        fileprivate func add(_ block: [UInt8]) {
            count += block.count
            // Blocks are kept as they are, which costs nothing.
            if count <= KeptSource.limit { blocks.append(block) } else { blocks = [] }
        }

        /// All bytes; nil if there were too many.
        var all: [UInt8]? { count <= KeptSource.limit ? Array(blocks.joined()) : nil }
    }

    let kept = Bytes()
    private var source: PeekedSource

    init(_ source: PeekedSource) {
        self.source = source
    }

    mutating func read() throws -> [UInt8] {
        let block = try source.read()
        kept.add(block)
        return block
    }
}
