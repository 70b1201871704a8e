// The campus as files.
extension SampleCampus {
    private static func degrees(_ metres: Double, _ perMetre: Double, from origin: Double) -> String {
        // Nine decimals: a tenth of a millimetre.
        let value = ((origin + metres * perMetre) * 1e9).rounded()
        let whole = Int(value)
        let digits = String(abs(whole))
        let padded = String(repeating: "0", count: max(0, 10 - digits.count)) + digits
        return (whole < 0 ? "-" : "") + padded.dropLast(9) + "." + padded.suffix(9)
    }

    /// Longitude and latitude of a point in metres, as texts.
    public static func place(_ point: (x: Double, y: Double)) -> (longitude: String, latitude: String) {
        (
            degrees(point.x, degrees.x, from: origin.longitude), degrees(point.y, degrees.y, from: origin.latitude)
        )
    }

    private static func position(_ point: (x: Double, y: Double)) -> String {
        let place = place(point)
        return "[\(place.longitude),\(place.latitude)]"
    }

    private static func polygon(_ rings: [[(x: Double, y: Double)]]) -> String {
        let lists = rings.map { ring in "[" + (ring + ring.prefix(1)).map(position).joined(separator: ",") + "]" }
        return "{\"type\":\"Polygon\",\"coordinates\":[\(lists.joined(separator: ","))]}"
    }

    private static func line(_ points: [(x: Double, y: Double)]) -> String {
        "{\"type\":\"LineString\",\"coordinates\":[\(points.map(position).joined(separator: ","))]}"
    }

    private static func box(_ footprint: (Double, Double, Double, Double)) -> [(x: Double, y: Double)] {
        let (west, south, east, north) = footprint
        return [(west, south), (east, south), (east, north), (west, north)]
    }

    private static func middle(_ room: Room) -> (x: Double, y: Double) {
        let shell = room.rings[0]
        // Corridors have the courtyard in their middle.
        if room.rings.count > 1 { return (shell[0].x + 2, shell[0].y + 1.5) }
        return ((shell[0].x + shell[2].x) / 2, (shell[0].y + shell[2].y) / 2)
    }

    public static let venueID = "aaaaaaaa-0000-4000-8000-000000000001"
    public static let addressID = "aaaaaaaa-0000-4000-8000-000000000002"

    public static func buildingID(_ building: Int) -> String { "bbbbbbbb-0000-4000-8000-00000000000\(building)" }
    public static func levelID(_ building: Int, _ level: Int) -> String {
        "cccccccc-0000-4000-8000-0000000000\(building)\(level)"
    }

    private static func feature(_ id: String, _ type: String, _ geometry: String, _ properties: String) -> String {
        "{\"id\":\"\(id)\",\"type\":\"Feature\",\"feature_type\":\"\(type)\",\"geometry\":\(geometry),\"properties\":{\(properties)}}"
    }

    private static func collection(_ features: [String]) -> String {
        "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ",\n"))]}"
    }

