import TestSupport
import Testing
import TileLog
import TileMath
import Tracks

@testable import LineGrid

/// Compares reading only the points near a tile with reading whole tracks.
@Suite struct NearTileTests {
    private static let chunkPoints = 150

    /// A random track in, near and far from a tile with all kinds of steps: long, impossible, back in time, untimed, to
    /// 0,0, with runs of jumps, gaps and new segments.
    private func chunks(_ seed: UInt64, round tile: TileCoordinate) -> [PointColumns] {
        var random = SeededRandom(seed: seed)
        let box = BoundingBox(of: tile)
        let side = Int64((box.east - box.west) * 1e7)
        let middle = (east: Int64((box.west + box.east) / 2 * 1e7), north: Int64((box.south + box.north) / 2 * 1e7))
        var place = middle
        var time: Int64 = 1_700_000_000_000
        var wrongPoints = 0
        return (0..<4).map { _ in
            var chunk = PointColumns(
                unit: .decimal(places: 7), longitudes: [], latitudes: [], times: [], segmentStarts: [0])
            var elevations: [Int64] = []
            for index in 0..<Self.chunkPoints {
                let kind = Int.random(in: 0..<50, using: &random)
                time += kind == 0 ? 9_000_000 : kind == 1 ? -40_000 : Int64.random(in: 0...60_000, using: &random)
                let reach = kind == 2 ? side * 80 : kind == 3 ? side * 3 : side / 4
                // Return to the tile at times.
                if index % 40 == 0 { place = middle }
                place.east += Int64.random(in: -reach...reach, using: &random)
                place.north += Int64.random(in: -reach / 2...reach / 2, using: &random)
                place.north = min(max(place.north, -890_000_000), 890_000_000)
                if place.east >= 1_800_000_000 { place.east -= 3_600_000_000 }
                if place.east < -1_800_000_000 { place.east += 3_600_000_000 }
                if kind == 8 { wrongPoints = Int.random(in: 2...12, using: &random) }
                wrongPoints = max(0, wrongPoints - 1)
                if kind == 4, index > 0 { chunk.segmentStarts.append(index) }
                chunk.longitudes.append(kind == 5 ? 0 : place.east)
                chunk.latitudes.append(kind == 5 ? 0 : wrongPoints > 0 ? -place.north + 300_000_000 : place.north)
                chunk.times.append(kind == 6 ? PointColumns.untimed : time)
                elevations.append(kind == 7 ? FieldColumn.absent : Int64.random(in: 0...900, using: &random))
            }
            chunk.fields = [FieldColumn(name: FieldName.elevation, values: .numbers(places: 0, elevations))]
            return chunk
        }
    }

    /// In a town, at the equator on both sides of 180°, at a corner of the map, near 0,0, and one of zoom level 14.
    private static let tiles = [
        (16, 34_434, 21_926), (16, 0, 32_768), (16, 65_535, 32_767), (16, 65_535, 0), (12, 2048, 2047),
        (14, 8700, 5400),
    ].compactMap { zoom, x, y in ZoomLevel(zoom).flatMap { TileCoordinate(zoom: $0, x: x, y: y) } }

    @Test(arguments: tiles) func `reading only the points near a tile gives the same lines as reading whole tracks`(
        tile: TileCoordinate
    ) throws {
        let calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
        let units = RecordedUnits.perSide(zoom: tile.zoom)
        let kinds = [OutlierDetector.Kind.stream, .file(longSegments: []), .file(longSegments: Set(0..<99))]
        for seed in UInt64(1)...12 {
            for (kind, gap) in zip(kinds, [GapRule.standard, .none, .pause(milliseconds: 30_000)]) {
                var splitters = (
                    all: DaySplitter(
                        calendar: calendar, detector: OutlierDetector(gap: gap, kind: kind, outlierRule: .standard)),
                    near: DaySplitter(
                        calendar: calendar, detector: OutlierDetector(gap: gap, kind: kind, outlierRule: .standard))
                )
                var steps: (all: [DayStep], near: [DayStep]) = ([], [])
                for chunk in chunks(seed, round: tile) {
                    splitters.all.add(chunk, into: &steps.all)
                    splitters.near.add(chunk, near: BufferedTileBounds(round: tile), into: &steps.near)
                }
                splitters.all.finish(into: &steps.all)
                splitters.near.finish(into: &steps.near)
                #expect(steps.near.count < steps.all.count)
                let found = [steps.all, steps.near].map { steps in
                    var lines = RecordedLines(tile, unitsPerSide: units)
                    lines.add(steps, ofTrack: 7)
                    lines.finish(track: 7)
                    return lines.allLines
                }
                #expect(!found[0].isEmpty)
                #expect(found[0] == found[1], "\(tile), seed \(seed), \(gap)")
            }
        }
    }

