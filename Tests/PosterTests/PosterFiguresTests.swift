import Files
import TestLibrary
import TestSupport
import Testing
import TileDrawing
import TileLog
import TileMath
import TrackStore
import Tracks

@testable import Poster

struct PosterFiguresTests {
    @Test(
        "Years are those of the window, also of a track that began before it or ended after it",
        arguments: [
            (nil, nil, 2016...2018), (17_167, nil, 2017...2018), (nil, 17_166, 2016...2016),
            (17_167, 17_531, 2017...2017),
        ])
    func years(_ from: Int32?, _ to: Int32?, _ expected: ClosedRange<Int>) throws {
        let folder = try TemporaryFolder()
        let library = try Library(in: folder, zone: "UTC")
        // From the afternoon of 2016-12-31 to the morning of 2018-01-01, a point a day.
        let points = (0...366).map { index in
            TestPoint(
                longitude: 134_000_000 + Int64(index) * 1000, latitude: 525_000_000,
                time: 1_483_196_400_000 + Int64(index) * 86_300_000)
        }
        try library.database.add(points.chunks(), RecordingHeader(source: "a.gpx"))
        var request = PosterRequest(box: try #require(BoundingBox(west: 13, south: 52, east: 14, north: 53)))
        request.selection.window = TimeWindow(from: from.map { .day($0) }, to: to.map { .day($0) })
        let figures = try PosterFigures(request, in: library, isCancelled: { false })
        #expect(figures.tracks == 1 && figures.years == expected)
    }
}
