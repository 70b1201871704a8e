internal import Cairo
internal import TileMath
internal import Venues

/// Collects the names and symbols of levels.
struct FloorMarks: ~Copyable {
    private let venue: Venue
    private let shapes: FloorShapes
    private let language: String?
    private var measurer: LabelMeasurer
    private var marks: [FloorMark] = []
    /// Units that have a symbol, so that an amenity for stairs is not drawn beside the stairs.
    private var known: Set<UnitSymbol> = []

    private struct UnitSymbol: Hashable {
        let unit: Int
        let symbol: FloorSymbol
    }

    private static let name = TextStyle(size: 11)
    private static let hall = TextStyle(size: 12, weight: .medium)
    private static let code = TextStyle(size: 10)
    private static let building = TextStyle(size: 12, weight: .bold)
    /// Names in rooms: at lower zoom levels none fits.
    private static let firstNameZoom = 16
    /// Symbols of single objects stand too close at lower zoom levels.
    private static let firstSymbolZoom = 17
    /// Objects without a room of theirs.
    private static let firstDetailZoom = 18

    /// The marks in the order of `FloorMark.precedes`.
    static func marks(
        _ venue: Venue, _ shapes: FloorShapes, _ places: VenuePlaces, language: String?
    ) throws -> [FloorMark] {
        var collector = FloorMarks(venue, shapes, language, try LabelMeasurer())
        let here = places.all.filter { shapes.levels.contains($0.level) }
        // Amenities are where their symbol belongs; a unit's own symbol is for units without.
        for place in here where place.kind != .unit { try collector.add(place) }
        for place in here where place.kind == .unit { try collector.add(unit: place) }
        collector.addEntrances()
        try collector.addBuildings()
        return collector.marks.sorted(by: FloorMark.precedes)
    }

    private init(_ venue: Venue, _ shapes: FloorShapes, _ language: String?, _ measurer: consuming LabelMeasurer) {
        self.venue = venue
        self.shapes = shapes
        self.language = language
        self.measurer = measurer
    }

    private mutating func add(_ place: VenuePlace) throws {
        let at = shapes.projection.world(place.point)
        let symbol = FloorSymbol(amenity: place.category)
        if place.kind == .amenity || symbol != .other {
            add(symbol, unit: place.unit, id: place.id, at: at)
        }
        guard let text = place.names?.text(in: language), !symbol.saysAll else { return }
        var mark = FloorMark(
            .text(try measurer.variants(text, Self.name)), priority: 20, id: place.id, at: at)
        mark.room = place.unit.flatMap { shapes.units[$0] }
        mark.area = mark.room?.area ?? 0
        mark.zooms = (mark.room == nil ? Self.firstDetailZoom : Self.firstNameZoom)...22
        marks.append(mark)
    }

    private mutating func add(unit place: VenuePlace) throws {
        guard let index = place.unit, let room = shapes.units[index] else { return }
        let unit = venue.units[index]
        let at = shapes.projection.world(place.point)
        if let symbol = FloorSymbol(unit: place.category) {
            add(symbol, unit: index, id: place.id, at: room.chord(through: at) == nil ? room.innerPlace ?? at : at)
        }
        var variants: [LabelText] = []
        if let name = unit.name?.text(in: language) {
            let group = UnitGroup(unit)
            variants += try measurer.variants(name, group == .corridor || group == .outdoor ? Self.hall : Self.name)
        }
        if let code = unit.code, code != unit.name?.text(in: language) {
            variants += try measurer.variants(code, Self.code)
        }
        guard !variants.isEmpty else { return }
        var mark = FloorMark(.text(variants), priority: 30, id: place.id, at: at)
        mark.room = room
        mark.area = room.area
        mark.zooms = Self.firstNameZoom...22
        marks.append(mark)
    }

    private mutating func add(_ symbol: FloorSymbol, unit: Int?, id: FeatureID, at place: WorldPlace) {
        if let unit, !known.insert(UnitSymbol(unit: unit, symbol: symbol)).inserted { return }
        var mark = FloorMark(.symbol(symbol), priority: 5 + symbol.priority, id: id, at: place)
        let room = unit.flatMap { shapes.units[$0] }
        // Some amenities stand at the wall of their unit; these are shown as if they had none.
        mark.room = room.flatMap { $0.chord(through: place) == nil ? nil : $0 }
        mark.zooms = (symbol == .other ? Self.firstDetailZoom : Self.firstSymbolZoom)...22
        marks.append(mark)
    }

    private mutating func addEntrances() {
        for opening in venue.openings where shapes.levels.contains(opening.level) {
            let base = opening.category.prefix { $0 != "." }
            let isExit = base == "emergencyexit"
            guard isExit || opening.isEntrance, let first = opening.line.first, let last = opening.line.last else {
                continue
            }
            let place = (shapes.projection.world(first) + shapes.projection.world(last)) / 2
            add(isExit ? .exit : .entrance, unit: nil, id: opening.id, at: place)
        }
    }

    /// The names of buildings below their outlines, where rooms are too small for theirs.
    private mutating func addBuildings() throws {
        let ids = Set(shapes.levels.flatMap { venue.levels[$0].buildings })
        let buildings = venue.buildings.filter { ids.contains($0.id) && $0.name != nil }
        for building in buildings {
            guard let text = building.name?.text(in: language) else { continue }
            let own = shapes.shape(building.footprint)
            let levels = venue.levels.indices.filter {
                shapes.levels.contains($0) && venue.levels[$0].buildings.contains(building.id)
            }
            let shape = own.rings.isEmpty ? levels.first.map { shapes.shape(venue.levels[$0].outline) } : own
            guard let place = shape?.southernPlace else { continue }
            try addName(text, id: building.id, at: place)
        }
        if buildings.isEmpty, let place = shapes.outlines.max(by: { $0.area < $1.area })?.southernPlace {
            try addName(venue.names?.text(in: language) ?? venue.name, id: venue.id, at: place)
        }
    }

    private mutating func addName(_ text: String, id: FeatureID, at place: WorldPlace) throws {
        let variants = try measurer.variants(text, Self.building)
        guard !variants.isEmpty else { return }
        var mark = FloorMark(.text(variants), priority: 0, id: id, at: place)
        mark.isBelow = true
        mark.zooms = 15...16
        marks.append(mark)
    }
}
