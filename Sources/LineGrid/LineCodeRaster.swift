import Text
import TileLog

/// The properties of a tile's lines: for each pixel with points of lines the codes of all properties.
///
/// Beside a `LineRaster` of the same lines it gives pictures in which lines have several colours. A join like that: the
/// order of lines does not matter, and the codes of a union are the joined codes.
public struct LineCodeRaster: Sendable {
    /// The codes of a pixel: a lane for each `LineProperty`, and one that tells whether there are points.
    private typealias Codes = SIMD8<UInt16>
    private static let usedLane = LineProperty.allCases.count

    /// In the order of `LineRaster.ranks`.
    private var pixels = [Codes](repeating: Codes(), count: RasterGrid.pixelsPerRow * RasterGrid.pixelsPerRow)
    /// The rows of pixels that may have codes; empty without points.
    private var rows = 0..<0

    /// A raster without lines; uses 1.2 MiB.
    public init() {}

    /// Removes all codes.
    public mutating func clear() {
        let used = rows.lowerBound * RasterGrid.pixelsPerRow..<rows.upperBound * RasterGrid.pixelsPerRow
        var all = pixels.mutableSpan
        for index in used { all[index] = Codes() }
        rows = 0..<0
    }

    /// Adds lines; `activity` gives the activity's number of a track.
    public mutating func add(_ lines: TileLines, activity: (Int64) -> UInt8) {
        for fragment in lines.fragments {
            var codes = Codes()
            codes[LineProperty.day.rawValue] = LineProperty.code(day: fragment.day)
            codes[LineProperty.activity.rawValue] = LineProperty.code(activity: activity(fragment.track))
            codes[Self.usedLane] = 1
            let box = Self.add(lines, fragment.runs, codes, &pixels)
            if !box.isEmpty { touch(box.top >> 2..<box.bottom >> 2 + 1) }
        }
    }

    private static func add(
        _ lines: TileLines, _ runs: Range<Int>, _ codes: Codes, _ pixelArray: inout [Codes]
    ) -> RasterBox {
        var pixels = pixelArray.mutableSpan
        var box = RasterBox()
        let (speeds, elevations) = (lines.speeds.span, lines.elevations.span)
        LineRaster.forEachLine(lines, runs) { line, lineBox, vertex, run in
            let found = lines.speedElevationDirection(at: vertex, of: run, speeds, elevations)
            var codes = codes
            codes[LineProperty.speed.rawValue] = found.speed
            codes[LineProperty.elevation.rawValue] = found.elevation
            codes[LineProperty.direction.rawValue] = found.direction
            var last = -1
            line.forEachPoint { x, y in
                let pixel = (y >> 2) &* RasterGrid.pixelsPerRow &+ x >> 2
                guard pixel != last else { return }
                last = pixel
                pixels[pixel] = joined(pixels[pixel], codes)
            }
            if last >= 0 { box.extend(to: lineBox) }
        }
        return box
    }

    @inline(__always)
    private static func joined(_ one: Codes, _ other: Codes) -> Codes {
        var codes = pointwiseMax(one, other)
        let activity = LineProperty.activity.rawValue
        codes[activity] = one[activity] | other[activity]
        return codes
    }

    private mutating func touch(_ others: Range<Int>) {
        rows = rows.isEmpty ? others : min(rows.lowerBound, others.lowerBound)..<max(rows.upperBound, others.upperBound)
    }

    // MARK: Bytes

