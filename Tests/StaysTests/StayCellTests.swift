import TestSupport
import Testing
import Tracks

@testable import Stays

@Suite struct StayCellTests {
    private func cells(_ rows: [[UInt8]], from offset: Int = 0) -> [StayCell] {
        var sum = StayCellSum()
        for row in rows { sum.add(row, from: offset) }
        var cells: [StayCell] = []
        sum.forEachMinute { cells += $0 }
        return cells
    }

    private func encoded(_ cells: [StayCell]) -> [UInt8] {
        var base = StayCells.Base()
        var bytes: [UInt8] = []
        for cell in cells { StayCells.append(cell, after: &base, to: &bytes) }
        return bytes
    }

    /// Cells in the order of a row, with points anywhere on Earth.
    private func random(_ seed: Int, count: Int) -> [StayCell] {
        var random = SeededRandom(seed: seed)
        var cells: [StayCell] = []
        var minute = -2_000_000 as Int64
        for _ in 0..<count {
            minute += 1 + random.below(200 as Int64)
            for row in 0..<random.below(4 as Int32) {
                let column = random.below(360_001 as Int32)
                var points: [StayCell] = []
                for _ in 0...random.below(3) {
                    let (x, y) = (random.below(10_000 as Int64), random.below(10_000 as Int64))
                    let time = random.below(60_000 as Int32)
                    let place = StayCell.Offset(x: Int32(x), y: Int32(y))
                    points.append(
                        StayCell(
                            minute: minute, row: row * 60_000, column: column, count: 1, x: x, y: y, xx: x * x,
                            yy: y * y, first: time, last: time, firstPlace: place, lastPlace: place))
                }
                var cell = points[0]
                for point in points.dropFirst() { cell.add(point) }
                cells.append(cell)
            }
        }
        return cells
    }

    @Test(arguments: 0..<20) func `cells are the same after encoding and decoding`(seed: Int) {
        let all = random(seed, count: 50)
        let decoded = cells([encoded(all)])
        #expect(decoded.count == all.count && zip(decoded, all).allSatisfy { $0 == $1 })
        let withoutPlaces = all.map { cell in
            var cell = cell
            (cell.firstPlace, cell.lastPlace) = (nil, nil)
            return cell
        }
        let plain = cells([encoded(withoutPlaces)])
        #expect(zip(plain, withoutPlaces).allSatisfy { $0 == $1 })
    }

    @Test(arguments: 0..<20) func `cells of several tracks are added up by minute and square`(seed: Int) {
        let all = random(seed, count: 50)
        var thirds: [[StayCell]] = [[], [], []]
        for (index, cell) in all.enumerated() { thirds[index % 3].append(cell) }
        let sum = cells(thirds.map(encoded))
        #expect(sum.count == all.count && zip(sum, all).allSatisfy { $0 == $1 })
        let doubled = cells([encoded(all), encoded(all)])
        #expect(doubled.map(\.count) == all.map { 2 * $0.count })
        #expect(doubled.map(\.xx) == all.map { 2 * $0.xx })
        #expect(doubled.map(\.arrive) == all.map(\.arrive) && doubled.map(\.leave) == all.map(\.leave))
        #expect(doubled.map(\.lastPlace) == all.map(\.lastPlace))
    }

    @Test func `every place is in its square, also at the ends of the Earth`() {
        for (longitude, latitude) in [
            (-180.0, -90.0), (180, 90), (179.9999999, 89.9999999), (0, 10), (-0.0000001, 9.9999999), (13.4, 52.5),
        ] {
            let row = PointColumns.degrees([(longitude, latitude, -1)]).classified().stayCells
            let cell = cells([row], from: StayRow(row.span)?.runs.upperBound ?? 0)[0]
            #expect(cell.count == 1 && cell.arrive == -1 && cell.leave == -1)
            let position = cell.position(cell.mean.x, cell.mean.y)
            #expect(abs(Double(position.longitude) - longitude * 1e7) < 0.5)
            #expect(abs(Double(position.latitude) - latitude * 1e7) < 0.5)
            #expect((0..<10_000).contains(cell.x) && (0..<10_000).contains(cell.y))
        }
    }

    @Test(.timeLimit(.minutes(1))) func `damaged rows are read to their end`() {
        let row = StayDays.made(seed: 4, stays: 5).chunk.stayCells()
        var random = SeededRandom(seed: 1)
        for length in stride(from: 0, to: row.count, by: 97) { _ = cells([Array(row[..<length])]) }
        for _ in 0..<200 {
            var damaged = row
            for _ in 0..<4 { damaged[random.below(damaged.count)] = UInt8(truncatingIfNeeded: random.next()) }
            var rows = StayRows()
            rows.add(damaged.span, ofTrack: 1)
        }
    }
}
