import Statistics
import TestSupport
import Testing
import TileMath
import Tracks

@testable import TileLog

@Suite struct TileVisitsTests {
    private func step(
        _ x: Int64, _ y: Int64, _ seconds: Int64?, begins: Bool = false, from last: WorldPoint? = nil
    ) -> DayStep {
        let point = WorldPoint(x: x, y: y)
        var step = DayStep(
            point: point, time: seconds.map { $0 * 1000 } ?? PointColumns.untimed, day: 0,
            elevation: DayStep.noElevation,
            begins: begins)
        if let last { step.deepestZoom = StepDetail.deepestZoom(from: last, to: point) }
        return step
    }

    /// A line of places in world units with seconds; the first one begins.
    private func line(_ places: [(Int64, Int64, Int64?)]) -> [DayStep] {
        places.indices.map { index in
            let (x, y, time) = places[index]
            let last = index > 0 ? WorldPoint(x: places[index - 1].0, y: places[index - 1].1) : nil
            return step(x, y, time, begins: index == 0, from: last)
        }
    }

    private func visits(_ steps: [DayStep]) -> [TileVisit] {
        var builder = TileVisitsBuilder()
        builder.add(steps)
        return builder.finish()
    }

    /// The width of a tile of zoom level 17 in world units.
    private let side: Int64 = 1 << 15
    /// A place in the north of Germany, at the north-western corner of a tile.
    private let origin: (x: Int64, y: Int64) = (70_000 << 15, 43_000 << 15)

    private func place(_ columns: Double, _ rows: Double, _ seconds: Int64?) -> (Int64, Int64, Int64?) {
        (origin.x + Int64(columns * Double(side)), origin.y + Int64(rows * Double(side)), seconds)
    }

    private func tiles(_ visits: [TileVisit]) -> [[Int]] {
        visits.map { [$0.tile.x - 70_000, $0.tile.y - 43_000] }
    }

    @Test func `a line visits the tiles that it passes, with the times of their borders`() {
        let found = visits(line([place(0.5, 0.5, 0), place(3.5, 0.5, 300)]))
        #expect(tiles(found) == [[0, 0], [1, 0], [2, 0], [3, 0]])
        #expect(found.map(\.enter) == [0, 50_000, 150_000, 250_000])
        #expect(found.map(\.exit) == [50_000, 150_000, 250_000, 300_000])
        let back = visits(line([place(3.5, 0.5, 0), place(0.5, 0.5, 300)]))
        #expect(tiles(back) == [[3, 0], [2, 0], [1, 0], [0, 0]])
        #expect(tiles(visits(line([place(0.5, 0.5, nil), place(0.5, 2.5, nil)]))) == [[0, 0], [0, 1], [0, 2]])
    }

