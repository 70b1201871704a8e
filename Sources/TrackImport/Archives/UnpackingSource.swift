import Decompression
import Zlib

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
        guard let decoder = try StreamDecoder(packed.head) else { return nil }
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

/// A decoder for one of the supported compression formats.
private enum StreamDecoder {
    case gzip(Inflater)
    case xz(XZDecoder)
    case bzip2(BZip2Decoder)

    init?(_ head: [UInt8]) throws {
        if Gzip.recognises(head) {
            self = .gzip(try Inflater())
        } else if XZDecoder.recognises(head) {
            self = .xz(try XZDecoder())
        } else if BZip2Decoder.recognises(head) {
            self = .bzip2(try BZip2Decoder())
        } else {
            return nil
        }
    }

    var isFinished: Bool {
        switch self {
        case .gzip(let inflater): inflater.isFinished
        case .xz(let decoder): decoder.isFinished
        case .bzip2(let decoder): decoder.isFinished
        }
    }

    func decode(_ input: [UInt8], from offset: inout Int, limit: Int) throws -> [UInt8] {
        switch self {
        case .gzip(let inflater): try inflater.inflate(input, from: &offset, limit: limit)
        case .xz(let decoder): try decoder.decode(input, from: &offset, limit: limit)
        case .bzip2(let decoder): try decoder.decode(input, from: &offset, limit: limit)
        }
    }

    func finish() throws {
        switch self {
        case .gzip(let inflater): try inflater.finish()
        case .xz(let decoder): try decoder.finish()
        case .bzip2(let decoder): try decoder.finish()
        }
    }
}
