import Text

extension LineRaster {
    /// The points and counts in a compressed form; a pure function of them.
    ///
    /// First the points, as varints: the lengths of the alternating stretches of points that are not set and that are set,
    /// along the rows one after the other. A stretch of no length ends them. Then the counts: the lengths of the alternating stretches of
    /// pixels without and with a count, each of the latter followed by its counts.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        var stretches = Stretches()
        let words = words.span
        for row in rows {
            for column in 0..<RasterGrid.wordsPerRow {
                let word = words[row * RasterGrid.wordsPerRow + column]
                guard word != 0 else { continue }
                stretches.add(word, at: (row * RasterGrid.wordsPerRow + column) * UInt64.bitWidth, to: &bytes)
            }
        }
        stretches.end(&bytes)
        let counts = counts.span
        var last = 0
        var pixel = 0
        while pixel < counts.count {
            guard counts[pixel] != 0 else {
                pixel += 1
                continue
            }
            let first = pixel
            while pixel < counts.count, counts[pixel] != 0 { pixel += 1 }
            Varint.append(UInt64(first - last), to: &bytes)
            Varint.append(UInt64(pixel - first), to: &bytes)
            for index in first..<pixel { bytes.append(counts[index]) }
            last = pixel
        }
        return bytes
    }

    /// Adds the points of an encoded raster, and its counts if this one has counts. The fragments of both must be
    /// different ones.
    ///
    /// The bytes need not be valid; what cannot be decoded is skipped. Costs some 2 ns a stretch.
    public mutating func join(_ encoded: borrowing Span<UInt8>) {
        var cursor = VarintCursor(offset: 0, end: encoded.count)
        joinPoints(encoded, &cursor)
        if !counts.isEmpty { Self.joinCounts(encoded, &cursor, &counts) }
    }

    private mutating func joinPoints(_ encoded: borrowing Span<UInt8>, _ cursor: inout VarintCursor) {
        let bits = words.count * UInt64.bitWidth
        var position = 0
        var (firstRow, endRow) = (RasterGrid.side, 0)
        var all = words.mutableSpan
        while !cursor.isAtEnd {
            let gap = Int(truncatingIfNeeded: min(cursor.next(in: encoded), UInt64(bits)))
            let length = Int(truncatingIfNeeded: min(cursor.next(in: encoded), UInt64(bits)))
            guard length > 0, position + gap + length <= bits else { break }
            let (first, end) = (position + gap, position + gap + length)
            position = end
            var word = first >> 6
            let lastWord = (end - 1) >> 6
            firstRow = min(firstRow, word / RasterGrid.wordsPerRow)
            endRow = max(endRow, lastWord / RasterGrid.wordsPerRow + 1)
            var mask = UInt64.max << UInt64(first & 63)
            while word < lastWord {
                all[word] |= mask
                mask = .max
                word += 1
            }
            all[word] |= mask & UInt64.max >> UInt64(63 - (end - 1) & 63)
        }
        if firstRow < endRow { touch(firstRow..<endRow) }
    }

    private static func joinCounts(
        _ encoded: borrowing Span<UInt8>, _ cursor: inout VarintCursor, _ counts: inout [UInt8]
    ) {
        var all = counts.mutableSpan
        var position = 0
        while !cursor.isAtEnd {
            let gap = Int(truncatingIfNeeded: min(cursor.next(in: encoded), UInt64(all.count)))
            let length = Int(truncatingIfNeeded: min(cursor.next(in: encoded), UInt64(all.count)))
            position += gap
            guard length > 0, position + length <= all.count, cursor.offset + length <= cursor.end else { return }
            for index in 0..<length {
                let (sum, overflows) = all[position + index].addingReportingOverflow(encoded[cursor.offset + index])
                all[position + index] = overflows ? .max : sum
            }
            cursor.offset += length
            position += length
        }
    }
}

/// Writes the lengths of alternating stretches of bits.
private struct Stretches {
    /// The end of the last stretch that was written.
    private var written = 0
    /// The stretch of set bits that may go on.
    private var first = 0
    private var end = 0

    /// Adds the set bits of a word whose lowest bit is at a position.
    mutating func add(_ word: UInt64, at position: Int, to bytes: inout [UInt8]) {
        var rest = word
        var offset = 0
        while rest != 0 {
            let gap = rest.trailingZeroBitCount
            rest >>= UInt64(gap)
            offset += gap
            let length = (~rest).trailingZeroBitCount
            let start = position + offset
            if start != end {
                write(&bytes)
                first = start
            }
            end = start + length
            offset += length
            // A shift by 64 bits gives 0.
            rest = rest >> UInt64(length)
        }
    }

    private mutating func write(_ bytes: inout [UInt8]) {
        guard end > first else { return }
        Varint.append(UInt64(first - written), to: &bytes)
        Varint.append(UInt64(end - first), to: &bytes)
        written = end
    }

    /// Writes the last stretch and the end: a stretch of no length.
    mutating func end(_ bytes: inout [UInt8]) {
        write(&bytes)
        Varint.append(0, to: &bytes)
        Varint.append(0, to: &bytes)
    }
}
