import BaseMap
import Cairo
import Colors
import Foundation
import Locking
import PNG
import Styling
import TestSupport
import Testing
import TileMath
import VectorTiles

@testable import VectorMap

@Suite struct VectorMapTests {
    private static func map(_ town: InventedTown) throws -> VectorMap {
        try #require(VectorMap(town, stamp: "1"))
    }

    private static func image(
        _ map: any MapBackground, _ view: MapView, _ content: BaseMap.Content = .all, theme: Theme = .light,
        language: String? = nil
    ) throws -> RGBAImage {
        var surface = try ImageSurface(.argb32, width: Int(view.width), height: Int(view.height))
        try surface.draw { map.draw(view, content, theme: theme, language: language, on: $0) }
        return RGBAImage(width: surface.width, height: surface.height, bytes: surface.straightBytes())
    }

    /// A view around a place of the town.
    private static func view(_ x: Double, _ y: Double, zoom: Int, side: Int = 256, scale: Double = 1) -> MapView {
        let worldPixels = 256 * scale * Double(1 << zoom)
        let place = InventedTown.place(x, y)
        return MapView(
            worldPixels: worldPixels, originX: (place.x * worldPixels).rounded() - Double(side / 2),
            originY: (place.y * worldPixels).rounded() - Double(side / 2), width: Double(side), height: Double(side),
            scale: scale)
    }

    private static func color(_ image: RGBAImage, _ x: Int, _ y: Int) -> Color {
        let at = 4 * (y * image.width + x)
        return Color(red: image.bytes[at], green: image.bytes[at + 1], blue: image.bytes[at + 2])
    }

    private static func differing(_ one: RGBAImage, _ other: RGBAImage, tolerance: Int = 0) -> Int {
        PixelDifference(one.bytes, other.bytes, tolerance: tolerance).pixels
    }

    // MARK: What is drawn

    @Test(arguments: MapSchema.allCases, Theme.allCases)
    func `water, woods, buildings and roads have their colours`(schema: MapSchema, theme: Theme) throws {
        let map = try Self.map(InventedTown(schema))
        let colors = MapColors(theme)
        func color(_ x: Double, _ y: Double) throws -> Color {
            Self.color(try Self.image(map, Self.view(x, y, zoom: 17, side: 16), .land, theme: theme), 8, 8)
        }
        #expect(try color(0.65, 0.68) == colors.area(.water))
        #expect(try color(0.15, 0.17) == colors.area(.wood))
        #expect(try color(0.045, 0.1) == colors.area(.building))
        #expect(try color(0.302, 0.454) == colors.line(.primary, .ground))
        #expect(try color(0.55, 0.535) == colors.line(.motorway, .ground))
        #expect(try color(0.98, 0.5) == colors.base.land)
    }

    @Test(arguments: [6, 9, 12, 13, 14, 15, 17])
    func `both schemas give the same map`(zoom: Int) throws {
        let maps = try MapSchema.allCases.map { try Self.map(InventedTown($0)) }
        let images = try maps.map { try Self.image($0, Self.view(0.5, 0.5, zoom: zoom, side: 512)) }
        #expect(images[0] == images[1])
        let empty = try Self.image(BaseMap.embedded, Self.view(0.5, 0.5, zoom: zoom, side: 512))
        #expect(zoom < 12 || Self.differing(images[0], empty) > 1000)
    }

    /// Ends of lines are rounded to units of a tile of the archive, so that the parts of two tiles are not in one line: pixels at
    /// the edges of lines differ there. A unit has an eighth of a pixel at zoom level 14, and a whole one at 17 on screens of
    /// high resolution. Names do not differ.
    private static func tolerance(_ content: BaseMap.Content, _ zoom: Int, _ scale: TileScale) -> Int {
        let pixels = exp2(Double(max(0, zoom - 14))) * Double(scale.rawValue) / 16
        return content == .names ? 1 : Int(12 + 40 * pixels)
    }

