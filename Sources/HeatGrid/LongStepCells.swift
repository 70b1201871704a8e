import TileLog
import TileMath

/// Collects the cells of the long steps of one day, each at the deepest zoom level at which it is drawn.
///
/// A step has at most about 4,600 cells (`StepDetail`): 36 KiB while they are collected.
struct LongStepCells: Sendable {
    private var codes: [Int: [UInt64]] = [:]
    private var tracers: [Int: CellTracer] = [:]
    /// The number of collected codes, including duplicates.
    private(set) var codeCount = 0

    /// Adds the cells of a line at a zoom level.
    mutating func add(from start: WorldPoint, to end: WorldPoint, zoom: Int, using sorter: inout CodeSorter) {
        var tracer = tracers.removeValue(forKey: zoom) ?? CellTracer(zoom: zoom)
        tracer.visitLine(from: start, to: end)
        let cells = tracer.takeSorted(using: &sorter)
        codes[zoom, default: []] += cells
        codeCount += cells.count
        tracers[zoom] = tracer
    }

    /// Returns the distinct cells by zoom level, deepest first, and clears the collection.
    mutating func take(using sorter: inout CodeSorter) -> [ZoomLevelCells] {
        defer {
            codes = [:]
            codeCount = 0
        }
        return codes.sorted { $0.key > $1.key }.compactMap { zoom, gathered in
            guard !gathered.isEmpty else { return nil }
            var distinct = gathered
            sorter.sortDistinct(&distinct)
            return ZoomLevelCells(zoom: zoom, codes: distinct)
        }
    }
}
