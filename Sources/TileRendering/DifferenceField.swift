import HeatGrid
import Styling
import TileMath

/// Widens the cells of a comparison into lines as wide as those of a kernel.
///
/// Increases and decreases are spread and added separately, as a kernel does it with counts: the days of a street that lie
/// in several cells beside one another count together, and one more day in one cell and one less in the next are not a
/// change. How far a pixel fades depends on the nearest cell alone, so that a line of any difference is equally wide.
struct DifferenceField {
    /// What cells contribute to pixels.
    private struct Sums {
        /// For each pixel of the field, row by row, the greatest weight of a cell.
        var weights: [UInt32] = []
        /// The weighted increases and decreases.
        var more: [Int64] = []
        var less: [Int64] = []

        mutating func clear(_ count: Int) {
            weights.removeAll(keepingCapacity: true)
            weights.append(contentsOf: repeatElement(0, count: count))
            for list in [\Sums.more, \Sums.less] {
                self[keyPath: list].removeAll(keepingCapacity: true)
                self[keyPath: list].append(contentsOf: repeatElement(0, count: count))
            }
        }
    }

    private var sums = Sums()
    /// The palette indices of the field's pixels, row by row.
    private(set) var indices: [UInt8] = []
    /// A bit for each palette index that occurs.
    private(set) var used: UInt64 = 1
    /// For each row of the field, a bit for each block of pixels that may be non-zero.
    private(set) var blocks: [UInt64] = []

    /// The weight in the middle of a cell, in each direction.
    private static let middle: Float = 255
    /// Greater differences have the last colour anyway, and sums stay below 2^62.
    private static let maxDifference: Int64 = 1 << 20

    /// Draws encoded differences; false if the result is empty.
    mutating func draw(_ field: HeatField, counts: [CellCounts], palette: DifferencePalette) -> Bool {
        used = 1
        guard counts.contains(where: { !$0.isEmpty }) else { return false }
        let side = field.side * field.factor
        // Moved out of the struct, so that changing it copies nothing.
        var sums = self.sums
        self.sums = Sums()
        sums.clear(side * side)
        var profiles: [Double: Profile] = [:]
        for extent in Set(field.extents) { profiles[extent] = Profile(Kernel(extent: extent, factor: field.factor)) }
        let reach = profiles.values.reduce(0) { max($0, $1.reach) }
        let byteTable = CellLayout.table
        let bytePositions = byteTable.span
        var (profile, profileExtent) = (profiles[field.extents[0]], field.extents[0])
        for placedTile in field.placedTiles {
            let tileCounts = counts[placedTile.index]
            let west = placedTile.column * TileCoordinate.cellsPerSide - field.west
            let north = placedTile.row * TileCoordinate.cellsPerSide - field.north
            let (cells, numbers) = (tileCounts.cells.span, tileCounts.counts.span)
            for index in cells.indices {
                let at = CellLayout.position(of: cells[index], bytePositions)
                let (x, y) = (west + at & 255, north + at >> 8)
                guard y >= -reach, y < field.side + reach, x >= -reach, x < field.side + reach else { continue }
                let extent = field.extents[min(max(y, 0), field.side - 1)]
                if extent != profileExtent { (profile, profileExtent) = (profiles[extent], extent) }
                guard let profile else { continue }
                let difference = Int64(numbers[index]) - Int64(ColorTable.zeroDifference)
                let corner = (x: (x - profile.reach) * field.factor, y: (y - profile.reach) * field.factor)
                Self.draw(profile, min(max(difference, -Self.maxDifference), Self.maxDifference), corner, side, &sums)
            }
        }
        color(field, sums, palette) { extent in profiles[extent]?.unit ?? 1 }
        self.sums = sums
        return used != 1
    }

    /// Draws one cell, of which the kernel begins at a corner.
    @inline(__always)
    private static func draw(
        _ profile: Profile, _ difference: Int64, _ corner: (x: Int, y: Int), _ side: Int, _ sums: inout Sums
    ) {
        let columns = max(0, corner.x)..<max(0, min(side, corner.x + profile.weights.count))
        let rows = max(0, corner.y)..<max(0, min(side, corner.y + profile.weights.count))
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let weights = profile.weights.span
        let across = weights.extracting(columns.lowerBound - corner.x..<columns.upperBound - corner.x)
        for row in rows {
            let down = weights[row - corner.y]
            let pixels = row * side + columns.lowerBound..<row * side + columns.upperBound
            var all = sums.weights.mutableSpan
            var line = all._mutatingExtracting(pixels)
            for pixel in across.indices { line[pixel] = max(line[pixel], across[pixel] &* down) }
            if difference > 0 {
                var more = sums.more.mutableSpan
                var line = more._mutatingExtracting(pixels)
                for pixel in across.indices { line[pixel] &+= Int64(across[pixel] &* down) &* difference }
            } else if difference < 0 {
                var less = sums.less.mutableSpan
                var line = less._mutatingExtracting(pixels)
                for pixel in across.indices { line[pixel] &-= Int64(across[pixel] &* down) &* difference }
            }
        }
    }

    /// Turns sums into palette indices.
    private mutating func color(
        _ field: HeatField, _ sums: Sums, _ palette: DifferencePalette, unit: (Double) -> Double
    ) {
        let side = field.side * field.factor
        let block = HeatField.blockPixels
        var indices = self.indices
        self.indices = []
        if indices.count != side * side { indices = [UInt8](repeating: 0, count: side * side) }
        var blocks = [UInt64](repeating: 0, count: side)
        var bits: UInt64 = 1
        let (weights, more, less) = (sums.weights.span, sums.more.span, sums.less.span)
        var target = indices.mutableSpan
        for row in 0..<side {
            let unit = unit(field.extents[row / field.factor])
            var mask: UInt64 = 0
            for first in stride(from: 0, to: side, by: block) {
                var blockBits: UInt64 = 0
                for pixel in row * side + first..<row * side + first + block {
                    let paletteIndex =
                        weights[pixel] == 0
                        ? 0 : palette.index(weight: weights[pixel], more: more[pixel], less: less[pixel], unit: unit)
                    target[pixel] = paletteIndex
                    blockBits |= 1 &<< UInt64(paletteIndex)
                }
                bits |= blockBits
                if blockBits != 1 { mask |= 1 &<< UInt64(first / block) }
            }
            blocks[row] = mask
        }
        self.indices = indices
        self.blocks = blocks
        used = bits
    }

    /// The weights of the pixels around a cell in one direction.
    private struct Profile {
        let reach: Int
        let weights: [UInt32]
        /// The sum of the weights of a straight line of cells along its middle.
        let unit: Double

        init(_ kernel: Kernel) {
            reach = kernel.reach
            let greatest = kernel.weights.max() ?? 1
            let weights = (0..<kernel.taps * kernel.factor).map { pixel in
                // The pixel's cell is `pixel / factor − reach` cells away from the cell that is drawn; seen from the
                // pixel, that cell is on the other side.
                let tap = 2 * kernel.reach - pixel / kernel.factor
                let weight = kernel.weights[pixel % kernel.factor * kernel.taps + tap]
                return UInt32((weight / greatest * DifferenceField.middle).rounded())
            }
            let sum = stride(from: kernel.factor / 2, to: weights.count, by: kernel.factor).reduce(0) {
                $0 + weights[$1]
            }
            unit = Double(sum) * Double(DifferenceField.middle)
            self.weights = weights
        }
    }
}
