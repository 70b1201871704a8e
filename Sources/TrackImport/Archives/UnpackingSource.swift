import Decompression

/// The decompressed bytes of a gzip, xz or bzip2 stream.
struct UnpackingSource: ByteSource {
    /// Maximum expansion: tracks compress 5- to 20-fold, so a larger factor is treated as a decompression bomb …
    static let maxRatio = 200
    /// … once there are this many decompressed bytes; small files of blanks are harmless.
    static let minBombBytes = 16 * 1024 * 1024

    private var packed: any ByteSource
    private let decoder: StreamDecoder
    private var block: [UInt8] = []
    private var offset = 0
    private var bytesIn = 0
    private var bytesOut = 0
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
                bytesOut += output.count
                guard bytesOut < Self.minBombBytes || bytesOut / Self.maxRatio < bytesIn else {
                    throw ImportFailure.gzipBomb(ratio: Self.maxRatio)
                }
                return output
            }
            if decoder.isFinished { break }
            guard offset >= block.count else { continue }
            block = try packed.read()
            offset = 0
            bytesIn += block.count
            guard block.isEmpty else { continue }
            atEnd = true
            try decoder.finish()
        }
        atEnd = true
        return []
    }
}
