/// Packs palette indices into the rows of a PNG: several pixels in a byte, the first in the highest bits, and a filter
/// byte before each row.
///
/// The filter is always None: indices are not quantities, so their differences do not compress better.
@safe
enum PixelPacking {
    /// Bits a pixel: the smallest of 1, 2, 4 and 8 that is enough for all colours.
    static func depth(colors: Int) -> Int {
        switch colors {
        case ...2: 1
        case ...4: 2
        case ...16: 4
        default: 8
        }
    }

    /// Replaces the contents of `rows` by the packed rows.
    static func pack(
        _ indices: Span<UInt8>, bytesPerRow: Int, width: Int, height: Int, depth: Int, into rows: inout [UInt8]
    ) {
        let packedRow = 1 + (width * depth + 7) / 8
        let count = packedRow * height
        if rows.count != count { rows = [UInt8](repeating: 0, count: count) }
        unsafe rows.withUnsafeMutableBufferPointer { target in
            unsafe indices.withUnsafeBufferPointer { source in
                guard let to = target.baseAddress, let from = source.baseAddress else { return }
                for y in 0..<height {
                    unsafe to[y * packedRow] = 0
                    unsafe packRow(
                        from + y * bytesPerRow, width: width, depth: depth, to: to + y * packedRow + 1)
                }
            }
        }
    }

    private static func packRow(
        _ from: UnsafePointer<UInt8>, width: Int, depth: Int, to: UnsafeMutablePointer<UInt8>
    ) {
        if depth == 8 {
            unsafe to.update(from: from, count: width)
            return
        }
        let source = unsafe UnsafeRawPointer(from)
        let target = UnsafeMutableRawPointer(to)
        // A word holds eight pixels, the first in its lowest byte. The loops are simple enough to be vectorised.
        let words = width / 8
        switch depth {
        case 4:
            for word in 0..<words {
                let pixels = unsafe UInt64(
                    littleEndian: source.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self))
                let fours = UInt32(truncatingIfNeeded: gathered((pixels << 4 | pixels >> 8) & everyOtherByte))
                unsafe target.storeBytes(of: fours.littleEndian, toByteOffset: 4 * word, as: UInt32.self)
            }
        case 2:
            for word in 0..<words {
                let pixels = unsafe UInt64(
                    littleEndian: source.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self))
                let pairs = (pixels << 2 | pixels >> 8) & everyOtherByte
                let fours = (pairs << 4 | pairs >> 16) & 0x0000_00FF_0000_00FF
                let twos = UInt16(truncatingIfNeeded: fours | fours >> 24)
                unsafe target.storeBytes(of: twos.littleEndian, toByteOffset: 2 * word, as: UInt16.self)
            }
        default:
            for word in 0..<words {
                let pixels = unsafe UInt64(
                    littleEndian: source.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self))
                let pairs = (pixels << 1 | pixels >> 8) & everyOtherByte
                let fours = (pairs << 2 | pairs >> 16) & 0x0000_00FF_0000_00FF
                unsafe target.storeBytes(
                    of: UInt8(truncatingIfNeeded: fours << 4 | fours >> 32), toByteOffset: word, as: UInt8.self)
            }
        }
        let perByte = 8 / depth
        for first in stride(from: words * 8, to: width, by: perByte) {
            var bits: UInt8 = 0
            for column in first..<first + perByte {
                bits = bits << UInt8(depth) | (column < width ? unsafe from[column] : 0)
            }
            unsafe to[first / perByte] = bits
        }
    }

    private static let everyOtherByte: UInt64 = 0x00FF_00FF_00FF_00FF

    /// Every second byte, packed into the lower half.
    @inline(__always)
    private static func gathered(_ bytes: UInt64) -> UInt64 {
        let pairs = (bytes | bytes >> 8) & 0x0000_FFFF_0000_FFFF
        return pairs | pairs >> 16
    }
}
