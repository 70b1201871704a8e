internal import Text
internal import TileMath

/// IMDF 1.0 (OGC 20-094) as a venue.
///
/// What is missing is told and done without: a missing `venue` or `level`, references to nothing, geometries that are
/// none. Only what names no level and lies nowhere is left out.
struct IMDFReader {
    private let features: [FeatureKind: [RecordedFeature]]
    private let recorded: [RecordedFeature]
    private var ids: SourceIDs
    private var notices: VenueNotices
    private var levels: [String: Int] = [:]
    private var venue: Venue

    /// Reads features in any order.
    static func read(
        _ given: [RecordedFeature], manifest: [UInt8], name: String, _ notices: VenueNotices
    ) throws(VenueError) -> (venue: Venue, notices: VenueNotices) {
        var reader = try IMDFReader(given, notices)
        reader.venue.manifest = manifest
        reader.readAll(name: name)
        reader.venue.sourceIDs = reader.ids.known
        return (reader.venue, reader.notices)
    }

    private init(_ given: [RecordedFeature], _ notices: VenueNotices) throws(VenueError) {
        var notices = notices
        var kept: [RecordedFeature] = []
        var seen: Set<String> = []
        for feature in RecordedFeature.sorted(given) {
            guard feature.kind != nil else {
                notices.violation(
                    "FeatureMustHaveFeatureType", "a feature has no type of IMDF; it was left out",
                    feature: feature.sourceID)
                continue
            }
            if feature.sourceID.isEmpty {
                notices.violation(
                    "FeatureMustHaveId", "a feature has no id; one was made from its kind, level, name and place")
            } else if !seen.insert(feature.sourceID).inserted {
                notices.violation(
                    "FeatureIdMustBeUnique", "several features have the same id; only the first was kept",
                    feature: feature.sourceID)
                continue
            }
            kept.append(feature)
        }
        let boxes = kept.compactMap(\.shape.bounds)
        guard kept.contains(where: { [.unit, .level, .venue, .footprint, .opening].contains($0.kind) }),
            let bounds = BoundingBox.enclosing(boxes)
        else { throw .notAVenue }
        features = Dictionary(grouping: kept) { $0.kind ?? .detail }
        recorded = kept
        ids = SourceIDs(venue: ["imdf", Self.key(features)])
        self.notices = notices
        venue = Venue(id: ids.venueID, format: .imdf, bounds: bounds, recorded: kept)
    }

    /// The id of the venue, else the least of its buildings, levels or other features.
    private static func key(_ features: [FeatureKind: [RecordedFeature]]) -> String {
        for kind in FeatureKind.allCases {
            if let id = features[kind]?.map(\.sourceID).filter({ !$0.isEmpty }).min() { return id }
        }
        return features.values.flatMap(\.self).map { String(decoding: $0.json, as: UTF8.self) }.min() ?? ""
    }

    // MARK: In the order of references

    private mutating func readAll(name: String) {
        readAddresses()
        readVenue(name: name)
        readBuildings()
        readLevels()
        readUnits()
        readOpenings()
        readAnchors()
        readAmenities()
        readOccupants()
        readKiosks()
        readDetails()
        readRelationships()
    }

    private func all(_ kind: FeatureKind) -> [RecordedFeature] { features[kind] ?? [] }

    private mutating func id(of feature: RecordedFeature) -> FeatureID {
        ids.id(
            feature.kind?.rawValue ?? "", feature.sourceID, level: feature.text("level_id") ?? "",
            name: feature.labels("name")?.text() ?? "", place: feature.shape.points.first)
    }

    /// The id of what a property refers to.
    private mutating func reference(_ feature: RecordedFeature, _ name: String) -> FeatureID? {
        guard let target = feature.text(name) else { return nil }
        return resolve(target, from: feature)
    }

    private mutating func resolve(_ target: String, from feature: RecordedFeature) -> FeatureID? {
        if let id = ids[target] { return id }
        notices.violation(
            "ReferencedFeatureIDMustBeResolvable", "a feature refers to an id that no feature has",
            feature: feature.sourceID)
        return nil
    }

    private mutating func require(_ isThere: Bool, _ rule: String, _ message: String, _ feature: RecordedFeature) {
        if !isThere { notices.violation(rule, message, feature: feature.sourceID) }
    }

    private mutating func category(_ feature: RecordedFeature, _ rule: String) -> String {
        let text = feature.text("category")
        require(text != nil, rule, "a feature has no category; it counts as unspecified", feature)
        return text ?? "unspecified"
    }

    private mutating func readAddresses() {
        for feature in all(.address) {
            require(
                feature.text("address") != nil, "AddressMustHaveAddress", "an address has no street", feature)
            var address = VenueAddress(id: id(of: feature))
            address.line = ["address", "unit", "locality", "province", "country", "postal_code"]
                .compactMap(feature.text).joined(separator: ", ")
            venue.addresses.append(address)
        }
    }

