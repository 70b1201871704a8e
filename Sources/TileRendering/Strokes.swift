import Foundation
import LineGrid
import Styling
import TileMath

/// The line segments of a drawing in pixels of a picture, grouped by the rank of their colour.
struct Strokes {
    /// Grouped by rank; the order within a rank does not matter.
    private(set) var segments: [LineSegment] = []
    /// For each rank its range of `segments`.
    private(set) var ranks: [Range<Int>] = []

    /// The number of lines, each the passage of a track.
    private(set) var lineCount = 0

    private var unordered: [LineSegment] = []
    private var rankOfEach: [UInt8] = []

    var isEmpty: Bool { segments.isEmpty }

    /// Loads the lines of a layout; `lineColors` gives the rank of each segment.
    ///
    /// Segments that are farther than `reach` pixels from the picture are skipped.
    mutating func load(_ lines: TileLines, _ layout: LineTileLayout, _ lineColors: LineColors, reach: Double) {
        unordered.removeAll(keepingCapacity: true)
        rankOfEach.removeAll(keepingCapacity: true)
        let (factor, west, north) = (layout.pixelsPerUnit, layout.west, layout.north)
        let side = layout.scale.side
        let reach = Float(reach)
        lineCount = 0
        for (partIndex, fragment) in lines.fragments.enumerated() {
            for run in lines.runs[fragment.runs] {
                var (lastX, lastY) = (0.0, 0.0)
                let before = unordered.count
                defer { if unordered.count > before { lineCount += 1 } }
                for vertex in run {
                    let x = Double(lines.xs[vertex]) * factor - west
                    let y = Double(lines.ys[vertex]) * factor - north
                    defer { (lastX, lastY) = (x, y) }
                    if vertex == run.lowerBound {
                        // A run of one vertex is a point, which is drawn as a segment without length.
                        guard run.count == 1 else { continue }
                        (lastX, lastY) = (x, y)
                    }
                    guard let segment = LineSegment(fromX: lastX, lastY, toX: x, y),
                        segment.mayTouch(side: side, reach: reach)
                    else { continue }
                    unordered.append(segment)
                    rankOfEach.append(lineColors.rank(of: vertex, in: run, ofFragment: partIndex, lines))
                }
            }
        }
        sort(ranks: lineColors.count)
    }

    /// Loads the points of a layout: rank 0 for recorded points, 1 for waypoints.
    mutating func load(_ points: TilePoints, _ layout: LineTileLayout, reach: Double) {
        unordered.removeAll(keepingCapacity: true)
        rankOfEach.removeAll(keepingCapacity: true)
        let (factor, west, north) = (layout.pixelsPerUnit, layout.west, layout.north)
        let side = layout.scale.side
        for index in points.xs.indices {
            let (x, y) = (Double(points.xs[index]) * factor - west, Double(points.ys[index]) * factor - north)
            guard let dot = LineSegment(fromX: x, y, toX: x, y), dot.mayTouch(side: side, reach: Float(reach)) else {
                continue
            }
            unordered.append(dot)
            rankOfEach.append(points.areWaypoints[index] ? 1 : 0)
        }
        sort(ranks: 2)
    }

    /// Loads decorations, scaled to the size of the picture: rank 0 for arrows, 1 for starts, 2 for ends.
    mutating func load(_ decorations: TileDecorations, _ scale: TileScale) {
        unordered.removeAll(keepingCapacity: true)
        rankOfEach.removeAll(keepingCapacity: true)
        let factor = Double(scale.rawValue)
        func add(_ fromX: Double, _ fromY: Double, _ toX: Double, _ toY: Double, rank: UInt8) {
            let segment = LineSegment(fromX: fromX * factor, fromY * factor, toX: toX * factor, toY * factor)
            guard let segment else { return }
            unordered.append(segment)
            rankOfEach.append(rank)
        }
        for arrow in decorations.arrows {
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
        for position in decorations.starts { add(position.x, position.y, position.x, position.y, rank: 1) }
        for position in decorations.ends { add(position.x, position.y, position.x, position.y, rank: 2) }
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
            swap(&segments, &unordered)
            return
        }
        segments.removeAll(keepingCapacity: true)
        segments.append(contentsOf: unordered)
        for (segment, rank) in zip(unordered, rankOfEach) {
            segments[next[Int(rank)]] = segment
            next[Int(rank)] += 1
        }
    }
}

/// The ranks of line segments in a symbolizer.
struct LineColors {
    /// The number of ranks.
    let count: Int

    private enum Mapping {
        /// All segments have rank 0.
        case one
        /// By track fragment.
        case fragments([UInt8])
        /// By the code of the speed.
        case speeds([UInt8])
        /// By elevation, from the lowest elevation of the lines upwards.
        case elevations([UInt8], lowest: Int)
        /// By direction: the code is the rank.
        case directions
    }

    private let mapping: Mapping

    /// The ranks of `lines`; `fragmentRanks` has one for each track fragment if the symbolizer colours by activity or age.
    init(_ symbolizer: LineSymbolizer, _ lines: TileLines, fragmentRanks: [UInt8]) {
        count = symbolizer.palette.count
        switch symbolizer.coloring {
        case .fixed: mapping = .one
        case .activity, .age:
            precondition(fragmentRanks.count == lines.fragments.count, "a rank for each part")
            mapping = .fragments(fragmentRanks)
        case .speed:
            mapping = .speeds(
                (0...UInt8.max).map { UInt8(symbolizer.rank(metresPerSecond: SpeedCode.metresPerSecond($0))) })
        case .elevation:
            let known = lines.elevations.lazy.filter { $0 != TileLines.noElevation }
            guard let lowest = known.min(), let highest = known.max() else {
                mapping = .one
                return
            }
            mapping = .elevations(
                (lowest...highest).map { UInt8(symbolizer.rank(elevation: Double($0))) }, lowest: Int(lowest))
        case .direction: mapping = .directions
        }
    }

    /// The rank of the segment that ends at a vertex of a run, or of the point if the run has one vertex.
    func rank(of vertex: Int, in run: Range<Int>, ofFragment fragment: Int, _ lines: TileLines) -> UInt8 {
        let isPoint = vertex == run.lowerBound
        switch mapping {
        case .one: return 0
        case .fragments(let ranks): return ranks[fragment]
        case .speeds(let ranks): return isPoint ? 0 : ranks[Int(lines.speeds[vertex])]
        case .elevations(let ranks, let lowest):
            let start = lines.elevations[isPoint ? vertex : vertex - 1]
            let end = lines.elevations[vertex]
            guard start != TileLines.noElevation || end != TileLines.noElevation else { return 0 }
            if start == TileLines.noElevation { return ranks[Int(end) - lowest] }
            if end == TileLines.noElevation { return ranks[Int(start) - lowest] }
            return ranks[(Int(start) + Int(end)) / 2 - lowest]
        case .directions:
            guard !isPoint else { return 0 }
            return UInt8(
                LineProperty.code(
                    east: lines.xs[vertex] &- lines.xs[vertex - 1], south: lines.ys[vertex] &- lines.ys[vertex - 1]))
        }
    }
}
