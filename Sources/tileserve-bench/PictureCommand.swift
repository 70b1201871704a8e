import Cairo
import Colors
import Foundation
import PNG
import TileDrawing
import TileMath
import TileRendering

/// `tileserve-bench picture`: a part of the map as one PNG, composed of the tiles that a server would return.
struct PictureCommand {
    private let drawing: BenchRenderer
    private let zoom: ZoomLevel
    private let width: Int
    private let height: Int
    /// The picture's north-western corner, in pixels of the zoom level's world.
    private let left: Int
    private let top: Int
    private let background: Color
    private let output: URL

    private static let tileSide = 256
    /// Limits the memory for the picture.
    private static let maxSide = 4096
    private static let defaultSize = "480x300"
    private static let defaultBackground = "#f3f1ec"

    init(_ given: Arguments) throws {
        var arguments = given
        guard let path = arguments.text("output"), let center = arguments.text("center"),
            let zoom = arguments.text("zoom")
        else { throw Arguments.UsageError(text: "--center, --zoom and --output are required") }
        output = URL(fileURLWithPath: path)
        guard let zoomLevel = Int(zoom).flatMap({ ZoomLevel($0) }) else {
            throw Arguments.UsageError(text: "--zoom \(zoom): not a zoom level, 0–\(ZoomLevel.deepest.number)")
        }
        self.zoom = zoomLevel
        let size = arguments.text("size") ?? Self.defaultSize
        let sides = size.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, sides.allSatisfy({ (1...Self.maxSide).contains($0) }) else {
            throw Arguments.UsageError(text: "--size \(size): not pixels such as 480x300, at most \(Self.maxSide)")
        }
        (width, height) = (sides[0], sides[1])
        guard let geo = GeoPoint(text: center), abs(geo.latitude) <= BoundingBox.mercatorLatitude else {
            throw Arguments.UsageError(text: "--center \(center): not a longitude and a latitude such as 9.2,51.1")
        }
        let place = WorldPoint(geo)
        // Pixels for each of the 2^32 units along the world's side.
        let pixels = Double(Self.tileSide << zoomLevel.number) / 0x1p32
        left = Int((Double(place.x) * pixels).rounded()) - width / 2
        top = Int((Double(place.y) * pixels).rounded()) - height / 2
        let color = arguments.text("background") ?? Self.defaultBackground
        guard let background = Color(color), background.alpha == 255 else {
            throw Arguments.UsageError(text: "--background \(color): not a colour such as \(Self.defaultBackground)")
        }
        self.background = background
        drawing = try BenchRenderer(&arguments)
        try arguments.finish()
    }

    /// Draws the picture and writes the file.
    func run() throws {
        var surface = try ImageSurface(.argb32, width: width, height: height)
        let background = background
        try surface.draw { context in
            context.setSource(background)
            context.paint()
        }
        let side = Self.tileSide
        // A shift rounds down, also where the picture begins beyond the world's edges.
        for row in (top >> 8)...((top + height - 1) >> 8) {
            for column in (left >> 8)...((left + width - 1) >> 8) {
                // The world repeats to the east and west, and ends in the north and south.
                let x = column & ((1 << zoom.number) - 1)
                guard let tile = TileCoordinate(zoom: zoom, x: x, y: row) else { continue }
                let image = try PNGReader.image(of: try drawing.picture(of: tile).bytes)
                let picture = try ImageSurface(image)
                try surface.draw { context in
                    context.paint(picture, x: Double(column * side - left), y: Double(row * side - top))
                }
            }
        }
        let image = RGBAImage(width: width, height: height, bytes: surface.straightBytes())
        var writer = PNGWriter(.smallest)
        let indexed = Self.indexed(image)
        let png = try indexed.map { try writer.png(of: $0) } ?? writer.png(of: image)
        try Data(png).write(to: output)
    }

    /// The same image with a palette; nil if it has more than 256 colours.
    private static func indexed(_ image: RGBAImage) -> IndexedImage? {
        var indices: [Color: UInt8] = [:]
        var palette: [Color] = []
        var pixels: [UInt8] = []
        pixels.reserveCapacity(image.width * image.height)
        for y in 0..<image.height {
            for x in 0..<image.width {
                let color = image[x, y]
                if let index = indices[color] {
                    pixels.append(index)
                    continue
                }
                guard let index = UInt8(exactly: palette.count) else { return nil }
                indices[color] = index
                palette.append(color)
                pixels.append(index)
            }
        }
        return IndexedImage(width: image.width, height: image.height, palette: palette, pixels: pixels)
    }
}
