import Archive
import Decompression

/// The decompressed bytes of a gzip, xz, bzip2, zstd or lz4 stream.
struct UnpackingSource: ByteSource {
    private let next: () throws -> [UInt8]
    private var isAtEnd = false

    /// nil if the bytes do not begin a supported stream.
    init?(_ packed: PeekedSource) throws {
        var packed = packed
        if Gzip.recognises(packed.head) {
            var gzip = GzipSource(packed, try GzipDecoder())
            next = { try gzip.read() }
        } else if let format = ArchiveFormat(recognising: packed.head), !format.isArchive {
            next = try ArchiveReader(format) { try packed.read() }.read
        } else {
            return nil
        }
    }

    mutating func read() throws -> [UInt8] {
        guard !isAtEnd else { return [] }
        do {
            let block = try next()
            isAtEnd = block.isEmpty
            return block
        } catch ArchiveError.damagedData, ArchiveError.checksum {
            throw ImportFailure.damagedCompression
        } catch ArchiveError.truncated {
            throw ImportFailure.truncatedCompression
        }
    }
}

/// gzip is not read by libarchive, because zlib is used for other streams, too.
private struct GzipSource: ByteSource {
    private var packed: any ByteSource
    private let decoder: GzipDecoder
    private var block: [UInt8] = []
    private var offset = 0
    private var input = 0
    private var output = 0

    init(_ packed: any ByteSource, _ decoder: GzipDecoder) {
        self.packed = packed
        self.decoder = decoder
    }

    mutating func read() throws -> [UInt8] {
        while true {
            let unpacked = try decoder.decode(block, from: &offset, limit: blockSize)
            if !unpacked.isEmpty {
                output += unpacked.count
                try ExpansionLimit().check(input: input, output: output)
                return unpacked
            }
            if decoder.isFinished { return [] }
            guard offset >= block.count else { continue }
            block = try packed.read()
            offset = 0
            input += block.count
            if block.isEmpty { try decoder.finish() }
        }
    }
}
