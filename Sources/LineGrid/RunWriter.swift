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
        // Per vertex: two coordinates of up to 5 bytes, a speed of up to 2, and an elevation of up to 3; 10 for the head
        // of the run, 1 for half a byte at the end.
        let needed = count + range.count * 15 + 11
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
        var nibbles = NibbleWriter(at: position)
        if flags & LineRuns.speedFlag != 0 {
            let speeds = level.speeds.span
            var last: Int64 = 0
            for index in range.dropFirst() {
                let speed = Int64(speeds[index])
                nibbles.put(Varint.zigzag(speed - last), into: &out)
                last = speed
            }
        }
        if flags & LineRuns.elevationFlag != 0 {
            let elevations = level.elevations.span
            var last: Int64 = 0
            for index in range {
                let elevation = Int64(elevations[index])
                if elevation == TileLines.noElevation {
                    nibbles.put(0, into: &out)
                } else {
                    nibbles.put(Varint.zigzag(elevation - last) + 1, into: &out)
                    last = elevation
                }
            }
        }
        count = nibbles.end
    }
}