    /// Each tile is what a picture of the whole shows there: so neither areas, lines nor names end at its edges, wherever tiles
    /// of the archive and blocks of labels meet.
    @Test(arguments: [10, 12, 13, 14, 15, 17], [TileScale.single, .double])
    func `tiles are parts of the whole`(zoom: Int, scale: TileScale) throws {
        let map = try Self.map(InventedTown(.openMapTiles))
        let level = try #require(ZoomLevel(zoom))
        let side = Double(level.tilesPerSide)
        let corner = InventedTown.place(0.35, 0.35)
        let (x, y) = (Int(corner.x * side) - 1, Int(corner.y * side) - 1)
        let count = 6
        let pixels = Double(scale.side)
        let whole = MapView(
            worldPixels: pixels * side, originX: Double(x) * pixels, originY: Double(y) * pixels,
            width: Double(count) * pixels, height: Double(count) * pixels, scale: Double(scale.rawValue))
        for (theme, content) in [(Theme.light, BaseMap.Content.land), (.dark, .land), (.light, .names)] {
            let picture = try Self.image(map, whole, content, theme: theme)
            var (wrong, largest) = (0, 0)
            for (row, column) in (0..<count).flatMap({ row in (0..<count).map { (row, $0) } }) {
                let tile = try #require(TileCoordinate(zoom: level, x: x + column, y: y + row))
                // A map of its own: what was drawn before does not change a tile.
                let alone = try Self.map(InventedTown(.openMapTiles))
                let drawn = try Self.image(alone, MapView(tile, scale), content, theme: theme)
                var part: [UInt8] = []
                for line in 0..<scale.side {
                    let start = 4 * ((row * scale.side + line) * picture.width + column * scale.side)
                    part += picture.bytes[start..<start + 4 * scale.side]
                }
                let difference = PixelDifference(
                    drawn.bytes, part, tolerance: Self.tolerance(content, zoom, scale))
                wrong += difference.pixels
                largest = max(largest, difference.largest)
            }
            // A cut letter or line would be dozens.
            #expect(wrong <= 6, "\(theme) \(content), \(largest)")
        }
    }

    // MARK: Names

    @Test func `names are in the language of the reader`() throws {
        let map = try Self.map(InventedTown(.protomaps))
        let view = Self.view(0.5, 0.5, zoom: 14, side: 512)
        let local = try Self.image(map, view, .names)
        #expect(try Self.image(map, view, .names, language: "de") != local)
        #expect(try Self.image(map, view, .names, language: "fr") == local)
        #expect(try Self.image(map, view, .land, language: "de") == Self.image(map, view, .land))
    }

    @Test func `the rule of names`() {
        func name(_ language: String?, _ names: [String: String]) -> String? {
            NameRule(language: language).name { names[$0] }
        }
        let kyiv = ["name": "Київ", "name:en": "Kyiv", "name:de": "Kiew", "name:latin": "Kyiv"]
        #expect(name(nil, kyiv) == "Київ" && name("de", kyiv) == "Kiew" && name("fr", kyiv) == "Kyiv")
        #expect(name("ru", kyiv) == "Київ")
        let munich = ["name": "München", "name:en": "Munich"]
        #expect(name("de", munich) == "München" && name("en", munich) == "Munich" && name("pl", munich) == "München")
        #expect(name("de", ["name:latin": "Roma"]) == "Roma" && name("de", [:]) == nil)
    }

    @Test(arguments: [13, 14, 15, 16, 18])
    func `labels do not touch each other, and roads keep theirs within a block`(zoom: Int) throws {
        let map = try Self.map(InventedTown(.openMapTiles))
        let place = InventedTown.place(0.5, 0.5)
        let side = 256.0 * 4 / (256 * Double(1 << zoom))
        let bits = zoom <= 14 ? 1 : 2
        let block = LabelBlock(
            zoom: zoom, column: Int(place.x * Double(1 << (zoom - bits))),
            row: Int(place.y * Double(1 << (zoom - bits))),
            sideBits: bits)
        let labels = map.labels(of: block, NameRule())
        #expect(!labels.isEmpty && side > 0)
        for (index, label) in labels.enumerated() {
            if case .place = label.style { continue }
            #expect(block.core.contains(label.box), "\(label.text)")
            for other in labels[..<index] where other.text == label.text {
                #expect(other.anchor.distance(to: label.anchor) > 200, "\(label.text)")
            }
        }
        let places = labels.filter { if case .place = $0.style { true } else { false } }
        for (index, label) in places.enumerated() {
            #expect(!places[..<index].contains { $0.box.intersects(label.box) }, "\(label.text)")
        }
    }

    @Test func `pieces of a road are joined to one line`() {
        let line = (0...10).map { MapPoint(x: Double($0) * 7, y: 3) }
        var pieces = zip(line, line.dropFirst()).map { [$0, $1] }
        pieces[3].reverse()
        pieces.swapAt(0, 7)
        // A street that crosses is not gone into.
        pieces.append([MapPoint(x: 35, y: 3), MapPoint(x: 35, y: 60)])
        let joined = RoadChains.joined(pieces)
        #expect(joined.count == 2 && Set(joined.map { MeasuredLine($0).length.rounded() }) == [70, 57])
    }

