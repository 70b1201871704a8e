import Foundation
import LineGrid
import Styling
import TileMath

/// The line segments of a drawing in pixels of a picture, grouped by the rank of their colour.
struct Strokes {
    /// Grouped by rank; the order within a rank does not matter.
    private(set) var stretches: [Stretch] = []
    /// For each rank its range of `stretches`.
    private(set) var ranks: [Range<Int>] = []

    private var unordered: [Stretch] = []
    private var rankOfEach: [UInt8] = []

    var isEmpty: Bool { stretches.isEmpty }

    /// Loads the lines of a recipe; `inks` gives the rank of each segment.
    ///
    /// Segments that are farther than `reach` pixels from the picture are skipped.
    mutating func take(_ lines: TileLines, _ recipe: LineRecipe, _ inks: LineColors, reach: Double) {
        unordered.removeAll(keepingCapacity: true)
        rankOfEach.removeAll(keepingCapacity: true)
        let (factor, west, north) = (recipe.pixelsPerUnit, recipe.west, recipe.north)
        let side = recipe.scale.side
        let reach = Float(reach)
        for (partIndex, part) in lines.parts.enumerated() {
            for run in lines.runs[part.runs] {
                var (lastX, lastY) = (0.0, 0.0)
                for vertex in run {
                    let x = Double(lines.xs[vertex]) * factor - west
                    let y = Double(lines.ys[vertex]) * factor - north
                    defer { (lastX, lastY) = (x, y) }
                    if vertex == run.lowerBound {
                        guard run.count == 1 else { continue }
                        (lastX, lastY) = (x, y)
                    }
                    guard let stretch = Stretch(fromX: lastX, lastY, toX: x, y),
                        stretch.comesNear(side: side, reach: reach)
                    else { continue }
                    unordered.append(stretch)
                    rankOfEach.append(inks.rank(of: vertex, in: run, ofPart: partIndex, lines))
                }
            }
        }
        sort(ranks: inks.count)
    }

    /// Loads the points of a recipe: rank 0 for recorded points, 1 for waypoints.
    mutating func take(_ dots: TilePoints, _ recipe: LineRecipe, reach: Double) {
        unordered.removeAll(keepingCapacity: true)
        rankOfEach.removeAll(keepingCapacity: true)
        let (factor, west, north) = (recipe.pixelsPerUnit, recipe.west, recipe.north)
        let side = recipe.scale.side
        for index in dots.xs.indices {
            let (x, y) = (Double(dots.xs[index]) * factor - west, Double(dots.ys[index]) * factor - north)
            guard let dot = Stretch(fromX: x, y, toX: x, y), dot.comesNear(side: side, reach: Float(reach)) else {
                continue
            }
            unordered.append(dot)
            rankOfEach.append(dots.arePins[index] ? 1 : 0)
        }
        sort(ranks: 2)
    }

    /// Loads decorations, scaled to the size of the picture: rank 0 for arrows, 1 for starts, 2 for ends.
    mutating func take(_ marks: TileDecorations, _ scale: TileScale) {
        unordered.removeAll(keepingCapacity: true)
        rankOfEach.removeAll(keepingCapacity: true)
        let factor = Double(scale.rawValue)
        func add(_ fromX: Double, _ fromY: Double, _ toX: Double, _ toY: Double, rank: UInt8) {
            let stretch = Stretch(fromX: fromX * factor, fromY * factor, toX: toX * factor, toY * factor)
            guard let stretch else { return }
            unordered.append(stretch)
            rankOfEach.append(rank)
        }
        for arrow in marks.arrows {
            let (tipX, tipY) = (
                arrow.x + arrow.east * DecorationSymbolizer.tip, arrow.y + arrow.south * DecorationSymbolizer.tip
            )
            let (backX, backY) = (
                arrow.x - arrow.east * DecorationSymbolizer.back, arrow.y - arrow.south * DecorationSymbolizer.back
            )
            for side in [-DecorationSymbolizer.halfSpan, DecorationSymbolizer.halfSpan] {
                add(tipX, tipY, backX - arrow.south * side, backY + arrow.east * side, rank: 0)
            }
        }
        for place in marks.starts { add(place.x, place.y, place.x, place.y, rank: 1) }
        for place in marks.ends { add(place.x, place.y, place.x, place.y, rank: 2) }
        sort(ranks: 3)
    }

