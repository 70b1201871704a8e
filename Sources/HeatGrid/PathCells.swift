import TileLog
public import TileMath
public import Tracks

/// The cells of lines at every zoom level: cells of zoom level 16, from which coarser ones follow, and cells of long
/// steps, which are drawn only at coarser levels (`StepDetail`).
public struct PathCells: Sendable, Equatable {
    /// The cells at zoom level 16.
    public let deepest: [UInt64]
    /// The cells of long steps by the deepest zoom level at which they are drawn, deepest first; each level at most
    /// once.
    public let longSteps: [ZoomLevelCells]

    /// The size in bytes.
    public var byteCount: Int { longSteps.reduce(deepest.count) { $0 + $1.codes.count } * 8 }

    /// The distinct cells that lines and single places pass through.
    public init(of lines: [[PathVertex]]) {
        var tracer = CellTracer()
        var long = LongStepCells()
        var sorter = CodeSorter()
        for line in lines {
            if let first = line.first, first.isRecorded || line.count == 1 { tracer.visit(first.point) }
            for (start, end) in zip(line, line.dropFirst()) {
                if end.deepestZoom == StepDetail.deepest {
                    tracer.visitLine(from: start.point, to: end.point)
                } else {
                    long.add(from: start.point, to: end.point, zoom: Int(end.deepestZoom), using: &sorter)
                    if end.isRecorded { tracer.visit(end.point) }
                }
            }
        }
        deepest = tracer.takeSorted(using: &sorter)
        longSteps = long.take(using: &sorter)
    }

    /// The cells of a zoom level as runs of ascending codes. A cell may be in several runs and, when coarsened, several
    /// times in one. `body` receives the codes of a run and the number of bits to shift each right.
    func forEachRun(ofZoom zoom: Int, _ body: (_ codes: [UInt64], _ shift: UInt64) -> Void) {
        body(deepest, UInt64(2 * (16 - zoom)))
        for cells in longSteps where cells.zoom >= zoom { body(cells.codes, UInt64(2 * (cells.zoom - zoom))) }
    }

    /// Whether a cell of a zoom level satisfies the predicate.
    public func contains(zoom: ZoomLevel, where fits: (UInt64) -> Bool) -> Bool {
        var found = false
        forEachRun(ofZoom: zoom.number) { codes, shift in
            found = found || codes.contains { fits($0 >> shift) }
        }
        return found
    }
}
