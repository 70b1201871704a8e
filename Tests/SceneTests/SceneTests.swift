import Foundation
import Scene
import TestSupport
import Testing
import Text
import TileMath
import Tracks

@Suite struct SceneTests {
    private let calendar: DayCalendar

    init() throws { calendar = try #require(DayCalendar(zone: "Europe/Berlin")) }

    private func ride(
        _ count: Int, longitude: Double = 8, latitude: Double = 47, seed: Int = 1, start: Int64 = 1_750_000_000
    ) -> SceneTrack {
        var random = SeededRandom(seed: seed)
        var (x, y) = (longitude, latitude)
        let points = (0..<count).map { index -> ScenePoint in
            x += Double(random.below(200) - 80) * 1e-6
            y += Double(random.below(200) - 100) * 1e-6
            return ScenePoint(
                WorldPoint(longitude: x, latitude: y), time: (start + Int64(index) * 7) * 1000,
                elevation: 400 + 50 * sin(Double(index) / 40))
        }
        return SceneTrack(id: "t\(seed)", name: "Ride", segments: [points])
    }

    @Test func `from above it is the map, whatever the heights`() throws {
        let track = ride(500)
        let view = SceneView(azimuth: 0, tilt: 90, width: 800, height: 600)
        let scene = try #require(Scene([track], height: .elevation, view: view, calendar: calendar))
        let vertices = scene.tracks[0].segments[0]
        let scale = scene.projection.scale
        let origin = scene.projection.pixel(vertices[0].place, height: vertices[0].height)
        for vertex in vertices {
            let pixel = scene.projection.pixel(vertex.place, height: vertex.height)
            let east = Double(vertices[0].place.eastwards(to: vertex.place)) * scale
            let south = Double(vertex.place.y - vertices[0].place.y) * scale
            #expect(abs(pixel.x - origin.x - east) < 1e-6 && abs(pixel.y - origin.y - south) < 1e-6)
        }
    }

    @Test(arguments: 0..<30) func `all of it is within the picture, from wherever it is seen`(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let view = SceneView(
            azimuth: Double(random.below(360)), tilt: 10 + Double(random.below(81)), width: 64 + random.below(1000),
            height: 64 + random.below(1000))
        let height = SceneHeight.allCases[seed % 3]
        let tracks = [ride(300, seed: seed), ride(200, longitude: 8.02, latitude: 47.01, seed: seed + 1)]
        let scene = try #require(
            Scene(tracks, height: height, view: view, hasCommonStart: seed % 2 == 0, calendar: calendar))
        for vertex in scene.tracks.flatMap({ $0.segments.joined() }) {
            for height in [0, vertex.height] {
                let pixel = scene.projection.pixel(vertex.place, height: height)
                #expect(pixel.x > 0 && pixel.x < Double(view.width) && pixel.y > 0 && pixel.y < Double(view.height))
            }
        }
        // Higher is up, farther is up.
        let one = scene.tracks[0].segments[0][0].place
        if view.tilt < 90 {
            #expect(scene.projection.pixel(one, height: 1e6).y < scene.projection.pixel(one, height: 0).y)
        }
    }

    @Test func `the matrix of the ground is the projection of the ground`() throws {
        for azimuth in [0.0, 37, 90, 180, 315] {
            let view = SceneView(azimuth: azimuth, tilt: 40)
            let scene = try #require(Scene([ride(50)], height: .time, view: view, calendar: calendar))
            let place = scene.projection.centre
            let matrix = scene.projection.groundMatrix(from: place)
            for (x, y) in [(0, 0), (5000, 0), (0, 5000), (-3000, 7000)] as [(Int64, Int64)] {
                let pixel = scene.projection.pixel(WorldPoint(x: place.x + x, y: place.y + y))
                let mapped = (
                    matrix.xx * Double(x) + matrix.xy * Double(y) + matrix.x0,
                    matrix.yx * Double(x) + matrix.yy * Double(y) + matrix.y0
                )
                #expect(abs(pixel.x - mapped.0) < 1e-6 && abs(pixel.y - mapped.1) < 1e-6, "\(azimuth)")
            }
        }
    }

