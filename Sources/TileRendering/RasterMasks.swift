public import LineGrid
public import Styling

/// The masks of a picture's lines, through a raster of quarter pixels.
///
/// Memory and time do not depend on the number of lines once these are in the raster: a mask takes 0.1 ms for few lines
/// and 1 ms for a tile full of them.
struct RasterMasks {
    private var raster = LineRaster()
    /// The points of one rank.
    private var pointsOfRank: [UInt64] = []
    private var brushed = BrushedRaster()
    /// The ranks of the raster's points, ascending.
    private(set) var ranks: [Int] = []

    /// The part of the dense colour for each number of fragments.
    private static let shares: [Float] = (0...255).map { LineSymbolizer.denseShare(lines: Float($0)) }

    /// Whether there are no lines.
    var isEmpty: Bool { raster.isEmpty }

    /// Replaces the lines.
    mutating func load(_ drawing: LineDrawing) {
        let symbolizer = drawing.symbolizer
        let colors = LineColors(symbolizer, drawing.lines, fragmentRanks: drawing.fragmentRanks)
        raster.clear(hasRanks: symbolizer.palette.count > 1, hasCounts: symbolizer.dense != nil)
        var codeRanks = CodeRanks(drawing.codeRank)
        for other in drawing.rasters {
            raster.join(other.points.span)
            guard let property = symbolizer.property else { continue }
            raster.raise(other.codes.span, property) { codeRanks.rank(of: $0) }
        }
        raster.add(drawing.lines) { colors.rank(of: $0, in: $1, ofFragment: $2, drawing.lines) }
        hasDensity = Self.shares[Int(raster.greatestCount)] > 0
        ranks = raster.ranks.isEmpty ? [0] : raster.ranksOfPoints
    }

    /// Whether some pixel shows the dense colour.
    private(set) var hasDensity = false

    /// Draws all lines with a brush.
    mutating func draw(_ brush: LineBrush) {
        brushed.draw(raster.words, rows: raster.rows, brush)
    }

    /// Draws the lines of a rank with a brush.
    mutating func draw(_ brush: LineBrush, rank: Int) {
        guard ranks.count > 1 else { return draw(brush) }
        raster.copyPoints(ofRank: UInt8(rank), to: &pointsOfRank)
        brushed.draw(pointsOfRank, rows: raster.rows, brush)
    }

    /// Writes the mask of the lines drawn last; `mask` must be clear.
    func cover(_ mask: inout MutableSpan<UInt8>, bytesPerRow: Int) {
        brushed.cover(&mask, bytesPerRow: bytesPerRow)
    }

    /// As `cover`, with the part of the dense colour at each pixel.
    func coverByCount(_ mask: inout MutableSpan<UInt8>, bytesPerRow: Int) {
        brushed.cover(&mask, bytesPerRow: bytesPerRow)
        let (counts, shares) = (raster.counts.span, Self.shares.span)
        let (margin, pixelsPerRow, side) = (TileLines.marginPixels, RasterGrid.pixelsPerRow, Self.side)
        for y in brushed.pixelRows {
            let row = (y + margin) * pixelsPerRow + margin
            for x in 0..<side {
                let at = y * bytesPerRow + x
                guard mask[at] > 0 else { continue }
                mask[at] = UInt8(Float(mask[at]) * shares[Int(counts[row + x])] + 0.5)
            }
        }
    }

    /// Pixels of a tile's side.
    private static let side = TileLines.unitsPerSide / TileLines.unitsPerPixel
}

/// The ranks of codes, each computed once.
private struct CodeRanks {
    private let compute: (UInt16) -> UInt8
    /// One more than the rank of each code; 0 if it is not known yet. Few of the codes occur.
    private var known: [UInt16] = []

    init(_ compute: @escaping (UInt16) -> UInt8) {
        self.compute = compute
    }

    mutating func rank(of code: UInt16) -> UInt8 {
        if known.isEmpty { known = [UInt16](repeating: 0, count: 1 << 16) }
        let found = known[Int(code)]
        if found > 0 { return UInt8(found - 1) }
        let rank = compute(code)
        known[Int(code)] = UInt16(rank) + 1
        return rank
    }
}

extension LineSymbolizer {
    /// The property by which lines are coloured; nil if all have one colour.
    public var property: LineProperty? {
        switch coloring {
        case .fixed: nil
        case .activity: .activity
        case .age: .day
        case .speed: .speed
        case .elevation: .elevation
        case .direction: .direction
        }
    }
}
