import BaseMap
import Cairo
import Colors
import Digest
import Foundation
import Journeys
import PNG
import Styling
import TestSupport
import Testing
import TileMath

@testable import JourneyRendering

/// A point by its position in the map, from 0 to 1.
private func point(_ x: Double, _ y: Double) throws -> GeoPoint {
    let longitude = (x - x.rounded(.down)) * 360 - 180
    let latitude = atan(sinh(Double.pi * (1 - 2 * y))) * 180 / Double.pi
    return try #require(GeoPoint(longitude: longitude, latitude: latitude))
}

private func tile(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileCoordinate {
    let level = try #require(ZoomLevel(zoom))
    return try #require(TileCoordinate(zoom: level, x: x & (1 << zoom - 1), y: y))
}

/// Premultiplied words of a block of tiles drawn as one picture.
private func block(
    _ journeys: [DrawnJourney], zoom: Int, x: Int, y: Int, tiles: Int, _ scale: TileScale
) throws -> [UInt32] {
    let side = scale.side * tiles
    let view = JourneyView(
        worldPixels: Double(scale.side << zoom), originX: Double(scale.side * x), originY: Double(scale.side * y),
        width: side, height: side, density: scale.rawValue)
    var surface = try ImageSurface(.argb32, width: side, height: side)
    let plan = JourneyPlan(journeys, in: view)
    try JourneyPicture.draw(plan, JourneyColors(.light), density: scale.rawValue, on: &surface)
    return surface.withWords { words in words.indices.map { words[$0] } }
}

@Suite struct JourneyTileTests {
    /// How much of a picture a lit line covers, in pixels. Only the first colour of the ramp counts.
    private static func litArea(_ image: RGBAImage) -> Double {
        let lit = JourneyColors(.light).step(0)
        let ahead = JourneyColors(.light).ahead
        // Green over red: nothing for the white casing, next to nothing for the grey.
        let (most, least) = (Double(lit.green) - Double(lit.red), Double(ahead.green) - Double(ahead.red))
        var sum = 0.0
        let bytes = image.bytes
        for at in stride(from: 0, to: bytes.count, by: 4) where bytes[at + 3] > 0 {
            let green = (Double(bytes[at + 1]) - Double(bytes[at])) * Double(bytes[at + 3]) / 255
            sum += max(0, (green - least) / (most - least))
        }
        return sum
    }

    @Test(arguments: 4...18) func `the lit line is as long as the way that is done, to half a pixel`(zoom: Int) throws {
        var random = SeededRandom(seed: zoom)
        let pixel = 1 / Double(256 << zoom)
        // A straight line of corners at random distances, at every second zoom level over 180°, at any angle. The rest of the
        // journey is long and elsewhere, so that the line has one colour.
        let angle = Double(random.below(6283)) / 1000
        let length = 250 + Double(random.below(150))
        let middle = (x: zoom % 2 == 0 ? 0.3 + Double(random.below(1000)) / 1e4 : 1, y: 0.45)
        func at(_ pixels: Double) throws -> GeoPoint {
            try point(
                middle.x + cos(angle) * (pixels - length / 2) * pixel,
                middle.y + sin(angle) * (pixels - length / 2) * pixel)
        }
        // The place at the beginning covers some of it.
        let (first, last) = (60.0, length - 20)
        let inner = (0..<9).map { _ in first + Double(random.below(1000)) / 1000 * (last - first) }.sorted()
        var line = try ([0, first] + inner + [last, length]).map(at)
        let corner = line.count
        for turn in 0..<80 {
            line.append(try point(middle.x + (turn % 4 < 2 ? 0.1 : 0.45), 0.6 + Double(turn) * 1e-4))
        }
        let places = [JourneyPlace("A", at: line[0]), JourneyPlace("B", at: line[line.count - 1])]
        let route = try PreparedRoute(JourneyRoute("Line", line: line, places: places))
        let measure = route.measure
        let (from, to) = (measure.cornerMetres[1], measure.cornerMetres[corner - 2])
        try #require(measure.placeMetres[0] == 0 && to < measure.journeyMetres / 33)

        func area(_ metres: Double) throws -> Double {
            let journey = DrawnJourney(route, metres: metres, reached: 0, figure: nil)
            let reach = length / 2 + 12
            func range(_ middle: Double) -> ClosedRange<Int> {
                let tile = 256.0
                return Int(
                    ((middle / pixel - reach) / tile).rounded(.down))...Int(
                        ((middle / pixel + reach) / tile).rounded(.down))
            }
            var sum = 0.0
            for column in range(middle.x) {
                for row in range(middle.y) {
                    guard let png = try JourneyTile(tile(zoom, column, row), of: [journey]).png() else { continue }
                    sum += Self.litArea(try PNGReader.image(of: png))
                }
            }
            return sum
        }
        let base = try area(from)
        let width = (try area(to) - base) / (last - first)
        #expect(width > 2 && width < 8)
        for part in [0.13, 0.72] {
            let done = from + (to - from) * part
            let lit = (try area(done) - base) / width
            let corners = measure.line(upTo: measure.metres(ofJourney: done))
            let units = zip(corners, corners.dropFirst()).reduce(0) { sum, step in
                sum + hypot(step.1.x - step.0.x, step.1.y - step.0.y)
            }
            let pixels = units / Double(WorldPoint.side) / pixel - first
            #expect(abs(lit - pixels) < 0.5, "zoom \(zoom): \(lit) instead of \(pixels) of \(length) pixels")
        }
    }

    @Test(arguments: 4...18) func `a line with many turns is lit to where the journey is`(zoom: Int) throws {
        var random = SeededRandom(seed: zoom)
        let pixel = 1 / Double(256 << zoom)
        // 2,000 corners, many of them within a pixel, also back and forth; over 180°.
        var (x, y) = (1.0, 0.4)
        let line = try (0..<2000).map { index -> GeoPoint in
            let step = random.once(in: 20) ? 20.0 : 0.3
            x += (Double(random.below(1000)) - 480) / 500 * step * pixel
            y += (Double(random.below(1000)) - 500) / 500 * step * pixel
            return try point(x, y)
        }
        let places = [JourneyPlace("A", at: line[0]), JourneyPlace("B", at: line[1999])]
        let route = try PreparedRoute(JourneyRoute("Line", line: line, places: places))
        let measure = route.measure
        for _ in 0..<20 {
            let done = measure.journeyMetres * Double(1 + random.below(998)) / 1000
            let here = WorldPoint(measure.point(at: measure.metres(ofJourney: done)).point)
            let side = Int64(1) << Int64(32 - zoom)
            let coordinate = try tile(zoom, Int(here.x / side), Int(here.y / side))
            let journey = DrawnJourney(route, metres: done, reached: 1, figure: nil)
            let plan = JourneyPlan([journey], in: JourneyView(coordinate, .single))
            let expected = (
                x: Double(here.x % side) / Double(side) * 256, y: Double(here.y % side) / Double(side) * 256
            )
            let distances = plan.lines.flatMap(\.lit).compactMap(\.points.last).map { end in
                hypot(end.x - expected.x, end.y - expected.y)
            }
            #expect(distances.min() ?? 99 < 0.5, "zoom \(zoom): \(distances)")
            // What is lit ends there, and nowhere later.
            let last = try #require(plan.lines.flatMap(\.lit).max { $0.color < $1.color })
            let color = Int(done / measure.journeyMetres * Double(JourneyColors.steps))
            #expect(abs(last.color - color) <= 1)
        }
    }

    // MARK: Neighbours

    /// A journey with corners, places and a figure all over some tiles.
    private static func journey(
        _ seed: Int, zoom: Int, x: Int, y: Int, steps: Int = 256, part: Double? = nil
    ) throws -> DrawnJourney {
        var random = SeededRandom(seed: seed)
        let side = 1 / Double(1 << zoom)
        func place() throws -> GeoPoint {
            let dx = Double(random.below(2 * steps)) / Double(steps)
            let dy = Double(random.below(512)) / 256
            return try point((Double(x) + dx) * side, (Double(y) + dy) * side)
        }
        let line = try (0..<30).map { _ in try place() }
        let places = try (0..<6).map { JourneyPlace("Place number \($0)", at: try place()) }
        let route = try PreparedRoute(JourneyRoute("Random", line: line, places: places))
        return DrawnJourney(
            route, metres: route.measure.journeyMetres * (part ?? Double(random.below(100)) / 100),
            reached: random.below(7))
    }

    @Test(arguments: [4, 9, 14, 18], TileScale.allCases) func `a picture goes on in the neighbouring tiles`(
        zoom: Int, scale: TileScale
    ) throws {
        for seed in [1, 4] {
            // Also over 180°, where the world ends.
            let (x, y) = (seed % 2 == 0 ? 5 : (1 << zoom) - 1, 6)
            let journeys = try [0, 1].map { try Self.journey(2 * seed + $0, zoom: zoom, x: x, y: y) }
            let whole = try block(journeys, zoom: zoom, x: x, y: y, tiles: 2, scale)
            var different = 0
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let part = try block(journeys, zoom: zoom, x: (x + dx) & (1 << zoom - 1), y: y + dy, tiles: 1, scale)
                for row in 0..<scale.side {
                    let start = (row + dy * scale.side) * 2 * scale.side + dx * scale.side
                    let (one, other) = (
                        whole[start..<start + scale.side], part[row * scale.side..<(row + 1) * scale.side]
                    )
                    guard one != other else { continue }
                    for (one, other) in zip(one, other) where one != other {
                        let differences = [UInt32(0), 8, 16, 24].map { (shift: UInt32) -> Int in
                            let (left, right) = (Int(one >> shift & 0xFF), Int(other >> shift & 0xFF))
                            return abs(left - right)
                        }
                        // One of the fifteen rows of a pixel in which cairo looks what is covered.
                        if differences.contains(where: { $0 > 20 }) { different += 1 }
                    }
                }
            }
            // Where a line turns back on itself, cairo decides by its last digits on which side the join is.
            #expect(different <= 20, "zoom \(zoom), seed \(seed): \(different)")
        }
    }

    @Test(arguments: 0..<5) func `the meridian 180° is like any other`(seed: Int) throws {
        let zoom = 6
        let last = 1 << zoom - 1
        // In steps that are exact in every number that is computed from them.
        let over = try Self.journey(seed, zoom: zoom, x: last, y: 20, steps: 16)
        let inside = try Self.journey(seed, zoom: zoom, x: 31, y: 20, steps: 16)
        for (there, here) in [(last, 31), (0, 32)] {
            for row in [20, 21] {
                let one = JourneyTile(try tile(zoom, there, row), of: [over])
                let other = JourneyTile(try tile(zoom, here, row), of: [inside])
                #expect(one.digest == other.digest)
                #expect(try one.png()?.shown == other.png()?.shown)
            }
        }
    }

    // MARK: Digests

    @Test func `equal digests are equal pictures, and a step of half a pixel is another one only where it is seen`()
        throws
    {
        let start = try Self.journey(4, zoom: 7, x: 40, y: 40, part: 0.5)
        var pictures: [ContentDigest: ShownContent?] = [:]
        var digests: [[ContentDigest]] = []
        for step in 0..<40 {
            let journey = DrawnJourney(start.route, metres: start.metres + Double(step) * 60, reached: start.reached)
            digests.append([])
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let tile = JourneyTile(try tile(7, 40 + dx, 40 + dy), theme: .dark, of: [journey])
                let picture = try tile.png()?.shown
                if let known = pictures[tile.digest] { #expect(known == picture) }
                pictures[tile.digest] = .some(picture)
                digests[step].append(tile.digest)
            }
        }
        // 40 steps of 60 m are 4 pixels of 900 m, in one or two of the tiles.
        #expect((8...20).contains(pictures.count), "\(pictures.count)")
        let tile = try tile(7, 40, 40)
        #expect(try JourneyTile(tile, of: [start]).png()?.shown == JourneyTile(tile, of: [start]).png()?.shown)
        #expect(JourneyTile(tile, of: [start]).digest != JourneyTile(tile, theme: .dark, of: [start]).digest)
        #expect(JourneyTile(tile, of: [start]).digest != JourneyTile(tile, .double, of: [start]).digest)
    }

    @Test func `tiles without anything are empty`() throws {
        let journey = try Self.journey(3, zoom: 8, x: 100, y: 100)
        #expect(try JourneyTile(tile(8, 120, 100), of: [journey]).png() == nil)
        #expect(try JourneyTile(tile(8, 120, 100), of: [journey]).isEmpty)
        #expect(try JourneyTile(tile(8, 100, 100), of: []).png() == nil)
        #expect(try JourneyTile(tile(8, 100, 100), of: [journey]).png() != nil)
    }

    @Test func `the figure is the round middle of a picture`() throws {
        let route = try PreparedRoute(
            JourneyRoute(
                "Line", places: [JourneyPlace("A", at: point(0.5, 0.5)), JourneyPlace("B", at: point(0.6, 0.5))]))
        // Red with a blue edge that a square cut from the middle does not have.
        let (width, height) = (90, 40)
        let bytes = (0..<width * height).flatMap { index -> [UInt8] in
            let x = index % width
            return x < 20 || x >= 70 ? [0, 0, 255, 255] : [255, 0, 0, 255]
        }
        let figure = JourneyFigure(RGBAImage(width: width, height: height, bytes: bytes))
        let journey = DrawnJourney(route, metres: route.measure.length / 2, reached: 1, figure: figure)
        let png = try #require(try JourneyTile(tile(4, 8, 8), .double, of: [journey]).png())
        let image = try PNGReader.image(of: png)
        // At 0.55 of the world: 0.8 of the tile 8.
        let (x, y) = (Int(0.8 * 512), 0)
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(image.bytes[4 * (y * 512 + x)..<4 * (y * 512 + x) + 3]) }
        #expect(pixel(x, y + 2) == [255, 0, 0] && pixel(x - 18, y + 2) == [255, 0, 0])
        var found: Set<[UInt8]> = []
        for dx in -40...40 { found.insert(pixel(x + dx, y + 3)) }
        #expect(!found.contains { $0[2] > 200 && $0[0] < 50 })
    }

    // MARK: Colours

    @Test(arguments: Theme.allCases) func `lines are legible on land and on water`(theme: Theme) {
        let (colors, map) = (JourneyColors(theme), BaseMapColors(theme))
        func luminance(_ color: Color) -> Double {
            // WCAG 2.1, relative luminance.
            let parts = [color.red, color.green, color.blue].map { channel -> Double in
                let part = Double(channel) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        func contrast(_ one: Color, _ other: Color) -> Double {
            let pair = [luminance(one), luminance(other)].sorted()
            return (pair[1] + 0.05) / (pair[0] + 0.05)
        }
        for ground in [map.land, map.water, colors.casing] {
            for step in 0..<JourneyColors.steps { #expect(contrast(colors.step(step), ground) >= 3.9, "\(step)") }
            #expect(contrast(colors.ahead, ground) >= 2.5)
            #expect(contrast(colors.letters, ground) >= 7 && contrast(colors.lockedLetters, ground) >= 4.5)
        }
    }

    // MARK: Cost

    @Test func `a tile of a long route is drawn in a few milliseconds`() throws {
        // 100,000 corners, one each 20 m, in slow turns.
        var random = SeededRandom(seed: 1)
        var (x, y, direction) = (0.5, 0.4, 0.0)
        let line = try (0..<100_000).map { index -> GeoPoint in
            direction = direction * 0.999 + (Double(random.below(1000)) - 500) / 4000
            x += cos(direction) * 8e-7
            y += sin(direction) * 8e-7
            return try point(x, y)
        }
        let places = try [JourneyPlace("A", at: #require(line.first)), JourneyPlace("B", at: #require(line.last))]
        let route = try PreparedRoute(JourneyRoute("Long", line: line, places: places))
        let journey = DrawnJourney(route, metres: route.measure.length / 2, reached: 1)
        let here = WorldPoint(route.measure.point(at: route.measure.length / 2).point)
        for (zoom, limit) in [(14, 15.0), (9, 40), (4, 120)] {
            var best = Double.infinity
            for _ in 0..<5 {
                let start = ContinuousClock.now
                let side = Int(WorldPoint.side) >> zoom
                let tile = try tile(zoom, Int(here.x) / side, Int(here.y) / side)
                #expect(try JourneyTile(tile, of: [journey]).png() != nil)
                best = min(best, (ContinuousClock.now - start) / .milliseconds(1))
            }
            // Several times what it takes on a machine with other work.
            #expect(best < limit, "zoom \(zoom): \(best) ms")
        }
    }
}