    /// Groups the segments by rank (a counting sort).
    private mutating func sort(ranks count: Int) {
        var ends = [Int](repeating: 0, count: count)
        for rank in rankOfEach { ends[Int(rank)] += 1 }
        var next: [Int] = []
        ranks.removeAll(keepingCapacity: true)
        var start = 0
        for number in ends {
            ranks.append(start..<start + number)
            next.append(start)
            start += number
        }
        guard count > 1 else {
            swap(&stretches, &unordered)
            return
        }
        stretches.removeAll(keepingCapacity: true)
        stretches.append(contentsOf: unordered)
        for (stretch, rank) in zip(unordered, rankOfEach) {
            stretches[next[Int(rank)]] = stretch
            next[Int(rank)] += 1
        }
    }
}

/// The ranks of line segments in a symbolizer.
struct LineColors {
    /// The number of ranks.
    let count: Int

    private enum Way {
        /// All segments have rank 0.
        case one
        /// By track fragment.
        case parts([UInt8])
        /// By the code of the speed.
        case speeds([UInt8])
        /// By elevation, from the lowest elevation of the lines upwards.
        case elevations([UInt8], lowest: Int)
        case directions(LineSymbolizer)
    }

    private let way: Way

    /// The ranks of `lines`; `partRanks` has one for each track fragment if the symbolizer colours by activity or age.
    init(_ look: LineSymbolizer, _ lines: TileLines, partRanks: [UInt8]) {
        count = look.palette.count
        switch look.coloring {
        case .fixed: way = .one
        case .activity, .age:
            precondition(partRanks.count == lines.parts.count, "a rank for each part")
            way = .parts(partRanks)
        case .speed:
            way = .speeds(
                (0...UInt8.max).map { UInt8(look.rank(metresPerSecond: SpeedCode.metresPerSecond($0))) })
        case .elevation:
            let known = lines.elevations.lazy.filter { $0 != TileLines.noElevation }
            guard let lowest = known.min(), let highest = known.max() else {
                way = .one
                return
            }
            way = .elevations(
                (lowest...highest).map { UInt8(look.rank(elevation: Double($0))) }, lowest: Int(lowest))
        case .direction: way = .directions(look)
        }
    }

    /// The rank of the segment that ends at a vertex of a run, or of the point if the run has one vertex.
    func rank(of vertex: Int, in run: Range<Int>, ofPart part: Int, _ lines: TileLines) -> UInt8 {
        let isPlace = vertex == run.lowerBound
        switch way {
        case .one: return 0
        case .parts(let ranks): return ranks[part]
        case .speeds(let ranks): return isPlace ? 0 : ranks[Int(lines.speeds[vertex])]
        case .elevations(let ranks, let lowest):
            let start = lines.elevations[isPlace ? vertex : vertex - 1]
            let end = lines.elevations[vertex]
            guard start != TileLines.noElevation || end != TileLines.noElevation else { return 0 }
            if start == TileLines.noElevation { return ranks[Int(end) - lowest] }
            if end == TileLines.noElevation { return ranks[Int(start) - lowest] }
            return ranks[(Int(start) + Int(end)) / 2 - lowest]
        case .directions(let look):
            guard !isPlace else { return 0 }
            let east = Double(lines.xs[vertex]) - Double(lines.xs[vertex - 1])
            let south = Double(lines.ys[vertex]) - Double(lines.ys[vertex - 1])
            guard east != 0 || south != 0 else { return 0 }
            return UInt8(look.rank(direction: atan2(east, -south)))
        }
    }
}
