import Foundation
import PNG
import Scene
import SceneRendering
import Styling
import TestSupport
import Testing
import TileMath
import Tracks

@Suite struct ScenePictureTests {
    private let calendar: DayCalendar

    init() throws { calendar = try #require(DayCalendar(zone: "UTC")) }

    /// A walk with a loop.
    private func track(_ count: Int) -> SceneTrack {
        let points = (0..<count).map { index -> ScenePoint in
            let turn = Double(index) / Double(count) * 4 * .pi
            return ScenePoint(
                WorldPoint(longitude: 8 + 0.01 * cos(turn) + 0.00001 * Double(index), latitude: 47 + 0.006 * sin(turn)),
                time: 1_750_000_000_000 + Int64(index) * 1000, elevation: 500 + 80 * sin(turn * 1.5))
        }
        return SceneTrack(id: "a", name: "Loop", segments: [points])
    }

    private func scene(_ view: SceneView, _ count: Int = 500, posts: [ScenePost] = []) throws -> Scene {
        try #require(Scene([track(count)], posts: posts, height: .elevation, view: view, calendar: calendar))
    }

    private func pixel(_ image: RGBAImage, _ x: Int, _ y: Int) -> [UInt8] {
        Array(image.bytes[4 * (y * image.width + x)..<4 * (y * image.width + x) + 4])
    }

    @Test func `from above, the line is where the map has it, to a pixel`() throws {
        let scene = try scene(SceneView(azimuth: 0, tilt: 90, width: 400, height: 300))
        let image = try PNGReader.image(of: ScenePicture(scene).png())
        let background = pixel(image, 2, 2)
        var marked: Set<[Int]> = []
        for y in 0..<image.height {
            for x in 0..<image.width where !(x >= image.width - 60 && y < 60) && pixel(image, x, y) != background {
                marked.insert([x, y])
            }
        }
        let line = scene.tracks[0].segments[0].map { scene.projection.pixel($0.place) }
        for point in line {
            #expect(marked.contains([Int(point.x), Int(point.y)]), "the line is drawn at \(point)")
        }
        // Nothing is drawn farther from it than half its width and a pixel; a label of an hour is allowed for.
        let hours = scene.hours.map { scene.projection.pixel($0.vertex.place) }
        for place in marked {
            let (x, y) = (Double(place[0]) + 0.5, Double(place[1]) + 0.5)
            let isNear = line.contains { hypot($0.x - x, $0.y - y) < 1.25 + 1 + 1.5 }
            let isLabel = hours.contains { abs($0.x - x) < 30 && abs($0.y - y) < 30 }
            #expect(isNear || isLabel, "\(place)")
        }
    }

    @Test(arguments: Theme.allCases) func `equal scenes give equal bytes, with ground and posts`(theme: Theme) throws {
        let view = SceneView(width: 300, height: 200)
        let post = ScenePost(.photo, at: WorldPoint(longitude: 8.01, latitude: 47), time: nil, label: "Hut")
        let scene = try scene(view, posts: [post])
        let green = RGBAImage(
            width: 8, height: 8, bytes: Array(repeating: [0, 160, 0, 255] as [UInt8], count: 64).flatMap { $0 })
        let corner = WorldPoint(x: scene.projection.centre.x - 2_000_000, y: scene.projection.centre.y - 2_000_000)
        let ground = [GroundPicture(green, at: corner, unitsPerPixel: 500_000)]
        let first = try ScenePicture(scene, ground: ground, theme: theme).png()
        #expect(try ScenePicture(scene, ground: ground, theme: theme).png().shown == first.shown)
        let plain = try ScenePicture(scene, theme: theme).png()
        #expect(plain != first)
        // The ground is below all, and fills the picture here.
        let image = try PNGReader.image(of: first)
        #expect(pixel(image, 1, 198) == [0, 160, 0, 255])
        let drawing = try ScenePicture(scene, ground: ground, theme: theme).svg()
        let text = String(decoding: drawing, as: UTF8.self)
        #expect(text.contains("<svg") && text.contains("data:image/png;base64,"))
    }

    @Test func `what is near covers what is far`() throws {
        // Two walls one behind the other: the nearer, lower one is drawn over the farther one.
        func wall(_ id: String, latitude: Double, elevation: Double) -> SceneTrack {
            SceneTrack(
                id: id, name: nil,
                segments: [
                    (0..<20).map {
                        ScenePoint(
                            WorldPoint(longitude: 8 + Double($0) * 0.0005, latitude: latitude), time: Int64($0),
                            elevation: $0 == 0 ? 0 : elevation)
                    }
                ])
        }
        let view = SceneView(azimuth: 0, tilt: 20, width: 300, height: 200)
        let pair = [wall("far", latitude: 47.001, elevation: 100), wall("near", latitude: 47, elevation: 100)]
        let scene = try #require(Scene(pair, height: .elevation, view: view, calendar: calendar))
        let image = try PNGReader.image(of: ScenePicture(scene).png())
        let near = scene.tracks[1].segments[0][10]
        let head = scene.projection.pixel(near.place, height: near.height)
        // The line on top of the near wall has its own colour, unmixed.
        #expect(pixel(image, Int(head.x), Int(head.y)) == [0x00, 0x79, 0x8C, 255])
    }
}