    @Test(arguments: 0..<20)
    func `lines visit exactly the tiles that contain one of their points, whatever their direction`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            // Whole eighths of a tile: many lines pass through corners and follow borders.
            func eighths() -> Int64 { Int64(random.below(33)) }
            let (start, end) = ((eighths(), eighths()), (eighths(), eighths()))
            func world(_ place: (Int64, Int64)) -> (Int64, Int64, Int64?) {
                (origin.x + place.0 * side / 8, origin.y + place.1 * side / 8, nil)
            }
            let (width, height) = (end.0 - start.0, end.1 - start.1)
            // All crossings of borders are at multiples of 1 / (width × height), and there is one more between any two.
            let parts = 2 * max(1, abs(width)) * max(1, abs(height))
            let expected = Set(
                (0...parts).map { part in
                    [
                        Int((start.0 * parts + width * part) / (8 * parts)),
                        Int((start.1 * parts + height * part) / (8 * parts)),
                    ]
                })
            #expect(Set(tiles(visits(line([world(start), world(end)])))) == expected, "\(start) \(end)")
            #expect(Set(tiles(visits(line([world(end), world(start)])))) == expected, "\(end) \(start)")
        }
    }

    @Test func `a flight visits nothing but the places where it starts and lands`() {
        // A tile is 185 m wide here. At 0.9 tiles a second it is an aircraft: 166 m/s.
        func track(_ seconds: Int64) -> [DayStep] {
            var places: [(Int64, Int64, Int64?)] = []
            var column = 0.0
            for second in 0..<seconds + 21 {
                places.append(place(column, 0.5, second))
                let isFast = (10..<10 + seconds).contains(second)
                column += isFast ? 0.9 : 0.06
            }
            return line(places)
        }
        let flight = visits(track(100))
        #expect(Set(tiles(flight)) == [[0, 0], [90, 0], [91, 0]])
        let short = visits(track(50))
        #expect(Set(tiles(short)).count == 47)
        // A track that begins and ends in flight.
        let aloft = visits(line((0..<200).map { place(Double($0) * 0.9, 0.5, Int64($0)) }))
        #expect(tiles(aloft) == [[0, 0], [179, 0]])
        #expect(aloft.map(\.enter) == [0, 199_000] && aloft.map(\.exit) == [0, 199_000])
        // One with a point each ten minutes.
        let sparse = visits(line((0..<12).map { place(Double($0) * 540, 0.5, Int64($0) * 600) }))
        #expect(tiles(sparse) == [[0, 0], [5940, 0]])
    }

    @Test func `a flight goes on over a silence in which the aircraft flew`() {
        // A flight of 100 s, a silence, and a flight of 100 s that begins some tiles farther.
        func flights(silence seconds: Int64, tiles distance: Double) -> [[Int]] {
            let first = line((0..<100).map { place(Double($0) * 0.9, 0.5, Int64($0)) })
            let start = 99 * 0.9 + distance
            let second = line((0..<100).map { place(start + Double($0) * 0.9, 0.5, 99 + seconds + Int64($0)) })
            return tiles(visits(first + second))
        }
        // At 185 m/s, an hour and three hours.
        #expect(flights(silence: 600, tiles: 600) == [[0, 0], [778, 0]])
        #expect(flights(silence: 10_800, tiles: 10_800) == [[0, 0], [10_978, 0]])
        // The aircraft landed, and took off nearby after an hour: two flights.
        #expect(flights(silence: 3600, tiles: 10) == [[0, 0], [89, 0], [99, 0], [188, 0]])
        // A speed that is that of an aircraft, but for more time than any flight takes.
        #expect(flights(silence: 86_400, tiles: 25_000) == [[0, 0], [89, 0], [25_089, 0], [25_178, 0]])
        // Landed while nothing was recorded, and started so: the places on the ground are visited.
        let ground = line((0..<60).map { place(Double($0) * 0.01, 0.5, Int64($0) - 660) })
        let begins = line((0..<100).map { place(600 + Double($0) * 0.9, 0.5, Int64($0)) })
        let lands = line((0..<60).map { place(1300 + Double($0) * 0.01, 0.5, Int64($0) + 700) })
        #expect(tiles(visits(ground + begins + lands)) == [[0, 0], [1300, 0]])
    }

    @Test func `a long step visits its ends`() {
        let found = visits(line([place(0.5, 0.5, 0), place(400.5, 0.5, 36_000)]))
        #expect(tiles(found) == [[0, 0], [400, 0]])
        let edge = visits(line([(5, 43_000 << 15, 0), (-5 & 0xFFFF_FFFF, 43_000 << 15, 10)]))
        #expect(edge.map(\.tile.x) == [0, 131_071])
        #expect(visits(line([(5, -5, 0), (5, 5, 10)])).map(\.tile.y) == [0])
    }

    @Test func `a line that is cut at midnight goes on`() {
        var steps = line([place(0.5, 0.5, 0), place(2.5, 0.5, 200)])
        var cut = step(place(1.5, 0.5, 100).0, place(1.5, 0.5, 100).1, 100)
        cut.isRecorded = false
        var again = cut
        again.begins = true
        steps.insert(contentsOf: [cut, again], at: 1)
        let found = visits(steps)
        #expect(tiles(found) == [[0, 0], [1, 0], [2, 0]] && found.map(\.exit) == [50_000, 150_000, 200_000])
    }

    @Test(arguments: 0..<20)
    func `visits survive their encoding, and chunks make no difference`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var places: [(Int64, Int64, Int64?)] = []
        var place = self.place(0, 0, 1000)
        for _ in 0..<400 {
            place.0 += Int64(random.below(60_000)) - 25_000
            place.1 += Int64(random.below(60_000)) - 30_000
            let time = (place.2 ?? 1000) + Int64(random.below(40)) - (random.once(in: 9) ? 50 : 0)
            place.2 = time
            places.append(random.once(in: 30) ? (place.0, place.1, nil) : place)
        }
        let steps = line(places)
        let found = visits(steps)
        var builder = TileVisitsBuilder()
        var rest = steps[...]
        while !rest.isEmpty {
            let count = min(rest.count, 1 + random.below(9))
            builder.add(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(builder.finish() == found)
        let bytes = TileVisits.encoded(found)
        var decoded: [TileVisit] = []
        TileVisits.forEach(in: bytes.span) { decoded.append($0) }
        #expect(decoded == found)
        #expect(found.allSatisfy { ($0.enter ?? 0) <= ($0.exit ?? 0) })
        for count in 0..<min(bytes.count, 40) {
            TileVisits.forEach(in: Array(bytes.prefix(count)).span) { _ in }
        }
    }
}
