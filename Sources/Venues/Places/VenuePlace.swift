internal import GEOS
public import TileMath

/// Something in a venue that people look for: a room, an amenity, an occupant, a kiosk.
public struct VenuePlace: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case unit, amenity, occupant, kiosk
    }

    public let id: FeatureID
    public let kind: Kind
    /// What it is called: its name in English or without a language, else its code, else its category in words.
    public let name: String
    public internal(set) var names: LocalizedText?
    /// Other words for it: alternative names, codes.
    public internal(set) var otherNames: [String] = []
    public let category: String
    /// The building of its level; nil outdoors.
    public internal(set) var building: FeatureID?
    /// The position of its level in the venue's list.
    public let level: Int
    public let point: GeoPoint
    /// The position of the unit in which it is, in the venue's list.
    public internal(set) var unit: Int?
    public internal(set) var contact: Contact = Contact()
    /// In one line.
    public internal(set) var address: String?

    init(id: FeatureID, kind: Kind, name: String, category: String, level: Int, point: GeoPoint) {
        self.id = id
        self.kind = kind
        self.name = name
        self.category = category
        self.level = level
        self.point = point
    }
}

extension VenuePlace {
    /// A category in words: `restroom.male` is `restroom male`.
    static func words(_ category: String) -> String {
        category.replacing(".", with: " ").replacing("_", with: " ")
    }
}

/// The places of a venue. Made once for a venue; searching it takes about 1 ms for 1,000 places.
public struct VenuePlaces: Sendable {
    /// Ordered by level, name and id.
    public let all: [VenuePlace]
    private let positions: [FeatureID: Int]
    private let keys: [[SearchKey]]
    private let categoryKeys: [String: SearchKey]

    /// The named or categorised units except solids, the amenities, occupants and kiosks of a venue.
    public init(_ venue: Venue) {
        let places = PlaceCollector(venue).places.sorted { one, other in
            (one.level, one.name, one.id) < (other.level, other.name, other.id)
        }
        all = places
        positions = Dictionary(places.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { one, _ in one })
        categoryKeys = Dictionary(
            places.map { ($0.category, SearchKey(VenuePlace.words($0.category))) }, uniquingKeysWith: { one, _ in one })
        keys = places.map { place in
            let texts = [place.name] + (place.names?.texts.map(\.text) ?? []) + place.otherNames
            var seen: Set<String> = []
            return texts.filter { seen.insert($0).inserted }.map(SearchKey.init)
        }
    }

    /// The place with this id: its own, or that of a unit without a name.
    public subscript(id: FeatureID) -> VenuePlace? { positions[id].map { all[$0] } }

    /// What a search may be narrowed to.
    public struct Filter: Sendable {
        public var building: FeatureID?
        /// The positions of levels in the venue's list.
        public var levels: Set<Int>?
        /// A category, with or without its refinement: `restroom` also finds `restroom.male`.
        public var category: String?

        public init() {}
    }

    /// The places that a text means, the best first; all of the filter if the text is empty.
    ///
    /// Letters count without case and accents, in all languages of the names; room codes with or without dots and leading
    /// zeros (`C-1.06`, `c106`, `C 1 6`); one typing error in words of four letters and more.
    public func search(_ text: String, _ filter: Filter = Filter()) -> [VenuePlace] {
        let query = SearchKey(text)
        var found: [(rank: Int, position: Int)] = []
        for (position, place) in all.enumerated() where matches(place, filter) {
            if query.isEmpty {
                found.append((0, position))
            } else if let rank = keys[position].compactMap({ query.rank(in: $0) }).min() {
                found.append((rank, position))
            } else if let rank = categoryKeys[place.category].flatMap({ query.rank(in: $0) }) {
                found.append((rank + SearchKey.categoryRank, position))
            }
        }
        return found.sorted { $0 < $1 }.map { all[$0.position] }
    }

    /// The places of a category, with or without its refinement.
    public func places(category: String) -> [VenuePlace] {
        var filter = Filter()
        filter.category = category
        return all.filter { matches($0, filter) }
    }

    private func matches(_ place: VenuePlace, _ filter: Filter) -> Bool {
        if let building = filter.building, place.building != building { return false }
        if let levels = filter.levels, !levels.contains(place.level) { return false }
        guard let category = filter.category?.lowercased() else { return true }
        return place.category == category || place.category.hasPrefix(category + ".")
    }
}

