internal import GEOS
internal import Text
internal import TileMath

/// OpenStreetMap's Simple Indoor Tagging, and GeoJSON with `level`, as a venue.
///
/// The objects of a file are one venue. Levels are shared by buildings whose units touch each other; buildings that stand
/// alone have levels of their own.
struct IndoorReader {
    private var notices: VenueNotices
    private var ids: SourceIDs
    private var venue: Venue
    private let shapes: PlaneShapes
    private let parts: [IndoorPart]

    /// Reads features in any order.
    static func read(
        _ given: [RecordedFeature], format: VenueFormat, name: String, _ notices: VenueNotices
    ) throws(VenueError) -> (venue: Venue, notices: VenueNotices) {
        var reader = try IndoorReader(given, format, notices)
        try reader.readAll(name: name)
        reader.venue.sourceIDs = reader.ids.known
        return (reader.venue, reader.notices)
    }

    private init(_ given: [RecordedFeature], _ format: VenueFormat, _ notices: VenueNotices) throws(VenueError) {
        var notices = notices
        let features = RecordedFeature.sorted(given)
        let parts = features.compactMap { IndoorPart($0, isPlain: format == .geoJSON, &notices) }
        self.parts = parts
        let inside = parts.filter { $0.isInside }
        guard inside.contains(where: { $0.makesLevel }),
            let bounds = BoundingBox.enclosing(inside.compactMap(\.shape.bounds))
        else { throw .notAVenue }
        self.notices = notices
        ids = SourceIDs(venue: [format.rawValue] + Self.key(parts, bounds))
        venue = Venue(id: ids.venueID, format: format, bounds: bounds, recorded: parts.map(\.feature))
        shapes = try PlaneShapes(venue.frame)
    }

    /// What identifies the venue: its least building, else its least object, else its name and place.
    private static func key(_ parts: [IndoorPart], _ bounds: BoundingBox) -> [String] {
        let named = parts.filter { !$0.feature.sourceID.isEmpty }
        if let building = named.first(where: { $0.role == .building }) { return [building.feature.sourceID] }
        if let part = named.first(where: { $0.isInside }) { return [part.feature.sourceID] }
        let names = parts.compactMap { $0.tags["name"] }
        let west = Int((bounds.west * 1e4).rounded())
        return [names.min() ?? "", "\(west)", "\(Int((bounds.south * 1e4).rounded()))"]
    }

    private mutating func readAll(name: String) throws(VenueError) {
        readBuildings()
        let blocks = try IndoorBlocks(parts, buildings: venue.buildings.map(\.footprint), shapes)
        readLevels(blocks)
        try readUnits(blocks)
        readDoors(blocks)
        readAmenities(blocks)
        readFootways()
        nameVenue(name)
    }

    private mutating func id(_ kind: String, _ part: IndoorPart, level: String = "") -> FeatureID {
        ids.id(
            kind, part.feature.sourceID, level: level, name: part.tags["name"] ?? "", place: part.shape.points.first)
    }

    private mutating func readBuildings() {
        for part in parts where part.role == .building {
            var building = Building(id: id("building", part))
            building.name = part.names
            building.category = part.tags["building"] ?? "unspecified"
            building.footprint = part.shape
            let street = ["addr:street", "addr:housenumber"].compactMap { part.tags[$0] }.joined(separator: " ")
            let line = [
                street, part.tags["addr:postcode"] ?? "", part.tags["addr:city"] ?? "", part.tags["addr:country"] ?? "",
            ]
            .filter { !$0.isEmpty }.joined(separator: ", ")
            if !line.isEmpty {
                var address = VenueAddress(id: FeatureID(of: [building.id.description, "address"]))
                address.line = line
                venue.addresses.append(address)
                building.address = address.id
            }
            venue.buildings.append(building)
        }
    }

    private mutating func nameVenue(_ fileName: String) {
        // A map has the neighbours of a building, too.
        let inhabited = Set(venue.units.flatMap { venue.levels[$0.level].buildings })
        let named = venue.buildings.filter { $0.name != nil && inhabited.contains($0.id) }
        venue.names = named.count == 1 ? named[0].name : nil
        venue.name = venue.names?.text() ?? fileName
        if venue.buildings.count == 1 { venue.address = venue.buildings[0].address }
    }

