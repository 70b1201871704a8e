internal import Foundation
internal import TileMath
internal import Venues

/// A unit, a kiosk or a fixture.
struct FloorArea: Sendable {
    let group: UnitGroup
    let shape: WorldShape
}

/// The shapes of levels on the map.
struct FloorShapes {
    let projection: WorldProjection
    let levels: Set<Int>
    private(set) var outlines: [WorldShape] = []
    private(set) var areas: [FloorArea] = []
    private(set) var wallAreas: [WorldShape] = []
    private(set) var wallLines: [WorldLines] = []
    private(set) var openings: [WorldLines] = []
    /// The shapes of the units of the levels, by their position in the venue's list.
    private(set) var units: [Int: WorldShape] = [:]
    let worldMetres: Double

    var box: WorldBox {
        var box = WorldBox.empty
        for shape in outlines + wallAreas { box.add(shape.box) }
        for area in areas { box.add(area.shape.box) }
        for lines in wallLines + openings { box.add(lines.box) }
        return box
    }

    init(_ venue: Venue, _ plans: [LevelPlan]) {
        projection = WorldProjection(venue.frame)
        levels = Set(plans.map(\.level))
        // The circumference of the sphere of Web Mercator at the latitude.
        worldMetres = 40_075_016.686 * cos(venue.frame.centre.latitude * .pi / 180)
        addOutlines(venue)
        addAreas(venue, walls: Set(plans.filter { $0.style == .walls }.map(\.level)))
        for plan in plans { addWalls(plan) }
        for opening in venue.openings.sorted(by: { $0.id < $1.id }) where levels.contains(opening.level) {
            openings.append(WorldLines([opening.line.map(projection.world)]))
        }
    }

    func shape(_ shape: GeoShape) -> WorldShape {
        WorldShape(shape.polygons.map { $0.map { $0.map(projection.world) } })
    }

    private mutating func addOutlines(_ venue: Venue) {
        for level in levels.sorted() {
            var found = shape(venue.levels[level].outline)
            if found.rings.isEmpty {
                let buildings = venue.levels[level].buildings
                let footprints = venue.buildings.filter { buildings.contains($0.id) }.sorted { $0.id < $1.id }
                found = WorldShape(
                    footprints.flatMap { $0.footprint.polygons.map { $0.map { $0.map(projection.world) } } })
            }
            if !found.rings.isEmpty { outlines.append(found) }
        }
    }

    /// Units, kiosks and fixtures: by group, the largest first, then by id.
    private mutating func addAreas(_ venue: Venue, walls: Set<Int>) {
        var found: [(area: FloorArea, id: FeatureID)] = []
        for (index, unit) in venue.units.enumerated() where levels.contains(unit.level) {
            // These walls are drawn as the plan has them, with their doors.
            if unit.category.isWall, walls.contains(unit.level) { continue }
            let shape = shape(unit.shape)
            units[index] = shape
            found.append((FloorArea(group: UnitGroup(unit), shape: shape), unit.id))
        }
        for kiosk in venue.kiosks where levels.contains(kiosk.level) {
            found.append((FloorArea(group: .fixture, shape: shape(kiosk.shape)), kiosk.id))
        }
        for detail in venue.details where detail.kind == .fixture && levels.contains(detail.level ?? -1) {
            found.append((FloorArea(group: .fixture, shape: shape(detail.shape)), detail.id))
        }
        areas =
            found.filter { !$0.area.shape.rings.isEmpty }.sorted { one, other in
                (one.area.group, -one.area.shape.area, one.id) < (other.area.group, -other.area.shape.area, other.id)
            }.map(\.area)
    }

    private mutating func addWalls(_ plan: LevelPlan) {
        for polygon in plan.wallAreas {
            wallAreas.append(WorldShape([polygon.map { $0.map { projection.world($0) } }]))
        }
        for line in plan.wallLines { wallLines.append(WorldLines([line.map { projection.world($0) }])) }
    }
}
