import TileMath
import Tracks

extension PlaceCells {
    /// When lines were first and last in one of the cells, in milliseconds since 1970; nil if never. For a step that
    /// heat does not draw at this zoom level, only its ends count.
    func times(of lines: [[PathVertex]]) -> ClosedRange<Int64>? {
        let squares = codes.map { code -> Square in
            let square = square(of: code)
            let east = centre.eastwards(to: WorldPoint(x: square.west, y: square.north))
            return Square(
                x: Double(east), y: Double(square.north - centre.y), side: Double(square.side))
        }
        guard let west = squares.map(\.x).min(), let east = squares.map({ $0.x + $0.side }).max(),
            let north = squares.map(\.y).min(), let south = squares.map({ $0.y + $0.side }).max()
        else { return nil }
        var found: ClosedRange<Int64>?
        for line in lines {
            for (start, end) in stretches(of: line) {
                let x = Double(centre.eastwards(to: start.point))
                let y = Double(start.point.y - centre.y)
                let right = Double(start.point.eastwards(to: end.point))
                let down = Double(end.point.y - start.point.y)
                guard max(x, x + right) >= west, min(x, x + right) <= east, max(y, y + down) >= north,
                    min(y, y + down) <= south
                else { continue }
                for square in squares {
                    guard let part = square.part(x: x, y: y, right: right, down: down) else { continue }
                    let duration = Double(end.time - start.time)
                    let times = [part.lowerBound, part.upperBound].map { start.time + Int64(duration * $0) }
                    let range = min(times[0], times[1])...max(times[0], times[1])
                    found =
                        found.map {
                            min($0.lowerBound, range.lowerBound)...max($0.upperBound, range.upperBound)
                        } ?? range
                }
            }
        }
        return found
    }

    /// The steps of a line that heat draws at this zoom level, and the recorded places that are in none of them.
    private func stretches(of line: [PathVertex]) -> [(PathVertex, PathVertex)] {
        guard let first = line.first else { return [] }
        var found = first.isRecorded || line.count == 1 ? [(first, first)] : []
        for (start, end) in zip(line, line.dropFirst()) {
            if Int(end.deepestZoom) >= zoom.number {
                found.append((start, end))
            } else if end.isRecorded {
                found.append((end, end))
            }
        }
        return found
    }

    /// A cell relative to the centre.
    private struct Square {
        var x: Double
        var y: Double
        var side: Double

        /// The part of a line inside the square, 0…1 (after Y.-D. Liang and B. A. Barsky, 1984).
        func part(x startX: Double, y startY: Double, right: Double, down: Double) -> ClosedRange<Double>? {
            var low = 0.0
            var high = 1.0
            for (way, toNear) in [(right, x - startX), (down, y - startY)] {
                let toFar = toNear + side
                if way == 0 {
                    // The western and northern sides belong to the cell, the other two to its neighbours.
                    guard toNear <= 0, toFar > 0 else { return nil }
                    continue
                }
                low = max(low, min(toNear / way, toFar / way))
                high = min(high, max(toNear / way, toFar / way))
            }
            return low <= high ? low...high : nil
        }
    }
}
