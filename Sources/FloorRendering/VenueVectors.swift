internal import Digest
internal import VectorTiles
public import Venues

/// The features of a venue on the map, for vector tiles. Their layers, classes and names are those of indoor= (indoorequal), so that
/// its plugin for MapLibre shows them.
///
/// Made once for a venue; takes about 1 ms for 1,000 corners.
public struct VenueVectors: Sendable {
    /// The layers of the tiles.
    enum Layer: String, CaseIterable {
        /// Levels, rooms, corridors, walls.
        case area
        /// The names of rooms.
        case areaName = "area_name"
        /// Shops, amenities.
        case poi
        /// Stairs, lifts, escalators.
        case transportation
        /// The outlines of venues, below the zoom levels of floors.
        case venue
    }

    struct Feature: Sendable {
        let layer: Layer
        let id: FeatureID
        /// The position of its level in the venue's list; nil for the outline of the venue.
        let level: Int?
        var attributes: [(key: String, value: VectorValue)]
        var names: LocalizedText?
        let shape: Shape

        enum Shape: Sendable {
            case point(WorldPlace)
            case polygons([[[WorldPlace]]], WorldBox)
        }
    }

    /// The content of the venue.
    let venueDigest: ContentDigest
    let features: [Feature]

    public init(_ venue: Venue, places: VenuePlaces) {
        venueDigest = venue.contentDigest
        var collector = VectorCollector(venue)
        collector.addOutline()
        for level in venue.levels.indices { collector.addLevel(level) }
        for unit in venue.units { collector.add(unit) }
        for kiosk in venue.kiosks { collector.add(kiosk) }
        for place in places.all { collector.add(place) }
        // The order of features in the source does not matter.
        features = collector.features.sorted { one, other in
            (one.layer.rawValue, one.level ?? -1, one.rank, one.id)
                < (other.layer.rawValue, other.level ?? -1, other.rank, other.id)
        }
    }
}

extension VenueVectors.Feature {
    /// Large areas are below small ones: clients draw features in their order.
    fileprivate var rank: Double {
        guard case .polygons(_, let box) = shape else { return 0 }
        return -(box.high.x - box.low.x) * (box.high.y - box.low.y)
    }
}

/// Collects the features of a venue.
private struct VectorCollector {
    private let venue: Venue
    private let projection: WorldProjection
    private(set) var features: [VenueVectors.Feature] = []

    init(_ venue: Venue) {
        self.venue = venue
        projection = WorldProjection(venue.frame)
    }

    mutating func addOutline() {
        let outline = VenueOutline(venue)
        add(
            .venue, outline.id, level: nil, outline.polygons,
            [("name", .text(outline.name)), ("category", .text(venue.category))])
    }

    mutating func addLevel(_ level: Int) {
        add(.area, venue.levels[level].id, level: level, projected(venue.levels[level].outline), [classed("level")])
    }

    mutating func add(_ unit: VenueUnit) {
        var attributes = [classed(Self.name(of: unit.category)), ("category", .text(unit.category.name))]
        if unit.category.isSpecific, !unit.category.isOpen, !unit.category.isSolid, unit.category.connector == nil {
            attributes.append(("is_poi", .truth(true)))
        }
        if unit.access.isRestricted { attributes.append(("access", .text("private"))) }
        add(.area, unit.id, level: unit.level, projected(unit.shape), attributes)
    }

    mutating func add(_ kiosk: Kiosk) {
        add(
            .area, kiosk.id, level: kiosk.level, projected(kiosk.shape),
            [classed("room"), ("category", .text("kiosk")), ("is_poi", .truth(true))])
    }

    /// The words of indoor= for areas.
    private static func name(of category: UnitCategory) -> String {
        if category.isWall { return "wall" }
        switch category.name.prefix(while: { $0 != "." }) {
        case "column": return "column"
        case "platform": return "platform"
        case "walkway", "lobby", "footbridge", "movingwalkway", "ramp": return "corridor"
        default: return category.isOpen || category.isSolid ? "area" : "room"
        }
    }

    mutating func add(_ place: VenuePlace) {
        let category = place.category
        let connector = place.unit.flatMap { venue.units[$0].category.connector }
        if place.kind == .unit, let connector { return addConnector(connector, place) }
        let base = String(category.prefix { $0 != "." && $0 != ":" })
        if place.kind != .unit || FloorSymbol(unit: category) != nil {
            add(.poi, place, [classed(base), ("subclass", .text(category))])
        } else if place.names != nil || !place.otherNames.isEmpty {
            add(.areaName, place, [classed("room"), ("category", .text(category))])
        }
    }

    private mutating func addConnector(_ connector: ConnectorKind, _ place: VenuePlace) {
        let name =
            switch connector {
            case .stairs: "steps"
            case .lift: "elevator"
            case .escalator: "escalator"
            case .ramp: "ramp"
            }
        var attributes = [classed(name)]
        if connector == .escalator { attributes.append(("conveying", .text("yes"))) }
        add(.transportation, place, attributes)
    }

    private func classed(_ name: String) -> (key: String, value: VectorValue) { ("class", .text(name)) }

    private mutating func add(
        _ layer: VenueVectors.Layer, _ place: VenuePlace, _ attributes: [(key: String, value: VectorValue)]
    ) {
        var feature = VenueVectors.Feature(
            layer: layer, id: place.id, level: place.level, attributes: attributes, names: place.names,
            shape: .point(projection.world(place.point)))
        if place.names == nil, let name = place.otherNames.first {
            feature.names = LocalizedText(name)
        }
        feature.attributes += levelAttributes(place.level)
        features.append(feature)
    }

    private mutating func add(
        _ layer: VenueVectors.Layer, _ id: FeatureID, level: Int?, _ polygons: [[[WorldPlace]]],
        _ attributes: [(key: String, value: VectorValue)]
    ) {
        var box = WorldBox.empty
        for polygon in polygons { for place in polygon.first ?? [] { box.add(place) } }
        guard !box.isEmpty else { return }
        features.append(
            VenueVectors.Feature(
                layer: layer, id: id, level: level,
                attributes: attributes + (level.map(levelAttributes) ?? []), shape: .polygons(polygons, box)))
    }

    /// `level` is a number, by which the plugin filters.
    private func levelAttributes(_ level: Int) -> [(key: String, value: VectorValue)] {
        let number = venue.levels[level].number
        let value = Int64(exactly: number).map { VectorValue.integer($0) } ?? .number(number)
        return [("level", value), ("ordinal", .integer(Int64(venue.levels[level].ordinal)))]
    }

    private func projected(_ shape: GeoShape) -> [[[WorldPlace]]] {
        shape.polygons.map { $0.map { $0.map(projection.world) } }
    }
}
