/// How indices become the rows of a PNG: several pixels in a byte, the first in the highest bits, each row behind a
/// byte that names its filter.
///
/// The filter is always none: neighbouring indices are alike, their differences are not smaller.
@safe
enum PixelPacking {
    /// Bits a pixel: the fewest of 1, 2, 4 and 8 that number all colours.
    static func depth(colors: Int) -> Int {
        switch colors {
        case ...2: 1
        case ...4: 2
        case ...16: 4
        default: 8
        }
    }

    /// Replaces `rows` by the packed rows.
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

    /// Eight pixels at a time: a big-endian word of eight indices is folded thrice, each fold pushing neighbours together.
    private static func packRow(
        _ from: UnsafePointer<UInt8>, width: Int, depth: Int, to: UnsafeMutablePointer<UInt8>
    ) {
        if depth == 8 {
            unsafe to.update(from: from, count: width)
            return
        }
        let source = unsafe UnsafeRawPointer(from)
        let gap = UInt64(8 - depth)
        let pairs = 0x0001_0001_0001_0001 * (UInt64(1) << UInt64(2 * depth) - 1)
        let fours = 0x0000_0001_0000_0001 * (UInt64(1) << UInt64(4 * depth) - 1)
        var x = 0
        var place = 0
        while x + 8 <= width {
            var word = unsafe UInt64(bigEndian: source.loadUnaligned(fromByteOffset: x, as: UInt64.self))
            word = (word | word >> gap) & pairs
            word = (word | word >> (2 * gap)) & fours
            word |= word >> (4 * gap)
            for byte in 0..<depth {
                unsafe to[place + byte] = UInt8(truncatingIfNeeded: word >> UInt64(8 * (depth - 1 - byte)))
            }
            place += depth
            x += 8
        }
        guard x < width else { return }
        var bits: UInt64 = 0
        for column in x..<x + 8 {
            bits = bits << UInt64(depth) | (column < width ? unsafe UInt64(from[column]) : 0)
        }
        for byte in 0..<((width - x) * depth + 7) / 8 {
            unsafe to[place + byte] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * (depth - 1 - byte)))
        }
    }
}
