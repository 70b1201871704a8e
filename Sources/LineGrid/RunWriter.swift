import Text

/// Writes the bytes of fragments into an array whose memory is reused.
struct RunWriter: Sendable {
    private var bytes: [UInt8] = []
    private(set) var count = 0

    /// The bytes written since the last `clear`.
    var written: ArraySlice<UInt8> { bytes[..<count] }

    mutating func clear() {
        count = 0
    }

    /// Writes the vertices `range` of a level as a run of the tile whose north-western corner is at `west`, `north`.
    mutating func write(_ level: ZoomLevelLines, _ range: Range<Int>, west: Int64, north: Int64, flags: UInt64) {
        // Per vertex: two coordinates of up to 5 bytes, a speed, and an elevation of up to 3; 10 for the head of the
        // run.
        let needed = count + range.count * 14 + 10
        if bytes.count < needed {
            bytes.append(contentsOf: repeatElement(0, count: max(needed - bytes.count, bytes.count)))
        }
        var position = count
        var out = bytes.mutableSpan
        Varint.put(UInt64(range.count) << 2 | flags, into: &out, at: &position)
        let (xs, ys) = (level.xs.span, level.ys.span)
        var (lastX, lastY) = (west, north)
        for index in range {
            let (x, y) = (Int64(xs[index]), Int64(ys[index]))
            Varint.put(Varint.zigzag(x - lastX), into: &out, at: &position)
            Varint.put(Varint.zigzag(y - lastY), into: &out, at: &position)
            (lastX, lastY) = (x, y)
        }
        if flags & LineRuns.speedFlag != 0 {
            let speeds = level.speeds.span
            for index in range.dropFirst() {
                out[position] = speeds[index]
                position &+= 1
            }
        }
        if flags & LineRuns.elevationFlag != 0 {
            Self.writeElevations(level.elevations.span, range, &out, &position)
        }
        count = position
    }

    private static func writeElevations(
        _ elevations: borrowing Span<Int16>, _ range: Range<Int>, _ out: inout MutableSpan<UInt8>, _ position: inout Int
    ) {
        var last: Int64 = 0
        for index in range {
            let elevation = elevations[index]
            if elevation == TileLines.noElevation {
                Varint.put(0, into: &out, at: &position)
            } else {
                Varint.put(Varint.zigzag(Int64(elevation) - last) + 1, into: &out, at: &position)
                last = Int64(elevation)
            }
        }
    }
}