    // MARK: Levels

    private mutating func readLevels(_ blocks: IndoorBlocks) {
        var found: [Level] = []
        for key in blocks.levels {
            let name = LevelExpression.text(key.number)
            let owners = blocks.buildings(of: key.block).map { venue.buildings[$0].id }.sorted()
            let owner = owners.first?.description ?? ""
            var level = Level(id: FeatureID(of: ids.venue + ["level", owner, name]))
            level.buildings = owners
            level.number = key.number
            level.ordinal = Int(key.number.rounded(.down))
            level.shortName = blocks.reference(key).flatMap { LocalizedText($0) } ?? LocalizedText(name)
            for part in parts where part.role == .level && blocks.levelKeys(of: part).contains(key) {
                level.outline = .polygons(level.outline.polygons + part.shape.polygons)
                level.name = level.name ?? part.names
            }
            found.append(level)
        }
        if found.count > VenueLimits.levels {
            notices.warning("LevelLimit", "there are more than \(VenueLimits.levels) levels; the highest were left out")
        }
        venue.levels = Array(found.prefix(VenueLimits.levels))
    }

    /// The positions of the levels of a part.
    private func levels(of part: IndoorPart, _ blocks: IndoorBlocks) -> [Int] {
        blocks.levelKeys(of: part).compactMap { blocks.position(of: $0) }.filter { $0 < venue.levels.count }
    }

    // MARK: Units

    private mutating func readUnits(_ blocks: IndoorBlocks) throws(VenueError) {
        for part in parts {
            switch part.role {
            case .unit(let category): try addUnits(part, category, blocks)
            case .path(let category): try addUnits(part, category, blocks)
            case .wall: addWalls(part, blocks)
            default: continue
            }
        }
    }

    private mutating func addUnits(_ part: IndoorPart, _ category: UnitCategory, _ blocks: IndoorBlocks)
        throws(VenueError)
    {
        let shape = try area(part, category)
        guard shape != .none else { return }
        let levels = levels(of: part, blocks)
        let shared = levels.count > 1 ? id("object", part) : nil
        for level in levels {
            let number = LevelExpression.text(venue.levels[level].number)
            var unit = VenueUnit(id: id("unit", part, level: number), level: level, category: category, shape: shape)
            unit.name = part.names
            unit.code = part.tags["ref"]
            if unit.name == nil, category.connector == nil { unit.name = LocalizedText(unit.code) }
            unit.alternativeName = IndoorTags.names(part.tags, "alt_name") ?? IndoorTags.names(part.tags, "old_name")
            unit.access = IndoorTags.access(part.tags)
            unit.isStepFree = part.tags["wheelchair"].flatMap { $0 == "no" ? false : $0 == "yes" ? true : nil }
            unit.isUpwards = IndoorTags.isUpwards(part.tags)
            unit.seconds = IndoorTags.seconds(part.tags["duration"])
            unit.shared = shared
            unit.contact = IndoorTags.contact(part.tags)
            venue.units.append(unit)
        }
    }

    /// Half the width of corridors and stairs that the source has as lines, and of lifts that it has as nodes, in metres.
    private static let corridorHalf = 1.0
    private static let stairsHalf = 0.75
    private static let liftHalf = 0.9

    /// The area of a part; lines and nodes get a width.
    private func area(_ part: IndoorPart, _ category: UnitCategory) throws(VenueError) -> GeoShape {
        let width = IndoorTags.metres(part.tags["width"]).map { $0 / 2 }
        switch part.shape {
        case .polygons: return part.shape
        case .lines(let lines):
            let half = width ?? (category.connector == nil ? Self.corridorHalf : Self.stairsHalf)
            return try PlaneShapes.geometry { () throws(GEOSError) in
                let line = try shapes.lines(lines.map(shapes.points))
                return try shapes.shape(line.buffer(half, cap: .square, join: .mitre(limit: 2)))
            }
        case .points(let points):
            return try PlaneShapes.geometry { () throws(GEOSError) in
                let point = try Geometry.point(venue.frame.local(points[0]), shapes.context)
                return try shapes.shape(point.buffer(width ?? Self.liftHalf, cap: .square, join: .mitre(limit: 2)))
            }
        case .none: return .none
        }
    }