    private mutating func readVenue(name: String) {
        let venues = all(.venue)
        if venues.count != 1 {
            notices.violation("VenueCountMustBeExactlyOne", "there are \(venues.count) venues in the file")
        }
        venue.name = name
        guard let feature = venues.first else { return }
        let names = feature.labels("name")
        require(names != nil, "VenueMustHaveName", "the venue has no name; it has that of its file", feature)
        venue.names = names
        venue.name = names?.text() ?? name
        venue.category = category(feature, "VenueMustHaveCategory")
        venue.address = reference(feature, "address_id")
        require(venue.address != nil, "VenueMustHaveAddressId", "the venue has no address", feature)
        venue.displayPoint = feature.point("display_point")
        venue.contact = feature.contact
        venue.outline = feature.shape
        _ = id(of: feature)
    }

    private mutating func readBuildings() {
        for feature in all(.building) {
            var building = Building(id: id(of: feature))
            building.name = feature.labels("name")
            require(building.name != nil, "BuildingMustHaveName", "a building has no name", feature)
            building.category = category(feature, "BuildingMustHaveCategory")
            building.address = reference(feature, "address_id")
            venue.buildings.append(building)
        }
        for feature in all(.footprint) {
            _ = id(of: feature)
            let owners = feature.texts("building_ids")
            require(
                !owners.isEmpty, "FootprintMustHaveBuildingIds", "a footprint names no building", feature)
            guard feature.text("category") ?? "ground" == "ground" else { continue }
            for owner in owners {
                guard let target = resolve(owner, from: feature),
                    let index = venue.buildings.firstIndex(where: { $0.id == target })
                else { continue }
                venue.buildings[index].footprint = .polygons(
                    venue.buildings[index].footprint.polygons + feature.shape.polygons)
            }
        }
    }

    private mutating func readLevels() {
        var found: [(level: Level, sourceID: String)] = []
        for feature in all(.level) {
            var level = Level(id: id(of: feature))
            for owner in feature.texts("building_ids") {
                if let building = resolve(owner, from: feature) { level.buildings.append(building) }
            }
            level.buildings.sort()
            let ordinal = feature.property("ordinal")?.spelledNumber?.double
            require(ordinal != nil, "LevelMustHaveOrdinal", "a level has no ordinal; it counts as 0", feature)
            level.number = min(max(ordinal ?? 0, LevelExpression.bounds.lowerBound), LevelExpression.bounds.upperBound)
            level.ordinal = Int(level.number.rounded(.down))
            level.name = feature.labels("name")
            level.shortName = feature.labels("short_name")
            require(level.shortName != nil, "LevelMustHaveShortName", "a level has no short name", feature)
            level.outline = feature.shape
            level.isOutdoor = feature.text("outdoor") == "true" || feature.text("category") == "outdoor"
            level.access = feature.restriction
            found.append((level, feature.sourceID))
        }
        addMissingLevels(&found)
        found.sort { ($0.level.number, $0.level.id) < ($1.level.number, $1.level.id) }
        for (index, entry) in found.prefix(VenueLimits.levels).enumerated() {
            venue.levels.append(entry.level)
            levels[entry.sourceID] = index
        }
        if found.count > VenueLimits.levels {
            notices.violation(
                "LevelOrdinalMustBeInteger",
                "there are more than \(VenueLimits.levels) levels; the highest were left out")
        }
    }

    /// Levels that units name and the file lacks: on ordinal 0, because nothing else is known of them.
    private mutating func addMissingLevels(_ found: inout [(level: Level, sourceID: String)]) {
        let known = Set(found.map(\.sourceID))
        let named = (all(.unit) + all(.opening)).compactMap { $0.text("level_id") }
        for sourceID in Set(named).subtracting(known).sorted() {
            notices.violation(
                "ReferencedFeatureIDMustBeResolvable",
                "units name a level that is not in the file; it counts as ordinal 0",
                feature: sourceID)
            found.append((Level(id: ids.id("level", sourceID, level: "", name: "", place: nil)), sourceID))
        }
        if found.isEmpty, !all(.unit).isEmpty {
            found.append((Level(id: ids.id("level", "", level: "", name: "", place: nil)), ""))
        }
    }

    /// The level that a feature names; nil, with a notice, if it names none.
    private mutating func level(_ feature: RecordedFeature, _ rule: String) -> Int? {
        if let index = levels[feature.text("level_id") ?? ""] { return index }
        notices.violation(rule, "a feature names no level of the file; it was left out", feature: feature.sourceID)
        return nil
    }

    private mutating func readUnits() {
        for feature in all(.unit) {
            let id = id(of: feature)
            guard let level = level(feature, "UnitMustHaveLevelId") else { continue }
            guard !feature.shape.polygons.isEmpty else {
                notices.violation(
                    "GeometryTypeMustBeValid", "a unit is no polygon; it was left out", feature: feature.sourceID)
                continue
            }
            let category = UnitCategory(category(feature, "UnitMustHaveCategory"))
            var unit = VenueUnit(id: id, level: level, category: category, shape: feature.shape)
            unit.name = feature.labels("name")
            unit.alternativeName = feature.labels("alt_name")
            unit.displayPoint = feature.point("display_point")
            if unit.displayPoint == nil {
                notices.warning(
                    "UnitShouldHaveDisplayPoint", "a unit has no display point", feature: feature.sourceID)
            }
            unit.access = feature.restriction
            venue.units.append(unit)
        }
    }