    @Test(arguments: tiles) func `reading only the points near a tile gives the same points as reading whole tracks`(
        tile: TileCoordinate
    ) throws {
        let calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
        let units = RecordedUnits(tile, perSide: RecordedUnits.perSide(zoom: tile.zoom))
        for seed in UInt64(1)...12 {
            let kind = OutlierDetector.Kind.file(longSegments: [])
            let chunks = chunks(seed, round: tile)
            var walk = OutlierDetector(gap: .standard, kind: kind, outlierRule: .standard)
            var classified: [ClassifiedPoint] = []
            for chunk in chunks { walk.add(chunk, into: &classified) }
            walk.finish(into: &classified)
            let expected = classified.filter { $0.outlierReason == nil }.flatMap {
                units.positions(of: TimedPlace($0).point)
            }
            var recorded = RecordedTilePoints(tile, calendar: calendar)
            var near = OutlierDetector(gap: .standard, kind: kind, outlierRule: .standard)
            for (index, chunk) in chunks.enumerated() {
                recorded.add(chunk, ofTrack: 7, detector: &near, begins: index == 0)
            }
            recorded.finish(track: 7, detector: &near)
            let found = recorded.points(WindowDays(.allTime, in: calendar), filter: .all)
            #expect(!expected.isEmpty)
            #expect(found.xs == expected.map { $0.0 } && found.ys == expected.map { $0.1 }, "\(tile), seed \(seed)")
        }
    }

    @Test func `each point has its own fields, also the last point of a chunk`() {
        let chunks = [[3, 4, 5], [6], [7, 8]].map { elevations in
            PointColumns(
                unit: .decimal(places: 7), longitudes: elevations.map { _ in 0 }, latitudes: elevations.map { _ in 0 },
                times: elevations.map { _ in 0 }, segmentStarts: [],
                fields: [
                    FieldColumn(name: FieldName.elevation, values: .numbers(places: 0, elevations)),
                    FieldColumn(name: FieldName.waypoint, values: .numbers(places: 0, elevations.map { $0 % 2 })),
                ])
        }
        var fields = ClassifiedFields()
        var first = 0
        for chunk in chunks {
            fields.take(DrawnFields(chunk))
            for index in max(0, first - 1)..<first + chunk.count {
                #expect(fields.elevation(at: index) == Int16(index + 3))
                #expect(fields.isWaypoint(at: index) == (index % 2 == 0))
            }
            first += chunk.count
        }
        #expect(fields.elevation(at: first) == DrawnFields.noElevation)
    }

    @Test func `the digest of fields does not depend on chunk boundaries and distinguishes waypoints from elevations`()
    {
        func digest(_ parts: [[(elevation: Int64, waypoint: Int64)]]) -> UInt64 {
            var digest = DrawnFieldsDigest()
            for part in parts {
                digest.add(
                    DrawnFields(
                        PointColumns(
                            unit: .decimal(places: 7), longitudes: part.map { _ in 0 }, latitudes: part.map { _ in 0 },
                            times: part.map { _ in 0 }, segmentStarts: [],
                            fields: [
                                FieldColumn(
                                    name: FieldName.elevation, values: .numbers(places: 0, part.map(\.elevation))),
                                FieldColumn(
                                    name: FieldName.waypoint, values: .numbers(places: 0, part.map(\.waypoint))),
                            ])))
            }
            return digest.value
        }
        let none = FieldColumn.absent
        let points: [(elevation: Int64, waypoint: Int64)] = [(5, none), (none, 1), (7, 1), (none, none), (-3, 0)]
        let whole = digest([points])
        for cut in 1..<points.count { #expect(digest([Array(points[..<cut]), Array(points[cut...])]) == whole) }
        for index in points.indices {
            var other = points
            other[index].waypoint = other[index].waypoint == 1 ? none : 1
            #expect(digest([other]) != whole)
        }
        #expect(digest([[(none, none), (none, 0)]]) == 0)
    }
}