    @Test func `the makers of the data are named, on paper without links`() throws {
        struct Map: MapBackground {
            let attribution: String
            let hasStreets = true
            let identity = ""
            func draw(
                _ view: MapView, _ content: BaseMap.Content, theme: Theme, language: String?,
                on context: borrowing Context
            ) {}
        }
        #expect(try Self.map(InventedTown(.protomaps)).credit == "© Nobody, Natural Earth")
        let linked = "<a href=\"https://a.example\" target=\"_blank\">&copy; A &amp;amp; B</a> <a>© C</a>"
        #expect(Map(attribution: linked).credit == "© A &amp; B © C")
    }

    // MARK: Where the archive ends

    @Test func `below zoom level 6 and away from the archive it is Natural Earth`() throws {
        let map = try Self.map(InventedTown(.openMapTiles))
        for (x, y, zoom) in [(0.5, 0.5, 5), (0.5, 0.5, 2), (3, 3, 14), (-4, 0.5, 12)] {
            let view = Self.view(x, y, zoom: zoom)
            #expect(try Self.image(map, view) == Self.image(BaseMap.embedded, view), "\(zoom)")
        }
        // The archive begins at zoom level 10.
        let late = try Self.map(InventedTown(.openMapTiles, zooms: 10...12))
        let view = Self.view(0.5, 0.5, zoom: 9)
        #expect(try Self.image(late, view) == Self.image(BaseMap.embedded, view))
        #expect(
            try Self.differing(
                Self.image(late, Self.view(0.5, 0.5, zoom: 15)),
                Self.image(BaseMap.embedded, Self.view(0.5, 0.5, zoom: 15)))
                > 1000)
    }

    @Test func `outside of its bounds nothing of the archive is drawn`() throws {
        let map = try Self.map(InventedTown(.openMapTiles))
        // The western edge of the town is in the middle.
        let view = Self.view(0, 0.5, zoom: 15)
        let drawn = try Self.image(map, view, .land)
        let natural = try Self.image(BaseMap.embedded, view, .land)
        var (left, right) = (0, 0)
        for y in 0..<256 {
            for x in 0..<256 where Self.color(drawn, x, y) != Self.color(natural, x, y) {
                if x < 127 { left += 1 } else { right += 1 }
            }
        }
        #expect(left == 0 && right > 1000)
    }

    /// A band of a poster of the far south, and the ground of a scene up to the horizon.
    @Test func `views beyond the edges of the map and views of very many tiles are drawn`() throws {
        let map = try Self.map(InventedTown(.openMapTiles))
        var view = Self.view(0.5, 0.5, zoom: 14)
        let beyond = [-3 * view.height, view.worldPixels + view.height]
        for y in beyond {
            view.originY = y
            #expect(try Self.image(map, view) == Self.image(BaseMap.embedded, view))
        }
        view = Self.view(0.5, 0.5, zoom: 14)
        (view.originX, view.originY) = (0, 0)
        (view.width, view.height) = (view.worldPixels, view.worldPixels)
        var surface = try ImageSurface(.argb32, width: 64, height: 64)
        try surface.draw { context in
            // The whole world, of 2^28 tiles, in a few pixels.
            context.scale(x: 64 / view.width, y: 64 / view.height)
            map.draw(view, .land, theme: .light, on: context)
        }
        #expect(RGBAImage(width: 64, height: 64, bytes: surface.straightBytes())[32, 20].alpha == 255)
    }

    @Test func `damaged tiles are reported once, and Natural Earth is drawn`() throws {
        var town = InventedTown(.openMapTiles)
        town.isDamaged = true
        let reports = Locked<[String]>([])
        let map = try #require(
            VectorMap(town, stamp: "1") { error in reports.withLock { $0.append("\(error)") } })
        for zoom in [12, 14] {
            let view = Self.view(0.5, 0.5, zoom: zoom)
            #expect(try Self.image(map, view) == Self.image(BaseMap.embedded, view))
        }
        #expect(reports.withLock { $0 } == ["a field of the vector tile is cut"])
    }

    @Test func `other archives are no base map`() {
        #expect(MapSchema(layers: ["tracks"]) == nil && MapSchema(layers: ["water", "boundary"]) == nil)
        #expect(MapSchema(layers: ["water", "roads", "earth", "tracks"]) == .protomaps)
        #expect(MapSchema(layers: ["water", "transportation"]) == .openMapTiles)
    }

    // MARK: Widths

    @Test(arguments: LineKind.allCases)
    func `lines grow with the zoom level without steps`(kind: LineKind) {
        var last: Double?
        for step in 0...220 {
            let width = kind.width(zoom: Double(step) / 10)
            if let last, let width { #expect(width >= last && width < last * 1.12, "\(step)") }
            #expect(last == nil || width != nil)
            last = width
        }
        #expect(last != nil)
    }
}
