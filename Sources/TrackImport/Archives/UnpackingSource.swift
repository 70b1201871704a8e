import Decompression

/// The decompressed bytes of a gzip, xz or bzip2 stream.
struct UnpackingSource: ByteSource {
    private var packed: any ByteSource
    private let decoder: StreamDecoder
    private var block: [UInt8] = []
    private var offset = 0
    private var expansion = ExpansionLimit()
    private var atEnd = false

    /// nil if the bytes do not begin a supported stream.
    init?(_ packed: PeekedSource) throws {
        guard let decoder = try StreamDecoder(recognising: packed.head) else { return nil }
        self.packed = packed
        self.decoder = decoder
    }

    mutating func read() throws -> [UInt8] {
        while !atEnd {
            let output = try decoder.decode(block, from: &offset, limit: blockSize)
            if !output.isEmpty {
                try expansion.add(output: output.count)
                return output
            }
            if decoder.isFinished { break }
            guard offset >= block.count else { continue }
            block = try packed.read()
            offset = 0
            expansion.add(input: block.count)
            guard block.isEmpty else { continue }
            atEnd = true
            try decoder.finish()
        }
        atEnd = true
        return []
    }
}

/// Stops decompression bombs.
struct ExpansionLimit {
    /// Maximum expansion: tracks compress 5- to 20-fold, so a larger factor is treated as a decompression bomb …
    private static let maxRatio = 200
    /// … once there are this many decompressed bytes; small files of blanks are harmless.
    private static let minBombBytes = 16 * 1024 * 1024

    private var input = 0
    private var output = 0

    /// Counts compressed bytes that were read.
    mutating func add(input count: Int) {
        input += count
    }

    /// Counts decompressed bytes; throws if there are too many.
    mutating func add(output count: Int) throws {
        output += count
        guard output < Self.minBombBytes || output / Self.maxRatio < input else {
            throw ImportFailure.decompressionBomb(ratio: Self.maxRatio)
        }
    }
}
