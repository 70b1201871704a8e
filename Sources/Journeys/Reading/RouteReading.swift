import Text
import TileMath

extension JourneyRoute {
    /// Reads a route as JSON, in the form in which `json` writes it, or as GeoJSON: a line, and points for its places in their order.
    /// `name` is for a text without one. A line with more corners than a route may have is thinned. Throws what is wrong.
    public init(json bytes: [UInt8], name: String) throws(JourneyError) {
        let value: JSONValue
        do { value = try JSONReader.value(bytes) } catch {
            throw .malformed("the text is not valid JSON")
        }
        guard case .object = value else { throw .malformed("a route has to be a JSON object") }
        switch value["type"]?.text {
        case "FeatureCollection"?: try self.init(features: value, name: name)
        case "Feature"?, "LineString"?: throw .malformed("GeoJSON has to be a FeatureCollection with a line and points")
        default: try self.init(members: value, name: name)
        }
    }

    // MARK: JSON

    private init(members value: JSONValue, name: String) throws(JourneyError) {
        guard case .list(let list)? = value["places"] else { throw .malformed("places has to be a list") }
        var places: [JourneyPlace] = []
        for member in list {
            guard let longitude = member["lon"]?.decimal?.double, let latitude = member["lat"]?.decimal?.double,
                let point = GeoPoint(longitude: longitude, latitude: latitude)
            else { throw .malformed("a place has to have lon and lat in degrees") }
            places.append(try Self.place(member, at: point))
        }
        var line: [GeoPoint] = []
        if let given = value["line"], !given.isNull {
            guard case .list(let positions) = given else { throw .malformed("line has to be a list of [lon,lat]") }
            for position in positions { line.append(try Self.point(position)) }
        }
        try self.init(
            try Self.text("name", of: value) ?? name, level: try Self.level(value), isSingle: try Self.isSingle(value),
            line: LineThinning.fitting(line, places: places.count), places: places)
    }

    // MARK: GeoJSON

    private init(features value: JSONValue, name: String) throws(JourneyError) {
        var line: [GeoPoint] = []
        var places: [JourneyPlace] = []
        var facts: JSONValue?
        for feature in value["features"]?.elements ?? [] {
            let properties = feature["properties"] ?? .object([])
            let geometry = feature["geometry"]
            let coordinates = geometry?["coordinates"]
            switch geometry?["type"]?.text {
            case "LineString"?:
                guard facts == nil else { throw .malformed("GeoJSON of a route has to have one line") }
                facts = properties
                for position in coordinates?.elements ?? [] { line.append(try Self.point(position)) }
            case "Point"?:
                guard let coordinates else { throw .malformed("a point has no coordinates") }
                places.append(try Self.place(properties, at: try Self.point(coordinates)))
            default: continue
            }
        }
        let own = try Self.text("name", of: value)
        let ofLine = try facts.flatMap { value throws(JourneyError) in try Self.text("name", of: value) }
        let known = facts ?? .object([])
        try self.init(
            own ?? ofLine ?? name, level: try Self.level(known), isSingle: try Self.isSingle(known),
            line: LineThinning.fitting(line, places: places.count), places: places)
    }

    // MARK: Members

    private static func place(_ value: JSONValue, at point: GeoPoint) throws(JourneyError) -> JourneyPlace {
        guard let name = try text("name", of: value) else { throw .malformed("a place has no name") }
        var place = JourneyPlace(name, at: point)
        place.description = try text("description", of: value)
        place.credit = try text("credit", of: value)
        place.seconds = try number("seconds", of: value)
        if let given = value["tags"], !given.isNull {
            guard case .list(let list) = given else { throw .malformed("tags has to be a list of texts") }
            for tag in list {
                guard case .text(let text) = tag else { throw .malformed("tags has to be a list of texts") }
                place.tags.append(text)
            }
        }
        return place
    }

    private static func point(_ value: JSONValue) throws(JourneyError) -> GeoPoint {
        let numbers = value.elements.prefix(2).compactMap { $0.decimal?.double }
        guard numbers.count == 2, let point = GeoPoint(longitude: numbers[0], latitude: numbers[1]) else {
            throw .malformed("a position has to be [lon,lat] in degrees")
        }
        return point
    }

    private static func level(_ value: JSONValue) throws(JourneyError) -> Int {
        try number("level", of: value) ?? JourneyLimits.defaultLevel
    }

    private static func isSingle(_ value: JSONValue) throws(JourneyError) -> Bool {
        guard let given = value["single"], !given.isNull else { return false }
        guard case .bool(let isSingle) = given else { throw .malformed("single has to be true or false") }
        return isSingle
    }

    /// A text that is not empty; nil if it is not given, `null` or empty.
    private static func text(_ name: String, of value: JSONValue) throws(JourneyError) -> String? {
        guard let given = value[name], !given.isNull else { return nil }
        guard case .text(let text) = given else { throw .malformed("\(name) has to be a text") }
        return text.isEmpty ? nil : text
    }

    private static func number(_ name: String, of value: JSONValue) throws(JourneyError) -> Int? {
        guard let given = value[name], !given.isNull else { return nil }
        guard case .number(let decimal) = given, let number = Int(exactly: decimal.double) else {
            throw .malformed("\(name) has to be a whole number of seconds")
        }
        return number
    }
}