    @Test func `the relief is an eighth of the width, or as it is asked for`() throws {
        let view = SceneView(azimuth: 0, tilt: 90, width: 800, height: 800)
        let scene = try #require(Scene([ride(500)], height: .elevation, view: view, calendar: calendar))
        let heights = scene.tracks[0].segments[0].map(\.height)
        #expect(abs((heights.max() ?? 0) * scene.projection.scale - 100) < 1)
        #expect(heights.min() == 0)
        var asked = view
        asked.stretch = 2 * scene.stretch
        let higher = try #require(Scene([ride(500)], height: .elevation, view: asked, calendar: calendar))
        #expect(abs(higher.tracks[0].segments[0][77].height - 2 * heights[77]) < 1e-6)
    }

    @Test func `each full hour of the clock has one mark`() throws {
        // 2025-03-30, the night in which summer time begins in Berlin: 01:59 is followed by 03:00.
        let start: Int64 = 1_743_292_800 - 1800
        let points = (0..<300).map { index in
            ScenePoint(
                WorldPoint(longitude: 8 + Double(index) * 1e-4, latitude: 47), time: (start + Int64(index) * 60) * 1000)
        }
        let track = SceneTrack(id: "a", name: nil, segments: [points])
        let scene = try #require(Scene([track], height: .time, view: SceneView(), calendar: calendar))
        #expect(scene.hours.map(\.hour) == [1, 3, 4, 5, 6])
        for mark in scene.hours { #expect((mark.vertex.time ?? 1) % 3_600_000 == 0) }
    }

    @Test func `more points than a scene has are thinned, and ends stay`() throws {
        let track = ride(60_000, seed: 5)
        let scene = try #require(Scene([track], height: .elevation, view: SceneView(), calendar: calendar))
        let vertices = scene.tracks[0].segments[0]
        #expect(vertices.count == SceneLimits.vertices)
        #expect(vertices.first?.time == track.segments[0].first?.time)
        #expect(vertices.last?.time == track.segments[0].last?.time)
        #expect(scene.json.text.utf8.count > 100_000)
        let again = try #require(Scene([track], height: .elevation, view: SceneView(), calendar: calendar))
        #expect(again.json.text == scene.json.text)
    }

    @Test func `tracks without heights, with one point, over 180° and none at all`() throws {
        let flat = SceneTrack(
            id: "a", name: nil,
            segments: [
                [
                    ScenePoint(WorldPoint(longitude: 179.9999, latitude: 1)),
                    ScenePoint(WorldPoint(longitude: -179.9999, latitude: 1)),
                ]
            ])
        let scene = try #require(Scene([flat], height: .elevation, view: SceneView(), calendar: calendar))
        #expect(scene.range == nil && scene.stretch == 1 && scene.projection.scale > 1e-4)
        let one = SceneTrack(
            id: "b", name: nil, segments: [[ScenePoint(WorldPoint(longitude: 8, latitude: 47), elevation: 7)]])
        let lone = try #require(Scene([one], height: .elevation, view: SceneView(), calendar: calendar))
        #expect(lone.projection.pixel(lone.projection.centre) == SceneProjection.Pixel(x: 512, y: 384))
        #expect(Scene([], height: .time, view: SceneView(), calendar: calendar) == nil)
        #expect(
            Scene([SceneTrack(id: "c", name: nil, segments: [])], height: .time, view: SceneView(), calendar: calendar)
                == nil)
    }

    @Test func `a post stands at the height of the track when it was there`() throws {
        let track = ride(200)
        let point = track.segments[0][120]
        let post = ScenePost(.photo, at: point.place, time: point.time, label: "Hut")
        let scene = try #require(
            Scene([track], posts: [post], height: .elevation, view: SceneView(), calendar: calendar))
        #expect(scene.posts[0].height == scene.tracks[0].segments[0][120].height)
    }
}
