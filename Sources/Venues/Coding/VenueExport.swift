internal import Text

/// A file of an exported venue.
public struct VenueMember: Sendable, Equatable {
    /// `unit.geojson`, `manifest.json`.
    public let name: String
    public let bytes: [UInt8]
}

extension Venue {
    /// The venue as the members of an IMDF archive: `manifest.json`, and a file for each type.
    ///
    /// Features of IMDF are as they were recorded, with all their properties: importing the members gives the same ids again.
    /// Those of other formats are written in the terms of IMDF; their tags as recorded are in `exportedCollection`.
    public func exportedMembers() -> [VenueMember] {
        let grouped = format == .imdf ? recordedByKind() : IMDFExport(self).features
        var members = [VenueMember(name: "manifest.json", bytes: manifest.isEmpty ? ownManifest() : manifest)]
        for kind in FeatureKind.allCases {
            guard let features = grouped[kind], !features.isEmpty else { continue }
            var json = JSONWriter()
            json.object { json in
                json.add("type", "FeatureCollection")
                json.add("name", kind.rawValue)
                json.array("features", features) { $0.raw($1) }
            }
            members.append(VenueMember(name: kind.rawValue + ".geojson", bytes: json.bytes))
        }
        return members
    }

    /// The venue as one GeoJSON FeatureCollection: the features as they were recorded. Importing it gives the same venue.
    public func exportedCollection() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.add("type", "FeatureCollection")
            json.add("name", name)
            json.array("features", recorded) { $0.raw($1.json) }
        }
        return json.bytes
    }

    private func recordedByKind() -> [FeatureKind: [[UInt8]]] {
        Dictionary(grouping: recorded) { $0.kind ?? .detail }.mapValues { $0.map(\.json) }
    }

    private func ownManifest() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.add("version", "1.0.0")
            json.add("generated_by", "tileserve")
            json.add("language", names?.texts.first { !$0.language.isEmpty }?.language ?? "en")
        }
        return json.bytes
    }
}

/// A venue of another format in the terms of IMDF.
private struct IMDFExport {
    private let venue: Venue
    private(set) var features: [FeatureKind: [[UInt8]]] = [:]

    init(_ venue: Venue) {
        self.venue = venue
        add(.venue, venue.id, shape(of: venue)) { json in
            json.add("category", venue.category)
            Self.add("name", venue.names ?? LocalizedText(venue.name), to: &json)
            json.add("address_id", venue.address?.description)
        }
        for address in venue.addresses {
            add(.address, address.id, .none) { $0.add("address", address.line) }
        }
        for building in venue.buildings { add(building) }
        for level in venue.levels { add(level) }
        for unit in venue.units { add(unit) }
        for opening in venue.openings {
            let level = venue.levels[opening.level].id.description
            add(.opening, opening.id, .lines([opening.line])) { json in
                json.add("category", opening.category)
                Self.add("name", opening.name, to: &json)
                json.add("level_id", level)
            }
        }
        for wall in venue.walls {
            let level = venue.levels[wall.level].id.description
            add(.detail, wall.id, .lines([wall.line])) { $0.add("level_id", level) }
        }
        for amenity in venue.amenities {
            add(.amenity, amenity.id, .points([amenity.point])) { json in
                json.add("category", amenity.category)
                Self.add("name", amenity.name, to: &json)
                json.array("unit_ids", amenity.units) { $0.add($1.description) }
                Self.add(amenity.contact, to: &json)
            }
        }
    }

    private func shape(of venue: Venue) -> GeoShape {
        if venue.outline != .none { return venue.outline }
        let outlines = venue.buildings.flatMap(\.footprint.polygons)
        return outlines.isEmpty ? .none : .polygons(outlines)
    }

    private mutating func add(_ building: Building) {
        add(.building, building.id, .none) { json in
            json.add("category", building.category)
            Self.add("name", building.name, to: &json)
            json.add("address_id", building.address?.description)
        }
        guard building.footprint != .none else { return }
        add(.footprint, FeatureID(of: [building.id.description, "footprint"]), building.footprint) { json in
            json.add("category", "ground")
            json.array("building_ids", [building.id]) { $0.add($1.description) }
        }
    }

    private mutating func add(_ level: Level) {
        add(.level, level.id, level.outline) { json in
            json.add("category", "unspecified")
            json.add("ordinal", level.ordinal)
            json.add("outdoor", level.isOutdoor)
            Self.add("name", level.name ?? level.shortName, to: &json)
            Self.add("short_name", level.shortName, to: &json)
            json.array("building_ids", level.buildings) { $0.add($1.description) }
        }
    }

    private mutating func add(_ unit: VenueUnit) {
        let level = venue.levels[unit.level].id.description
        add(.unit, unit.id, unit.shape) { json in
            json.add("category", unit.category.name)
            Self.add("name", unit.name, to: &json)
            Self.add("alt_name", unit.alternativeName, to: &json)
            json.add("level_id", level)
            if case .restricted(let word) = unit.access { json.add("restriction", word) }
            Self.add(unit.contact, to: &json)
        }
    }

    private mutating func add(
        _ kind: FeatureKind, _ id: FeatureID, _ shape: GeoShape, _ properties: (inout JSONWriter) -> Void
    ) {
        var json = JSONWriter()
        json.object { json in
            json.add("id", id.description)
            json.add("type", "Feature")
            json.add("feature_type", kind.rawValue)
            json.key("geometry")
            GeoJSONShape.write(shape, to: &json)
            json.object("properties", properties)
        }
        features[kind, default: []].append(json.bytes)
    }

    private static func add(_ name: String, _ text: LocalizedText?, to json: inout JSONWriter) {
        guard let text else { return json.add(name, nil as String?) }
        json.object(name) { json in
            for entry in text.texts { json.add(entry.language.isEmpty ? "und" : entry.language, entry.text) }
        }
    }

    private static func add(_ contact: Contact, to json: inout JSONWriter) {
        for (name, value) in [("hours", contact.hours), ("phone", contact.phone), ("website", contact.website)] {
            if let value { json.add(name, value) }
        }
    }
}