/// Makes the places of a venue.
private struct PlaceCollector {
    private let venue: Venue
    private let units: [FeatureID: Int]
    private let addresses: [FeatureID: String]
    private(set) var places: [VenuePlace] = []

    /// What the kinds of places have in common.
    private struct Content {
        var names: LocalizedText?
        var otherNames: [String] = []
        var category: String
        var level: Int
        var point: GeoPoint
        var unit: Int?
        var contact = Contact()
    }

    init(_ venue: Venue) {
        self.venue = venue
        units = Dictionary(venue.units.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { one, _ in one })
        addresses = Dictionary(venue.addresses.map { ($0.id, $0.line) }, uniquingKeysWith: { one, _ in one })
        for (index, unit) in venue.units.enumerated() where !unit.category.isSolid { add(unit, index) }
        for amenity in venue.amenities { add(amenity) }
        let anchors = Dictionary(venue.anchors.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        for occupant in venue.occupants {
            if let anchor = occupant.anchor.flatMap({ anchors[$0] }) { add(occupant, at: anchor) }
        }
        for kiosk in venue.kiosks { add(kiosk, anchors) }
    }

    private mutating func add(_ id: FeatureID, _ kind: VenuePlace.Kind, _ content: Content) {
        let building = venue.building(ofLevel: content.level)
        let address = content.contact.address ?? building?.address ?? venue.address
        let name = content.names?.text() ?? content.otherNames.first ?? VenuePlace.words(content.category)
        var place = VenuePlace(
            id: id, kind: kind, name: name, category: content.category, level: content.level, point: content.point)
        place.names = content.names
        place.otherNames = content.otherNames
        place.building = building?.id
        place.unit = content.unit
        place.contact = content.contact
        place.address = address.flatMap { addresses[$0] }
        places.append(place)
    }

    private mutating func add(_ unit: VenueUnit, _ index: Int) {
        guard unit.name != nil || unit.code != nil || unit.category.isSpecific else { return }
        guard let point = unit.displayPoint ?? middle(of: unit.shape) else { return }
        let others = [unit.code, unit.alternativeName?.text()].compactMap(\.self)
        add(
            unit.id, .unit,
            Content(
                names: unit.name, otherNames: others, category: unit.category.name, level: unit.level, point: point,
                unit: index, contact: unit.contact))
    }

    private mutating func add(_ amenity: Amenity) {
        let unit = amenity.units.compactMap { units[$0] }.first
        guard let level = amenity.level ?? unit.map({ venue.units[$0].level }) else { return }
        let others = [amenity.alternativeName?.text()].compactMap(\.self)
        add(
            amenity.id, .amenity,
            Content(
                names: amenity.name, otherNames: others, category: amenity.category, level: level,
                point: amenity.point, unit: unit, contact: amenity.contact))
    }

    private mutating func add(_ occupant: Occupant, at anchor: Anchor) {
        guard let unit = anchor.unit.flatMap({ units[$0] }) else { return }
        var contact = occupant.contact
        contact.address = contact.address ?? anchor.address
        add(
            occupant.id, .occupant,
            Content(
                names: occupant.name, category: occupant.category, level: venue.units[unit].level,
                point: anchor.point, unit: unit, contact: contact))
    }

    private mutating func add(_ kiosk: Kiosk, _ anchors: [FeatureID: Anchor]) {
        let anchor = kiosk.anchor.flatMap { anchors[$0] }
        guard let point = kiosk.displayPoint ?? anchor?.point ?? middle(of: kiosk.shape) else { return }
        let others = [kiosk.alternativeName?.text()].compactMap(\.self)
        add(
            kiosk.id, .kiosk,
            Content(
                names: kiosk.name, otherNames: others, category: "kiosk", level: kiosk.level, point: point,
                unit: anchor?.unit.flatMap { units[$0] }))
    }

    /// A point in the shape.
    private func middle(of shape: GeoShape) -> GeoPoint? {
        guard let shapes = try? PlaneShapes(venue.frame), let point = try? shapes.area([shape]).interiorPoint() else {
            return shape.points.first
        }
        return venue.frame.place(point)
    }
}
