import Colors
import Journeys
import PNG
import Styling
import TestSupport
import Testing
import TileMath

@testable import JourneyRendering

@Suite struct PictureTests {
    private static func route() throws -> PreparedRoute {
        let places = try [("North", 8.5, 47.4), ("Middle", 8.9, 46.9), ("South", 9.2, 46.2)].map { name, x, y in
            JourneyPlace(name, at: try #require(GeoPoint(longitude: x, latitude: y)))
        }
        return try PreparedRoute(JourneyRoute("Alps", places: places))
    }

    private static func color(_ image: RGBAImage, _ x: Int, _ y: Int) -> Color {
        let at = 4 * (y * image.width + x)
        return Color(
            red: image.bytes[at], green: image.bytes[at + 1], blue: image.bytes[at + 2], alpha: image.bytes[at + 3])
    }

    @Test(arguments: Theme.allCases) func `a place has its pin in the middle of the map`(theme: Theme) throws {
        let route = try Self.route()
        let colors = JourneyColors(theme)
        for index in 0..<3 {
            let png = try MapPicture(route, theme: theme).ofPlace(index)
            #expect(try png.shown == MapPicture(route, theme: theme).ofPlace(index).shown)
            let image = try PNGReader.image(of: png)
            #expect(image.width == 640 && image.height == 400)
            // The head of the pin has the colour of the place; in it is a spot.
            #expect(Self.color(image, 320, 200 - 34) == colors.casing)
            #expect(Self.color(image, 320, 200 - 24) == colors.color(at: route.parts[index]))
            #expect(Self.color(image, 2, 2).alpha == 255)
        }
        let all = try (0..<3).map { try MapPicture(route, theme: theme).ofPlace($0) }
        #expect(all[0] != all[1] && all[1] != all[2])
    }

    @Test func `the picture of a route has all places and the whole line`() throws {
        let route = try Self.route()
        var pictures: [[UInt8]] = []
        for theme in Theme.allCases {
            let png = try MapPicture(route, theme: theme).ofRoute()
            #expect(try png.shown == MapPicture(route, theme: theme).ofRoute().shown)
            let image = try PNGReader.image(of: png)
            #expect(image.width == 640 && image.height == 400)
            var found: Set<Int> = []
            let steps = (0..<JourneyColors.steps).map { JourneyColors(theme).step($0) }
            for y in 0..<400 {
                for x in 0..<640 {
                    if let step = steps.firstIndex(of: Self.color(image, x, y)) { found.insert(step) }
                }
            }
            #expect(found.count > JourneyColors.steps - 4, "\(found.count)")
            pictures.append(png)
        }
        #expect(pictures[0] != pictures[1])
    }

    @Test func `pictures of lines without an extent and over 180° are drawn`() throws {
        for (west, east) in [(10.0, 10.0), (179, -179), (-180, 180)] {
            let places = try [west, east].map {
                JourneyPlace("Place", at: try #require(GeoPoint(longitude: $0, latitude: -17)))
            }
            let picture = MapPicture(try PreparedRoute(JourneyRoute("Line", places: places)))
            #expect(try PNGReader.image(of: picture.ofRoute()).width == 640)
            #expect(try PNGReader.image(of: picture.ofPlace(1)).width == 640)
        }
    }

    @Test func `a reward shows its hours on a transparent ground`() throws {
        let pictures = try [1, 10, 20, 50, 200, 201, 100_000].map { try RewardPicture(hours: $0).png() }
        #expect(Set(pictures).count == pictures.count)
        #expect(try PNGReader.image(of: RewardPicture(hours: 20).png()) == PNGReader.image(of: pictures[2]))
        let image = try PNGReader.image(of: pictures[0])
        #expect(image.width == 256 && Self.color(image, 0, 0).alpha == 0 && Self.color(image, 128, 40).alpha == 255)
        #expect(try PNGReader.image(of: RewardPicture(hours: 1).png(side: 64)).height == 64)
    }

    @Test(arguments: [
        ("anna", "A"), ("  Özil", "Ö"), ("(bob)", "B"), ("7up", "7"), ("ß", "S"), ("", "?"), ("  ", "?"), ("!", "!"),
        ("李雷", "李"),
    ]) func `a person without a picture has an initial`(name: String, initial: String) throws {
        #expect(PersonPicture.initial(of: name) == initial)
        let image = try PersonPicture(name: name).image(side: 64)
        #expect(image.width == 64 && image.height == 64)
        #expect(try PNGReader.image(of: PersonPicture(name: name).png(side: 64)) == image)
        // The ground is opaque, and the letter white.
        #expect(Self.color(image, 0, 0).alpha == 255)
        var brightest = 0
        for at in stride(from: 0, to: image.bytes.count, by: 4) { brightest = max(brightest, Int(image.bytes[at])) }
        #expect(brightest > 240)
    }

    @Test func `persons have different colours`() throws {
        let colors = try (0..<40).map { Self.color(try PersonPicture(name: "person \($0)").image(side: 8), 0, 0) }
        #expect(Set(colors).count > 7)
    }
}
