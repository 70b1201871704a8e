internal import Cairo
public import Digest
internal import TileMath
public import Venues

/// What is drawn of a venue below the zoom levels of floors.
public struct VenueOutline: Sendable {
    let id: FeatureID
    let name: String
    let shape: WorldShape
    /// The polygons of the shape, as lists of rings.
    let polygons: [[[WorldPlace]]]
    /// Whether the shape is an outline; else it is made of units, which have outlines of their own within it.
    let isOutline: Bool

    /// The outline of the venue's buildings, else of the venue or of its ground levels, else the units of these levels, else
    /// the box around the venue; its name in the language, if there is one.
    public init(_ venue: Venue, language: String? = nil) {
        let projection = WorldProjection(venue.frame)
        id = venue.id
        name = venue.names?.text(in: language) ?? venue.name
        let buildings = venue.buildings.sorted { $0.id < $1.id }.flatMap(\.footprint.polygons)
        let ground = Set(venue.groundLevels)
        let outlines = [
            buildings, venue.outline.polygons, ground.sorted().flatMap { venue.levels[$0].outline.polygons },
        ]
        let units = venue.units.filter { ground.contains($0.level) }.sorted { $0.id < $1.id }.flatMap(\.shape.polygons)
        let outline = outlines.first { !$0.isEmpty } ?? (units.isEmpty ? Self.box(venue.bounds) : nil)
        isOutline = outline != nil
        polygons = (outline ?? units).map { $0.map { $0.map(projection.world) } }
        shape = WorldShape(polygons)
    }

    private static func box(_ bounds: BoundingBox) -> [[[GeoPoint]]] {
        let corners = [
            (bounds.west, bounds.south), (bounds.east, bounds.south), (bounds.east, bounds.north),
            (bounds.west, bounds.north),
        ]
        return [[corners.compactMap { GeoPoint(longitude: $0.0, latitude: $0.1) }]]
    }
}

/// Outlines and names of all venues, for zoom levels below those of floors.
public struct FloorOverview: Sendable {
    /// The zoom levels of an overview.
    public static let zooms = 0...14
    /// Names are shown from here on.
    private static let firstNameZoom = 12
    /// Smaller outlines are dots of this diameter, in pixels of a screen.
    private static let smallest = 5.0

    private let outlines: [VenueOutline]
    private let placed: [[PlacedMark]]
    public let digest: ContentDigest

    /// Places the names of venues, the largest first. Throws if there is no memory to measure texts.
    public init(_ outlines: [VenueOutline]) throws {
        self.outlines = outlines.filter { !$0.shape.rings.isEmpty }.sorted { $0.id < $1.id }
        var measurer = try LabelMeasurer()
        var marks: [FloorMark] = []
        for outline in self.outlines {
            guard let place = outline.shape.southernPlace else { continue }
            let variants = try measurer.variants(outline.name, TextStyle(size: 11, weight: .medium))
            guard !variants.isEmpty else { continue }
            var mark = FloorMark(.text(variants), priority: 0, id: outline.id, at: place)
            mark.area = outline.shape.area
            mark.isBelow = true
            mark.zooms = Self.firstNameZoom...Self.zooms.upperBound
            marks.append(mark)
        }
        marks.sort(by: FloorMark.precedes)
        placed = Self.zooms.map { LabelPlacement.placed(marks, zoom: $0) }
        var digester = Digester()
        digester.update("floor overview")
        digester.update(self.outlines.count)
        for outline in self.outlines {
            digester.update(outline.id.description)
            digester.update(outline.name)
            digester.update(outline.isOutline ? 1 : 0)
            for ring in outline.shape.rings {
                digester.update(ring.count)
                for place in ring { digester.update(words: [place.x.bitPattern, place.y.bitPattern]) }
            }
        }
        digest = digester.finish()
    }

    func marks(zoom: Int) -> [PlacedMark] { Self.zooms.contains(zoom) ? placed[zoom] : [] }

    func draw(_ view: FloorView, _ style: FloorStyle, on context: borrowing Context) {
        let density = Double(view.density)
        let box = view.box(margin: 8 * density)
        for outline in outlines where outline.shape.box.intersects(box) {
            let (low, high) = (view.pixel(outline.shape.box.low), view.pixel(outline.shape.box.high))
            if max(high.x - low.x, high.y - low.y) < Self.smallest * density {
                context.circle(
                    x: (low.x + high.x) / 2, y: (low.y + high.y) / 2, radius: Self.smallest / 2 * density)
            } else {
                addPath(outline, view, on: context)
            }
            context.setSource(style[outline.isOutline ? .room : .outline])
            context.fill()
            if outline.isOutline { drawOutline(outline, view, style, on: context) }
        }
    }

    private func drawOutline(
        _ outline: VenueOutline, _ view: FloorView, _ style: FloorStyle, on context: borrowing Context
    ) {
        addPath(outline, view, on: context)
        context.setSource(style[.outline])
        context.setLine(width: Double(view.density), join: .round)
        context.stroke()
    }

    private func addPath(_ outline: VenueOutline, _ view: FloorView, on context: borrowing Context) {
        for ring in outline.shape.rings {
            for (index, place) in ring.enumerated() {
                let (x, y) = view.pixel(place)
                if index == 0 { context.move(x: x, y: y) } else { context.line(x: x, y: y) }
            }
            context.closePath()
        }
    }
}
