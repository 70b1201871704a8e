internal import Venues

/// A name or a symbol that wants a place on the map.
struct FloorMark: Sendable {
    enum Content: Sendable {
        case symbol(FloorSymbol)
        /// The forms of a name, the best first.
        case text([LabelText])
    }

    /// The rank among marks: lower ones are placed first; then larger rooms, then by id, so that the order of the input does
    /// not matter.
    var priority: Int
    var area = 0.0
    let id: FeatureID
    let place: WorldPlace
    let content: Content
    /// The room in which it must fit; nil for marks that stand alone.
    var room: WorldShape? {
        didSet { rows = room?.wideRows ?? [] }
    }
    /// Other places in the room for a name, the widest first.
    private(set) var rows: [WorldPlace] = []
    /// Whether a name has the place above it, and not in its middle.
    var isBelow = false
    /// The zoom levels at which it is shown.
    var zooms = 0...22

    init(_ content: Content, priority: Int, id: FeatureID, at place: WorldPlace) {
        self.content = content
        self.priority = priority
        self.id = id
        self.place = place
    }

    static func precedes(_ one: FloorMark, _ other: FloorMark) -> Bool {
        (one.priority, -one.area, one.id, one.place.x, one.place.y)
            < (other.priority, -other.area, other.id, other.place.x, other.place.y)
    }
}

/// A name or a symbol in its place at one zoom level.
struct PlacedMark: Sendable {
    enum Content: Sendable {
        case symbol(FloorSymbol)
        case text(LabelText)
    }

    let content: Content
    /// The box in whole pixels of the world at its zoom level, of a screen with one pixel a point.
    let box: PixelBox
}

/// A box of whole pixels of the world, without its last column and row.
struct PixelBox: Sendable, Equatable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int

    func intersects(_ other: PixelBox) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
}