    private mutating func addWalls(_ part: IndoorPart, _ blocks: IndoorBlocks) {
        let lines = part.shape.lines + part.shape.polygons.flatMap { $0.map { $0 + $0.prefix(1) } }
        for level in levels(of: part, blocks) {
            for line in lines {
                let number = LevelExpression.text(venue.levels[level].number)
                venue.walls.append(WallLine(id: id("wall", part, level: number), level: level, line: line))
            }
        }
    }

    // MARK: Doors, points, footways

    private mutating func readDoors(_ blocks: IndoorBlocks) {
        let outlines = WallOutlines(venue)
        for part in parts where part.role == .door {
            var levels = levels(of: part, blocks)
            if part.levels.isEmpty { levels = Array(venue.levels.indices) }
            var isPlaced = false
            for level in levels {
                guard let line = doorLine(part, level, outlines) else { continue }
                isPlaced = true
                let number = LevelExpression.text(venue.levels[level].number)
                let word = part.tags["door"] == "no" ? "pedestrian.passage" : "pedestrian"
                let category = part.tags["entrance"] == nil ? word : "pedestrian.principal"
                var opening = Opening(
                    id: id("opening", part, level: number), level: level, category: category, line: line)
                opening.name = part.names
                opening.access = IndoorTags.access(part.tags)
                opening.isStepFree = part.tags["wheelchair"].flatMap { $0 == "no" ? false : $0 == "yes" ? true : nil }
                opening.isEntrance = part.tags["entrance"].map { $0 != "no" } ?? false
                venue.openings.append(opening)
            }
            if !isPlaced {
                notices.warning("DoorOnNoWall", "a door is on no wall; it was left out", feature: part.feature.sourceID)
            }
        }
    }

    /// Metres of a door without `width`: what DIN 18100 has for one leaf.
    private static let doorWidth = 1.0

    private func doorLine(_ part: IndoorPart, _ level: Int, _ outlines: WallOutlines) -> [GeoPoint]? {
        if let line = part.shape.lines.first { return line }
        guard let place = part.shape.points.first, part.shape.polygons.isEmpty else { return nil }
        let width = IndoorTags.metres(part.tags["width"]) ?? Self.doorWidth
        return outlines.door(at: venue.frame.local(place), level: level, width: width)?.map(venue.frame.place)
    }

    /// The rings of a unit in metres, for finding what is in it.
    private struct UnitArea {
        let id: FeatureID
        let box: BoundingBox
        let polygons: [[[PlanePoint]]]
    }

    private func areasByLevel() -> [Int: [UnitArea]] {
        var areas: [Int: [UnitArea]] = [:]
        for unit in venue.units {
            guard let box = unit.shape.bounds else { continue }
            let polygons = unit.shape.polygons.map { $0.map(shapes.points) }
            areas[unit.level, default: []].append(UnitArea(id: unit.id, box: box, polygons: polygons))
        }
        return areas
    }

    private mutating func readAmenities(_ blocks: IndoorBlocks) {
        let areas = areasByLevel()
        for part in parts {
            guard case .amenity(let category) = part.role, let point = part.shape.points.first else { continue }
            for level in levels(of: part, blocks) {
                let number = LevelExpression.text(venue.levels[level].number)
                var amenity = Amenity(id: id("amenity", part, level: number), category: category, point: point)
                amenity.name = part.names
                amenity.alternativeName = IndoorTags.names(part.tags, "alt_name")
                amenity.level = level
                amenity.contact = IndoorTags.contact(part.tags)
                let local = venue.frame.local(point)
                amenity.units = (areas[level] ?? []).filter { area in
                    area.box.contains(point) && area.polygons.contains { PlaneMath.contains($0, local) }
                }.map(\.id)
                venue.amenities.append(amenity)
            }
        }
    }

    private mutating func readFootways() {
        for part in parts where part.role == .footway {
            for line in part.shape.lines {
                var footway = Footway(id: id("footway", part), line: line)
                footway.hasSteps = part.tags["highway"] == "steps"
                footway.access = IndoorTags.access(part.tags)
                venue.footways.append(footway)
            }
        }
    }
}
