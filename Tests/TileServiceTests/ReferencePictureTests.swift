import Files
import Foundation
import HTTPCore
import PNG
import Styling
import TestLibrary
import TestSupport
import Testing
import TileMath
import TileService
import TrackStore
import Tracks

/// Every built-in style, drawn from a few tracks.
@Suite struct ReferencePictureTests {
    /// Winding tracks through one tile of zoom level 13, of several people, activities and years.
    private static func tracks() -> [([PointColumns], RecordingHeader)] {
        let activities = ["ride", "walk", "run", "hike", nil]
        return (0..<10).map { number in
            var random = SeededRandom(seed: number)
            var place = (east: Double(random.below(40)) - 20, north: Double(random.below(40)) - 20)
            var heading = Double(number)
            let pace = 8 + Double(number) * 6
            let points = (0..<120).map { index -> TestPoint in
                heading += (Double(random.below(100)) - 50) / 120
                place.east += Foundation.cos(heading) * pace
                place.north += Foundation.sin(heading) * pace
                return TestPoint(
                    longitude: longitude + Int64(place.east * 130), latitude: latitude + Int64(place.north * 80),
                    time: 1_400_000_000_000 + Int64(number) * 20_000_000_000 + Int64(index) * 10_000,
                    elevation: Int64(300 + 60 * number + index * 20), isWaypoint: index == 60)
            }
            let header = RecordingHeader(
                activity: activities[number % 5], person: number % 2 == 0 ? nil : "ada", source: "\(number).gpx")
            return (points.chunks(), header)
        }
    }

    private static let longitude: Int64 = 134_000_000
    private static let latitude: Int64 = 525_000_000

    private let folder: TemporaryFolder
    private let server: TileServer

    init() throws {
        folder = try TemporaryFolder()
        let library = try Library(in: folder)
        try library.database.add(Self.tracks())
        try library.catchUp()
        server = try library.server()
    }

    private func tile(of style: String) throws -> [UInt8] {
        // Points are drawn from zoom level 15.
        let tile = try Town.tile(
            style == "points" ? 16 : 13, longitude: Double(Self.longitude) / 1e7, latitude: Double(Self.latitude) / 1e7)
        let response = server.get("/tiles/\(style)/\(tile).png")
        #expect(response.status == .ok)
        return response.bytes
    }

    /// The colours of a legend without its texts, because machines have different fonts.
    private func legendColors(of style: String) throws -> [UInt8] {
        let response = server.get("/legend/\(style).png?z=13")
        #expect(response.status == .ok)
        let image = try PNGReader.image(of: response.bytes)
        return try image.cropped(x: 0..<60, y: 26..<image.height).png()
    }

    @Test(arguments: StyleSheet.builtIn.names) func `A built-in style looks as in its reference picture`(
        style: String
    ) throws {
        try ReferencePictures.compare(try tile(of: style), with: style)
    }

    @Test(arguments: StyleSheet.builtIn.names) func `A legend has the colours of its reference picture`(
        style: String
    ) throws {
        try ReferencePictures.compare(try legendColors(of: style), with: "legend-\(style)")
    }

    @Test func `Every reference picture belongs to a built-in style`() throws {
        let styles = StyleSheet.builtIn.names
        #expect(try ReferencePictures.names() == Set(styles + styles.map { "legend-\($0)" }))
    }

    @Test func `The comparison notices a picture that is shifted by a pixel, and another style`() throws {
        let images = try StyleSheet.builtIn.names.map { (style: $0, image: try ReferencePictures.reference($0)) }
        // The counts of these few tracks are the same everywhere, so a scale for each tile colours them alike.
        let alike: Set = ["heat-cells", "heat-local"]
        for (index, one) in images.enumerated() {
            let (width, height) = (one.image.width, one.image.height)
            let shifted = one.image.cropped(x: 1..<width, y: 0..<height)
            let cropped = one.image.cropped(x: 0..<width - 1, y: 0..<height)
            #expect(ReferencePictures.difference(shifted, cropped) != nil, "\(one.style)")
            for other in images[..<index] where !alike.isSuperset(of: [one.style, other.style]) {
                let difference = ReferencePictures.difference(one.image, other.image)
                #expect(difference != nil, "\(one.style) and \(other.style)")
            }
        }
    }
}