    private mutating func readOpenings() {
        for feature in all(.opening) {
            let id = id(of: feature)
            guard let level = level(feature, "OpeningShouldHaveLevelId") else { continue }
            let lines = feature.shape.lines
            guard !lines.isEmpty else {
                notices.violation(
                    "GeometryTypeMustBeValid", "an opening is no line; it was left out", feature: feature.sourceID)
                continue
            }
            let category = category(feature, "OpeningMustHaveCategory")
            for (number, line) in lines.enumerated() {
                let own = number == 0 ? id : FeatureID(of: [id.description, "\(number)"])
                var opening = Opening(id: own, level: level, category: category, line: line)
                opening.name = feature.labels("name")
                opening.accessControl = feature.texts("access_control")
                opening.isEntrance = ["pedestrian.principal", "pedestrian.transit"].contains(category)
                venue.openings.append(opening)
            }
        }
    }

    private mutating func readAnchors() {
        for feature in all(.anchor) {
            let id = id(of: feature)
            guard let point = feature.shape.points.first else {
                notices.violation(
                    "GeometryTypeMustBeValid", "an anchor is no point; it was left out", feature: feature.sourceID)
                continue
            }
            var anchor = Anchor(id: id, point: point)
            anchor.unit = reference(feature, "unit_id")
            if anchor.unit == nil {
                notices.warning("AnchorShouldHaveUnitId", "an anchor names no unit", feature: feature.sourceID)
            }
            anchor.address = reference(feature, "address_id")
            venue.anchors.append(anchor)
        }
    }

    private mutating func readAmenities() {
        for feature in all(.amenity) {
            let id = id(of: feature)
            guard let point = feature.shape.points.first else {
                notices.violation(
                    "GeometryTypeMustBeValid", "an amenity is no point; it was left out", feature: feature.sourceID)
                continue
            }
            var amenity = Amenity(id: id, category: category(feature, "AmenityMustHaveCategory"), point: point)
            amenity.name = feature.labels("name")
            amenity.alternativeName = feature.labels("alt_name")
            amenity.contact = feature.contact
            amenity.contact.address = reference(feature, "address_id")
            for unit in feature.texts("unit_ids") {
                if let target = resolve(unit, from: feature) { amenity.units.append(target) }
            }
            require(!amenity.units.isEmpty, "AmenityMustHaveUnitIds", "an amenity names no unit", feature)
            amenity.level = venue.units.first { amenity.units.contains($0.id) }?.level
            venue.amenities.append(amenity)
        }
    }

    private mutating func readOccupants() {
        for feature in all(.occupant) {
            var occupant = Occupant(id: id(of: feature))
            occupant.category = category(feature, "OccupantMustHaveCategory")
            occupant.name = feature.labels("name")
            require(occupant.name != nil, "OccupantMustHaveName", "an occupant has no name", feature)
            occupant.anchor = reference(feature, "anchor_id")
            occupant.contact = feature.contact
            venue.occupants.append(occupant)
        }
    }

    private mutating func readKiosks() {
        for feature in all(.kiosk) {
            let id = id(of: feature)
            guard let level = level(feature, "KioskMustHaveLevelId") else { continue }
            var kiosk = Kiosk(id: id, level: level, shape: feature.shape)
            kiosk.name = feature.labels("name")
            kiosk.alternativeName = feature.labels("alt_name")
            kiosk.displayPoint = feature.point("display_point")
            kiosk.anchor = reference(feature, "anchor_id")
            venue.kiosks.append(kiosk)
        }
    }

    private mutating func readDetails() {
        for kind in [FeatureKind.section, .fixture, .geofence, .detail] {
            for feature in all(kind) {
                var detail = VenueDetail(id: id(of: feature), kind: kind, shape: feature.shape)
                detail.level = levels[feature.text("level_id") ?? ""]
                detail.category = feature.text("category") ?? "unspecified"
                detail.name = feature.labels("name")
                venue.details.append(detail)
            }
        }
    }

    private mutating func readRelationships() {
        for feature in all(.relationship) {
            let id = id(of: feature)
            var relationship = Relationship(id: id, category: category(feature, "RelationshipMustHaveCategory"))
            relationship.isDirected = feature.text("direction") == "directed"
            for name in ["origin", "intermediary", "destination"] {
                for target in feature.references(name) {
                    if let found = resolve(target, from: feature) { relationship.features.append(found) }
                }
            }
            require(
                feature.property("origin") != nil, "RelationshipMustHaveOrigin", "a relationship has no origin", feature
            )
            require(
                feature.property("destination") != nil, "RelationshipMustHaveDestination",
                "a relationship has no destination", feature)
            venue.relationships.append(relationship)
        }
    }
}