    /// The features of each type of IMDF, as GeoJSON texts.
    public func imdfFeatures() -> [String: [String]] {
        var features: [String: [String]] = [:]
        let whole = Self.polygon([Self.box((-5, -10, 90, 30))])
        let names = "\"name\":{\"en\":\"Sample Campus\",\"de\":\"Mustergelände\"}"
        features["venue"] = [
            Self.feature(
                Self.venueID, "venue", whole,
                "\"category\":\"university\",\(names),\"address_id\":\"\(Self.addressID)\",\"hours\":\"Mo-Fr 08:00-20:00\""
            )
        ]
        features["address"] = [
            Self.feature(
                Self.addressID, "address", "null",
                "\"address\":\"1 Test Street\",\"locality\":\"Testing\",\"country\":\"DE\",\"postal_code\":\"12345\"")
        ]
        for (index, name) in ["Main", "East"].enumerated() {
            features["building", default: []].append(
                Self.feature(
                    Self.buildingID(index), "building", "null",
                    "\"name\":{\"en\":\"\(name)\"},\"category\":\"unspecified\",\"address_id\":\"\(Self.addressID)\""))
            features["footprint", default: []].append(
                Self.feature(
                    "dddddddd-0000-4000-8000-00000000000\(index)", "footprint",
                    Self.polygon([Self.box(Self.footprints[index])]),
                    "\"category\":\"ground\",\"building_ids\":[\"\(Self.buildingID(index))\"]"))
            for level in 0..<(index == 0 ? Self.levels : 2) {
                features["level", default: []].append(
                    Self.feature(
                        Self.levelID(index, level), "level", Self.polygon([Self.box(Self.footprints[index])]),
                        "\"category\":\"unspecified\",\"ordinal\":\(level),\"name\":{\"en\":\"Level \(level)\"},\"short_name\":{\"en\":\"\(level == 0 ? "G" : "\(level)")\"},\"building_ids\":[\"\(Self.buildingID(index))\"]"
                    ))
            }
        }
        for room in rooms {
            let point = "{\"type\":\"Point\",\"coordinates\":\(Self.position(Self.middle(room)))}"
            let name = room.name.map { "{\"en\":\"\($0)\"}" } ?? "null"
            let restriction = room.restriction.map { "\"\($0)\"" } ?? "null"
            features["unit", default: []].append(
                Self.feature(
                    room.id, "unit", Self.polygon(room.rings),
                    "\"category\":\"\(room.category)\",\"name\":\(name),\"restriction\":\(restriction),\"display_point\":\(point),\"level_id\":\"\(Self.levelID(room.building, room.level))\""
                ))
        }
        for door in doors {
            features["opening", default: []].append(
                Self.feature(
                    door.id, "opening", Self.line([door.start, door.end]),
                    "\"category\":\"\(door.isEntrance ? "pedestrian.principal" : "pedestrian")\",\"level_id\":\"\(Self.levelID(door.building, door.level))\""
                ))
        }
        return features
    }

    /// The members of an IMDF archive: the name of each file and its text.
    public func imdfMembers() -> [(name: String, text: String)] {
        let manifest = "{\"version\":\"1.0.0\",\"created\":\"2026-01-01T00:00:00Z\",\"language\":\"en\"}"
        return [("manifest.json", manifest)]
            + imdfFeatures().sorted { $0.key < $1.key }.map { ($0.key + ".geojson", Self.collection($0.value)) }
    }

    // MARK: OpenStreetMap

    private static let osmTags: [String: String] = [
        "walkway": "indoor=corridor", "lobby": "indoor=area", "office": "indoor=room|room=office",
        "stairs": "indoor=room|stairs=yes", "elevator": "indoor=room|highway=elevator",
        "restroom": "indoor=room|amenity=toilets",
        "restroom.wheelchair": "indoor=room|amenity=toilets|wheelchair=designated",
        "column": "indoor=column", "recreation": "indoor=room|leisure=garden", "classroom": "indoor=room|room=class",
    ]

    /// A tagged shape.
    private struct Tagged {
        let id: String
        let rings: [[(x: Double, y: Double)]]
        let isArea: Bool
        let tags: [String]
    }