    /// The codes in a compressed form; a pure function of them.
    ///
    /// First the pixels with points, as varints: the lengths of the alternating stretches without and with points, along
    /// the rows one after the other; a stretch of no length ends them. Then for each property the length of the rest in
    /// bytes, and the difference of each pixel's code from the last one, zigzag, as numbers of a `NibbleWriter`.
    public var encoded: [UInt8] {
        let pixels = pixels.span
        var bytes: [UInt8] = []
        var places: [Int] = []
        var (last, index) = (0, rows.lowerBound * RasterGrid.pixelsPerRow)
        let end = rows.upperBound * RasterGrid.pixelsPerRow
        while index < end {
            guard pixels[index][Self.usedLane] != 0 else {
                index += 1
                continue
            }
            let first = index
            while index < end, pixels[index][Self.usedLane] != 0 {
                places.append(index)
                index += 1
            }
            Varint.append(UInt64(first - last), to: &bytes)
            Varint.append(UInt64(index - first), to: &bytes)
            last = index
        }
        Varint.append(0, to: &bytes)
        Varint.append(0, to: &bytes)
        // A difference has up to 17 bits, six groups of three.
        var numbers = [UInt8](repeating: 0, count: 3 * places.count + 1)
        for property in LineProperty.allCases {
            var out = numbers.mutableSpan
            var writer = NibbleWriter(at: 0)
            var before: Int64 = 0
            for place in places {
                let code = Int64(pixels[place][property.rawValue])
                writer.put(Varint.zigzag(code - before), into: &out)
                before = code
            }
            let count = writer.end
            Varint.append(UInt64(count), to: &bytes)
            bytes += numbers[..<count]
        }
        return bytes
    }

    /// Adds the codes of an encoded raster. The bytes need not be valid; what cannot be decoded is skipped.
    public mutating func join(_ encoded: borrowing Span<UInt8>) {
        let places = Self.places(in: encoded)
        guard let first = places.pixels.first, let last = places.pixels.last else { return }
        touch(first / RasterGrid.pixelsPerRow..<last / RasterGrid.pixelsPerRow + 1)
        for place in places.pixels { pixels[place][Self.usedLane] = 1 }
        for property in LineProperty.allCases {
            var all = pixels.mutableSpan
            let lane = property.rawValue
            Self.forEachCode(of: property, places, in: encoded) { place, code in
                let known = all[place][lane]
                all[place][lane] = property == .activity ? known | code : max(known, code)
            }
        }
    }

    /// Calls `body` with each pixel of an encoded raster, as an index into `LineRaster.ranks`, and its code of a property.
    static func forEachCode(
        of property: LineProperty, in encoded: borrowing Span<UInt8>, _ body: (Int, UInt16) -> Void
    ) {
        forEachCode(of: property, places(in: encoded), in: encoded, body)
    }

    private static func forEachCode(
        of property: LineProperty, _ places: (pixels: [Int], end: Int), in encoded: borrowing Span<UInt8>,
        _ body: (Int, UInt16) -> Void
    ) {
        var cursor = VarintCursor(offset: places.end, end: encoded.count)
        for other in LineProperty.allCases {
            let count = cursor.nextCount(in: encoded)
            guard other == property else {
                cursor.offset += count
                continue
            }
            var nibbles = NibbleCursor(offset: cursor.offset, end: cursor.offset + count)
            var code: Int64 = 0
            for place in places.pixels {
                code &+= Varint.unzigzag(nibbles.next(in: encoded))
                body(place, UInt16(truncatingIfNeeded: code))
            }
            return
        }
    }

    /// The pixels with points, ascending, and the offset of what follows them.
    private static func places(in encoded: borrowing Span<UInt8>) -> (pixels: [Int], end: Int) {
        let count = UInt64(RasterGrid.pixelsPerRow * RasterGrid.pixelsPerRow)
        var cursor = VarintCursor(offset: 0, end: encoded.count)
        var pixels: [Int] = []
        var position = 0
        while !cursor.isAtEnd {
            let gap = Int(min(cursor.next(in: encoded), count))
            let length = Int(min(cursor.next(in: encoded), count))
            guard length > 0, position + gap + length <= Int(count) else { break }
            pixels.append(contentsOf: position + gap..<position + gap + length)
            position += gap + length
        }
        return (pixels, cursor.offset)
    }
}

extension LineRaster {
    /// Raises the ranks of pixels to those of the codes of a property, in the form of `LineCodeRaster.encoded`. The raster
    /// must have ranks, and get the points of the same lines with `join`.
    public mutating func raise(
        _ encoded: borrowing Span<UInt8>, _ property: LineProperty, rank: (UInt16) -> UInt8
    ) {
        var all = ranks.mutableSpan
        LineCodeRaster.forEachCode(of: property, in: encoded) { pixel, code in
            all[pixel] = max(all[pixel], rank(code))
        }
    }
}
