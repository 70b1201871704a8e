/// Places marks so that none covers another: for all of a level at a zoom level, and not for a tile, so that neighbouring
/// tiles have the same marks.
struct LabelPlacement {
    private let worldPixels: Double
    private let zoom: Int
    private(set) var placed: [PlacedMark] = []
    /// Positions in `placed` by square of the world.
    private var squares: [Square: [Int]] = [:]

    private struct Square: Hashable {
        let x: Int
        let y: Int
    }

    /// The side of a square, as a power of two.
    private static let squareBits = 6
    /// How much wider than its room a name may be: a share, and pixels.
    private static let tolerance = (share: 0.06, pixels: 5.0)
    /// Pixels between a name and the walls of its room.
    private static let wallDistance = 2.0
    /// A symbol is shown in a room that is this part of it wide and high.
    private static let symbolShare = 0.55

    /// The marks in their order (`FloorMark.precedes`).
    static func placed(_ marks: [FloorMark], zoom: Int) -> [PlacedMark] {
        var placement = LabelPlacement(zoom: zoom)
        for mark in marks where mark.zooms.contains(zoom) { placement.place(mark) }
        return placement.placed
    }

    private init(zoom: Int) {
        self.zoom = zoom
        worldPixels = Double(256 << zoom)
    }

    private mutating func place(_ mark: FloorMark) {
        switch mark.content {
        case .symbol(let symbol): place(symbol, mark)
        case .text(let variants):
            // Two lines that fit are better than one that is a little too wide.
            for tolerance in mark.room == nil ? [0] : [0, Self.tolerance.pixels] {
                for variant in variants where place(variant, mark, tolerance: tolerance) { return }
            }
        }
    }

    private mutating func place(_ symbol: FloorSymbol, _ mark: FloorMark) {
        let size = FloorSymbol.size(zoom: zoom)
        let (x, y) = (mark.place.x * worldPixels, mark.place.y * worldPixels)
        if let room = mark.room {
            let least = Self.symbolShare * Double(size)
            guard let free = free(room, x: x, y: y, height: least), free.upperBound - free.lowerBound >= least else {
                return
            }
        }
        let half = Double(size) / 2
        let box = PixelBox(x: Int((x - half).rounded()), y: Int((y - half).rounded()), width: size, height: size)
        add(.symbol(symbol), box)
    }

    private mutating func place(_ text: LabelText, _ mark: FloorMark, tolerance: Double) -> Bool {
        let (x, y) = (mark.place.x * worldPixels, mark.place.y * worldPixels)
        // Below a symbol in the same place, or above it.
        let step = Double(FloorSymbol.size(zoom: zoom) + text.height) / 2
        guard let room = mark.room else {
            let offsets = mark.isBelow ? [Double(text.height) / 2] : [0, step]
            return offsets.contains { add(.text(text), box(of: text, x: x, y: y + $0)) }
        }
        let height = Double(text.height - 2 * LabelText.margin)
        let isStrict = tolerance == 0
        // With a distance to the walls, if there is room for it.
        let letters = Double(text.width - 2 * LabelText.margin) + (isStrict ? 2 * Self.wallDistance : 0)
        let offsets = [0, step, -step, step / 2, -step / 2].map { (x: x, y: y + $0) }
        for place in offsets + mark.rows.map({ ($0.x * worldPixels, $0.y * worldPixels) }) {
            guard let free = free(room, x: place.x, y: place.y, height: height) else { continue }
            let width = free.upperBound - free.lowerBound
            guard letters <= width + min(tolerance, Self.tolerance.share * letters) else { continue }
            let centre =
                letters >= width
                ? (free.lowerBound + free.upperBound) / 2
                : min(max(place.x, free.lowerBound + letters / 2), free.upperBound - letters / 2)
            // Rather in the middle of a wide row than beside the place at a wall.
            if isStrict, abs(centre - place.x) > letters / 4 { continue }
            if add(.text(text), box(of: text, x: centre, y: place.y)) { return true }
        }
        return false
    }

    /// The box of a text around a place, at whole pixels.
    private func box(of text: LabelText, x: Double, y: Double) -> PixelBox {
        PixelBox(
            x: Int((x - Double(text.width) / 2).rounded()), y: Int((y - Double(text.height) / 2).rounded()),
            width: text.width, height: text.height)
    }

    /// The width at a place that a room has over a height, in pixels; nil outside.
    private func free(_ room: WorldShape, x: Double, y: Double, height: Double) -> ClosedRange<Double>? {
        var low = -Double.infinity
        var high = Double.infinity
        for part in [0, -0.5, 0.5, -0.25, 0.25] {
            let place = WorldPlace(x, y + part * height) / worldPixels
            guard let chord = room.chord(through: place) else { return nil }
            low = max(low, chord.lowerBound * worldPixels)
            high = min(high, chord.upperBound * worldPixels)
        }
        return low <= high ? low...high : nil
    }

    /// Adds a mark unless its box would cover another's; returns whether it was added.
    @discardableResult
    private mutating func add(_ content: PlacedMark.Content, _ box: PixelBox) -> Bool {
        let keys = keys(box)
        for key in keys {
            for index in squares[key] ?? [] where placed[index].box.intersects(box) { return false }
        }
        for key in keys { squares[key, default: []].append(placed.count) }
        placed.append(PlacedMark(content: content, box: box))
        return true
    }

    private func keys(_ box: PixelBox) -> [Square] {
        let bits = Self.squareBits
        var keys: [Square] = []
        for row in (box.y >> bits)...((box.y + box.height) >> bits) {
            for column in (box.x >> bits)...((box.x + box.width) >> bits) { keys.append(Square(x: column, y: row)) }
        }
        return keys
    }
}