    /// Stairs and lifts are one object on all their levels; openings to below and holes are left out, pillars are columns.
    private func tagged() -> [Tagged] {
        var shapes: [Tagged] = []
        for (index, footprint) in Self.footprints.enumerated() {
            shapes.append(
                Tagged(
                    id: "way/\(10 + index)", rings: [Self.box(footprint)], isArea: true,
                    tags: ["building=university", "name=\(index == 0 ? "Main" : "East")"]))
        }
        for (index, room) in rooms.enumerated() where room.category != "opentobelow" {
            var tags = (Self.osmTags[room.category] ?? "indoor=room").split(separator: "|").map(String.init)
            if ["stairs", "elevator"].contains(room.category) {
                guard room.level == 0 else { continue }
                tags.append("level=0-\(room.building == 0 ? Self.levels - 1 : 1)")
            } else {
                tags.append("level=\(room.level)")
            }
            if let name = room.name { tags.append(room.category == "office" ? "ref=\(name)" : "name=\(name)") }
            if room.restriction != nil { tags.append("access=no") }
            shapes.append(Tagged(id: "way/\(1000 + index)", rings: room.rings, isArea: true, tags: tags))
        }
        for (index, door) in doors.enumerated() {
            let middle = ((door.start.x + door.end.x) / 2, (door.start.y + door.end.y) / 2)
            let dx = door.end.x - door.start.x
            let dy = door.end.y - door.start.y
            let width = Double(Int((dx + dy) * 100)) / 100
            var tags = ["door=hinged", "level=\(door.level)", "width=\(width)"]
            if door.isEntrance { tags.append("entrance=main") }
            shapes.append(Tagged(id: "node/\(5000 + index)", rings: [[middle]], isArea: false, tags: tags))
        }
        shapes.append(Tagged(id: "way/9000", rings: [footway], isArea: false, tags: ["highway=footway"]))
        return shapes
    }

    /// The campus in OpenStreetMap's Simple Indoor Tagging, as overpass turbo converts it to GeoJSON.
    public func osmGeoJSON() -> String {
        Self.collection(
            tagged().map { shape in
                let geometry: String
                if shape.id.hasPrefix("node") {
                    geometry = "{\"type\":\"Point\",\"coordinates\":\(Self.position(shape.rings[0][0]))}"
                } else {
                    geometry = shape.isArea ? Self.polygon(shape.rings) : Self.line(shape.rings[0])
                }
                let tags = shape.tags.map { tag in
                    let parts = tag.split(separator: "=", maxSplits: 1)
                    return "\"\(parts[0])\":\"\(parts[1])\""
                }
                return
                    "{\"type\":\"Feature\",\"id\":\"\(shape.id)\",\"geometry\":\(geometry),\"properties\":{\(tags.joined(separator: ","))}}"
            })
    }

    /// The same as `.osm`; areas with holes are multipolygons.
    public func osmXML() -> String {
        var nodes = ""
        var ways = ""
        var relations = ""
        var next = 100_000
        func tags(_ shape: Tagged) -> String {
            shape.tags.map { tag in
                let parts = tag.split(separator: "=", maxSplits: 1)
                return "<tag k=\"\(parts[0])\" v=\"\(parts[1])\"/>"
            }.joined()
        }
        func node(_ point: (x: Double, y: Double), _ id: Int, _ content: String = "") {
            let place = Self.place(point)
            nodes += "<node id=\"\(id)\" lat=\"\(place.latitude)\" lon=\"\(place.longitude)\">\(content)</node>\n"
        }
        func way(_ ring: [(x: Double, y: Double)], _ id: String, isClosed: Bool, _ content: String) {
            var references = ring.map { point in
                next += 1
                node(point, next)
                return next
            }
            if isClosed { references.append(references[0]) }
            ways += "<way id=\"\(id)\">" + references.map { "<nd ref=\"\($0)\"/>" }.joined() + content + "</way>\n"
        }
        for shape in tagged() {
            let number = String(shape.id.split(separator: "/")[1])
            if shape.id.hasPrefix("node") {
                node(shape.rings[0][0], Int(number) ?? 0, tags(shape))
            } else if shape.rings.count == 1 {
                way(shape.rings[0], number, isClosed: shape.isArea, tags(shape))
            } else {
                var members = ""
                for (index, ring) in shape.rings.enumerated() {
                    let part = number + "0\(index)"
                    way(ring, part, isClosed: true, "")
                    members += "<member type=\"way\" ref=\"\(part)\" role=\"\(index == 0 ? "outer" : "inner")\"/>"
                }
                relations +=
                    "<relation id=\"\(number)\">\(members)<tag k=\"type\" v=\"multipolygon\"/>\(tags(shape))</relation>\n"
            }
        }
        return "<?xml version=\"1.0\"?>\n<osm version=\"0.6\">\n" + nodes + ways + relations + "</osm>\n"
    }
}
