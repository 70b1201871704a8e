internal import Cairo
import Foundation
import TileMath

/// The name of a place with its measures in pixels of a screen. Letters are as wide at every density of pixels, because they
/// are laid out without hints.
struct PlaceName: Sendable {
    let text: String
    let size: TextSize

    static let style = TextStyle(size: 12, weight: .medium)
    /// Pixels around the letters, for the halo and for a distance to other names.
    static let margin = 3.0
    /// Longer names are cut: they fit nowhere.
    private static let longest = 40

    var width: Double { (size.width + 2 * Self.margin).rounded(.up) }
    var height: Double { (size.height + 2 * Self.margin).rounded(.up) }

    /// The names of places; throws if there is no memory to measure them.
    static func measured(_ names: [String]) throws -> [PlaceName] {
        var surface = try ImageSurface(.argb32, width: 1, height: 1)
        var measured: [PlaceName] = []
        try surface.draw { context in
            for name in names {
                // Names of broken files have line breaks and tabs.
                let line = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                let text = line.count > longest ? line.prefix(longest - 1) + "…" : line
                measured.append(PlaceName(text: text, size: context.size(of: text, style)))
            }
        }
        return measured
    }
}

/// A place as it is shown at a zoom level, in pixels of a screen from the north-western corner of the world; `x` goes on
/// beyond the world's edge.
struct PlaceMark: Sendable {
    /// The position of the place in its route.
    let index: Int
    let x: Double
    let y: Double
    let radius: Double
    /// Where its name is, at whole pixels; nil if there is no room for it.
    var name: (PlaceName, DrawnBox)?

    /// The box of its disc.
    var disc: DrawnBox { DrawnBox(around: DrawnPoint(x: x, y: y), radius: radius) }

    /// Pixels of a screen.
    static func radius(zoom: Int) -> Double { zoom < 5 ? 3.5 : zoom < 9 ? 4.5 : zoom < 13 ? 5.5 : 7 }
}

/// Places marks so that none covers another: for all places of a route at a zoom level, and not for a tile, so that
/// neighbouring tiles have the same marks.
struct PlaceLayout {
    private var squares: [Square: [DrawnBox]] = [:]

    private struct Square: Hashable {
        let x: Int
        let y: Int
    }

    /// The side of a square, in pixels of a screen.
    private static let side = 64.0
    /// Lengths of the line behind a name that make no difference, in pixels of a screen.
    private static let lengthStep = 8.0
    /// Pixels between the discs of two places.
    private static let distance = 1.0

    /// The marks of a zoom level, in the order of the places. If not all can be shown, the first and the last place are.
    static func marks(
        _ places: [(x: Double, y: Double)], _ names: [PlaceName], _ line: RouteBlocks, zoom: Int
    ) -> [PlaceMark] {
        let pixels = Double(TileCoordinate.cellsPerSide << zoom) / Double(WorldPoint.side)
        let radius = PlaceMark.radius(zoom: zoom)
        var layout = PlaceLayout()
        var marks: [PlaceMark] = []
        let order = [0, places.count - 1] + Array(1..<max(1, places.count - 1))
        for index in order {
            // As exact as what is drawn, so that equal places do not differ by the rounding of their numbers.
            let (x, y) = (places[index].x * pixels * 256, places[index].y * pixels * 256)
            let mark = PlaceMark(index: index, x: x.nearest / 256, y: y.nearest / 256, radius: radius)
            let room = mark.disc.widened(by: distance)
            guard layout.hasRoom(room) else { continue }
            layout.take(room)
            marks.append(mark)
        }
        for position in marks.indices {
            let mark = marks[position]
            let name = names[mark.index]
            guard !name.text.isEmpty else { continue }
            // Rather beside the line than on it.
            let boxes = Self.boxes(name, of: mark).filter { layout.hasRoom($0) }
            let lengths = boxes.map { (Self.length(of: line, in: $0, pixels: pixels) / Self.lengthStep).rounded(.down) }
            guard let best = boxes.indices.min(by: { (lengths[$0], $0) < (lengths[$1], $1) }) else { continue }
            layout.take(boxes[best])
            marks[position].name = (name, boxes[best])
        }
        return marks.sorted { $0.index < $1.index }
    }

    /// Where a name may be: to the right, to the left, above, below.
    private static func boxes(_ name: PlaceName, of mark: PlaceMark) -> [DrawnBox] {
        let (width, height) = (name.width, name.height)
        let gap = mark.radius + 1
        func box(_ left: Double, _ top: Double) -> DrawnBox {
            DrawnBox(left: left.nearest, top: top.nearest, width: width, height: height)
        }
        return [
            box(mark.x + gap, mark.y - height / 2), box(mark.x - gap - width, mark.y - height / 2),
            box(mark.x - width / 2, mark.y - gap - height), box(mark.x - width / 2, mark.y + gap),
        ]
    }

    /// The pixels of a line in a box. Lines and places may be counted from different copies of the world.
    private static func length(of line: RouteBlocks, in box: DrawnBox, pixels: Double) -> Double {
        let side = Double(WorldPoint.side)
        return [-side, 0, side].reduce(0) { sum, turn in
            sum
                + line.length(
                    in: DrawnBox(
                        left: box.left / pixels + turn, top: box.top / pixels, right: box.right / pixels + turn,
                        bottom: box.bottom / pixels)) * pixels
        }
    }

    /// Whether no other box has some of its room.
    private func hasRoom(_ box: DrawnBox) -> Bool {
        !keys(box).contains { squares[$0]?.contains { $0.intersects(box) } == true }
    }

    private mutating func take(_ box: DrawnBox) {
        for key in keys(box) { squares[key, default: []].append(box) }
    }

    private func keys(_ box: DrawnBox) -> [Square] {
        let columns = Int((box.left / Self.side).rounded(.down))...Int((box.right / Self.side).rounded(.down))
        let rows = Int((box.top / Self.side).rounded(.down))...Int((box.bottom / Self.side).rounded(.down))
        return rows.flatMap { row in columns.map { Square(x: $0, y: row) } }
    }
}
