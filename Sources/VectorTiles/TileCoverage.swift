/// Which pixels of a tile lines have reached, by class: for leaving out lines that show nothing new.
public struct TileCoverage: Sendable {
    /// Pixels along a side, as in pictures of 256 pixels.
    private static let side = 256
    private static let shift = Int32((VectorTile.extent / side).trailingZeroBitCount)
    /// A bit for each class that has reached the pixel.
    private var pixels = [UInt32](repeating: 0, count: side * side)

    public init() {}

    /// Adds lines of a class; returns whether they reach a pixel that no line of the class has reached. What is outside of
    /// the tile does not count.
    ///
    /// Cost: some nanoseconds for each pixel passed.
    public mutating func add(_ lines: TileLineClipper, class number: UInt8) -> Bool {
        let bit = UInt32(1) << UInt32(number % 32)
        let places = lines.places.span
        var isNew = false
        var start = 0
        for end in lines.ends {
            for index in start + 1..<end {
                if add(places[index - 1], places[index], bit) { isNew = true }
            }
            start = end
        }
        return isNew
    }

    private mutating func add(_ from: TilePlace, _ to: TilePlace, _ bit: UInt32) -> Bool {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        // Steps of at most a pixel in the longer direction.
        let steps = max(1, (max(abs(dx), abs(dy)) + (1 << Self.shift) - 1) >> Self.shift)
        // With 12 binary digits behind the point, for which 32 bits are enough.
        let (stepX, stepY) = (dx << 12 / steps, dy << 12 / steps)
        var (x, y) = (from.x << 12, from.y << 12)
        let side = Int32(Self.side)
        var pixels = self.pixels.mutableSpan
        var isNew = false
        for _ in 0...steps {
            let (column, row) = (x >> (12 + Self.shift), y >> (12 + Self.shift))
            x &+= stepX
            y &+= stepY
            guard column >= 0, column < side, row >= 0, row < side else { continue }
            let position = Int(row &* side &+ column)
            if pixels[position] & bit == 0 {
                pixels[position] |= bit
                isNew = true
            }
        }
        return isNew
    }
}
