import PieceLog
public import Tracks

/// Cells of zoom level 16 along lines.
public enum PathCells {
    /// The distinct cells that lines and single places pass through, as Morton codes of 48 bits, ascending.
    public static func of(_ lines: [[PathPlace]]) -> [UInt64] {
        var tracer = CellTracer()
        for line in lines {
            if line.count == 1 { tracer.visit(line[0].point) }
            for (start, end) in zip(line, line.dropFirst()) { tracer.visitLine(from: start.point, to: end.point) }
        }
        var sorter = CodeSorter()
        return tracer.takeSorted(using: &sorter)
    }
}
