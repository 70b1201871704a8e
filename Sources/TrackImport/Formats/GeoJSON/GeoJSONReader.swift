import FoundationEssentials
import Pins
import Text
import Tracks

/// Reads GeoJSON (RFC 7946), as one text, one text per line or a text sequence (RFC 8142), and OGC Moving Features.
///
/// Each line is a recording. Points with a time form recordings by the person, device, track and activity in their
/// properties. One feature at a time is in memory; its points are columns, and many points are spilled to a temporary
/// file. Complete features before a truncation are kept.
///
/// Lines without times are held back: a file with parts of a building and no times is a venue, and is refused.
/// Overland's uploads (`locations`) are read as points of their devices.
///
/// LineString, MultiPoint with times, MovingPoint → recording · MultiLineString → segments · Point with a time → point.
struct GeoJSONReader {
    /// Maximum number of attributes kept per line.
    static let attributeLimit = 256
    /// Numbers from here on can be times in seconds since the epoch; this is in 1973.
    static let minEpoch = 1e8
    /// Maximum number of lines without times, and of their points, held back until they are known not to be a building.
    private static let waitingLines = 1000
    private static let waitingPoints = 100_000

    let reading: FileReading
    private var times: InstantReader
    private var table: InterleavedTracks
    private var storage = ColumnStorage()
    // The line at which the current feature ends.
    private var line = 1
    private var waiting: [(geometry: GeoObject, feature: GeoObject)] = []
    private var waitingPoints = 0
    /// Whether held-back lines have been handled, because the file is not a venue.
    private var isVenueExcluded: Bool
    private var isOverland = false
    /// Number of objects that are not GeoJSON, and of those that are.
    private var otherObjects = 0
    private var known = 0

    init(_ reading: FileReading) {
        self.reading = reading
        isVenueExcluded = reading.excludesVenues
        times = reading.times(.library)
        table = InterleavedTracks(reading)
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var scanner = JSONReader(source, reading)
        do {
            while let first = try scanner.peekText() {
                if first == UInt8(ascii: "[") {
                    try scanner.eachElement { try text(&$0) }
                } else {
                    try text(&scanner)
                }
            }
        } catch {
            let failure = ImportFailure(error)
            if failure == .venue {
                // The failure alone is reported.
                reading.receipt.format = nil
                reading.receipt.skipped = [:]
                reading.discardPins()
            }
            if failure.keepsEarlierPoints, failure != .venue { try end() }
            throw error
        }
        try end()
        if known == 0, otherObjects > 0 {
            reading.receipt.format = nil
            throw ImportFailure.unrecognised("unknown JSON")
        }
    }

    private mutating func end() throws {
        try takeWaiting()
        try table.end()
    }

    /// Reads a text, or a feature of a collection, and handles it.
    private mutating func text(_ scanner: inout JSONReader) throws {
        scanner.releaseValues()
        storage = ColumnStorage()
        let object = try object(&scanner, isText: true)
        if object.wasCollection { return }
        line = scanner.line
        guard object.type != nil || !object.geometry.isEmpty || object.positions.count > 0 else {
            return otherObjects += 1
        }
        known += 1
        try take(object)
    }

    // MARK: Reading

    private mutating func object(_ scanner: inout JSONReader, isText: Bool = false) throws -> GeoObject {
        var object = GeoObject()
        try scanner.eachMember { scanner, name in
            switch name {
            case "type" where try scanner.isAtString(): object.type = try scanner.string()
            case "feature_type" where try scanner.isAtString(): object.featureType = try scanner.string()
            case "id" where try scanner.isAtString(): object.id = try scanner.string()
            case "features" where try isText && scanner.isAtArray():
                object.wasCollection = true
                known += 1
                try scanner.eachElement { try text(&$0) }
            case "locations" where try isText && scanner.isAtArray():
                object.wasCollection = true
                known += 1
                isOverland = true
                try scanner.eachElement { try text(&$0) }
                isOverland = false
            case "coordinates": try object.positions.read(&scanner, into: storage)
            case "geometry" where try scanner.isAtObject(): object.geometry.append(try self.object(&scanner))
            case "temporalGeometry" where try scanner.isAtObject():
                // Moving Features may also have a plain `geometry` for other programs: the one with times is used.
                object.geometry.insert(try self.object(&scanner), at: 0)
            case "geometries" where try scanner.isAtArray(), "prisms" where try scanner.isAtArray():
                try scanner.eachElement { scanner in
                    try scanner.countMemory(bytes: MemoryLayout<GeoObject>.size)
                    object.parts.append(try self.object(&scanner))
                }
            case "datetimes" where try scanner.isAtArray(): object.times = try timeList(&scanner)
            case "properties" where try scanner.isAtObject(), "coordinateProperties" where try scanner.isAtObject():
                try properties(&scanner, of: &object)
            case "temporalProperties" where try scanner.isAtArray():
                try scanner.eachElement { try temporalProperties(&$0, of: &object) }
            case "crs": try referenceSystem(&scanner)
            default: try scanner.skipValue()
            }
        }
        return object
    }

    private mutating func properties(_ scanner: inout JSONReader, of object: inout GeoObject) throws {
        try scanner.eachMember { scanner, name in
            try scanner.countMemory(bytes: name.utf8.count + MemoryLayout<ValueColumn>.size)
            if Self.timeLists.contains(name.lowercased()), try scanner.isAtArray() {
                object.times = try timeList(&scanner)
            } else if name == "coordinateProperties", try scanner.isAtObject() {
                try properties(&scanner, of: &object)
            } else if name == "doubled", try scanner.isAtArray() {
                object.duplicatedPointLines += try wholeNumbers(&scanner)
            } else if try scanner.isAtArray() {
                object.lists.append((name, try list(&scanner)))
            } else {
                object.properties.append((name, try scanner.value()))
            }
        }
    }

    /// Reads the values of temporal properties of Moving Features.
    private mutating func temporalProperties(_ scanner: inout JSONReader, of object: inout GeoObject) throws {
        try scanner.eachMember { scanner, name in
            guard try scanner.isAtObject() else { return try scanner.skipValue() }
            try scanner.eachMember { scanner, member in
                if member == "values", try scanner.isAtArray() {
                    object.lists.append((name, try list(&scanner)))
                } else {
                    try scanner.skipValue()
                }
            }
        }
    }

    private static let timeLists: Set<String> = [
        "coordtimes", "times", "time", "datetimes", "timestamps", "timestamp", "coordinatetimes", "coord_times",
    ]

    private func list(_ scanner: inout JSONReader) throws -> GeoList {
        var list = GeoList(values: ValueColumn(storage))
        try addElements(&scanner, to: &list, isNested: false)
        return list
    }

    private func addElements(_ scanner: inout JSONReader, to list: inout GeoList, isNested: Bool) throws {
        if isNested { list.isNested = true }
        try scanner.eachElement { scanner in
            if try scanner.isAtArray() { return try addElements(&scanner, to: &list, isNested: true) }
            guard try !scanner.isAtObject() else {
                try scanner.skipValue()
                return try list.values.append(.absent)
            }
            try list.values.append(try scanner.plainValue())
        }
    }

    private func wholeNumbers(_ scanner: inout JSONReader) throws -> [Int] {
        var numbers: [Int] = []
        try scanner.eachElement { scanner in
            try scanner.countMemory(bytes: MemoryLayout<Int>.size)
            guard case .number(let number) = try scanner.value(), let value = number.rescaled(to: 0) else { return }
            numbers.append(Int(value))
        }
        return numbers
    }

    /// Reads an array of times, including nested arrays.
    private mutating func timeList(_ scanner: inout JSONReader) throws -> GeoTimes {
        var list = GeoTimes(milliseconds: ValueColumn(storage))
        times.beginTrack()
        try addTimes(&scanner, to: &list)
        return list
    }

    private mutating func addTimes(_ scanner: inout JSONReader, to list: inout GeoTimes) throws {
        var isFirst = true
        try scanner.eachElement { scanner in
            if isFirst {
                try scanner.countMemory(bytes: MemoryLayout<Int>.size)
                list.starts.append(list.count)
                times.beginSegment()
                isFirst = false
            }
            if try scanner.isAtArray() { return try addTimes(&scanner, to: &list) }
            var time: Instant?
            if try scanner.isAtString() {
                let text = try scanner.string()
                time = times.instant(text)
                if time == nil { reading.receipt.unreadTimes.add(text, line: scanner.line) }
            } else {
                time = try scanner.number().decimal.flatMap { InstantReader.instant($0) }
            }
            try list.milliseconds.append(time.map { FixedDecimal(mantissa: $0.milliseconds, places: 0) })
        }
    }

    /// Refuses reference systems other than WGS 84 in degrees, in which the numbers would be other places.
    private func referenceSystem(_ scanner: inout JSONReader) throws {
        let value = try scanner.value()
        let names = value.leaves("crs").compactMap { $0.name.hasSuffix(".name") ? $0.value.text : nil }
        for name in names {
            let known = ["CRS84", "CRS84h", "4326", "4979", "WGS84", "WGS 84"]
            // Names are URNs (`urn:ogc:def:crs:OGC:1.3:CRS84`) or URLs, so their ends are compared. RFC 7946 has no
            // `crs`, but its predecessor, GeoJSON 2008, allowed any system.
            guard known.contains(where: { name.hasSuffix($0) }) else { throw ImportFailure.referenceSystem(name) }
        }
    }

    // MARK: Features

    private mutating func take(_ object: GeoObject) throws {
        // A part of a building may have no geometry.
        if !isTimed(object), GeoVenue.contains(object) {
            guard isVenueExcluded else { throw ImportFailure.venue }
            return reading.skip(.venuePart)
        }
        guard !object.geometry.isEmpty else {
            // A bare geometry, or a feature whose geometry is null.
            guard object.type != "Feature" else { return reading.skip(.emptyFeature) }
            return try take(geometry: object, of: object)
        }
        try take(geometry: object.geometry[0], of: object)
    }

    /// Whether a feature has times: its own, or those of its positions.
    private func isTimed(_ feature: GeoObject) -> Bool {
        if feature.times != nil || feature.geometry.contains(where: { $0.times != nil }) { return true }
        return feature.geometry.first?.type == "Point"
            && feature.properties.contains { if case .instant? = CSVColumns.role(of: $0.name) { true } else { false } }
            && !GeoVenue.isMapObject(feature)
    }

    private mutating func take(geometry: GeoObject, of feature: GeoObject) throws {
        let times = geometry.times ?? feature.times
        switch geometry.type {
        case "Point"?: try takePoint(geometry.positions, feature)
        case "LineString"?, "MultiLineString"?, "MovingPoint"?: try takeOrDefer(geometry, feature)
        case "MultiPoint"?:
            if times != nil { return try takeOrDefer(geometry, feature) }
            reading.skip(.place, count: geometry.positions.count)
        case "GeometryCollection"?, "MovingGeometryCollection"?:
            for part in geometry.parts { try take(geometry: part, of: feature) }
        case "Polygon"?, "MultiPolygon"?, "MovingPolygon"?: reading.skip(.area)
        default: reading.skip(.emptyFeature)
        }
    }

    // MARK: Lines

    private mutating func takeOrDefer(_ geometry: GeoObject, _ feature: GeoObject) throws {
        if !isVenueExcluded, geometry.times == nil, feature.times == nil, geometry.positions.firstFourthNumber == nil {
            var feature = feature
            feature.geometry = []
            waiting.append((geometry, feature))
            waitingPoints += geometry.positions.count
            if waiting.count >= Self.waitingLines || waitingPoints > Self.waitingPoints { try takeWaiting() }
            return
        }
        try takeWaiting()
        try takeLine(geometry, feature)
    }

    /// Handles the lines held back, now that the file is known not to be a venue.
    private mutating func takeWaiting() throws {
        isVenueExcluded = true
        let lines = waiting
        waiting = []
        for (geometry, feature) in lines { try takeLine(geometry, feature) }
    }

    // MARK: Points

    private mutating func takePoint(_ positions: GeoPositions, _ feature: GeoObject) throws {
        var key = TrackKey()
        var time: Instant?
        var hasTime = false
        var fields: [(name: String, value: JSONValue)] = []
        // Times of a map object are times of edits of the map.
        guard !GeoVenue.isMapObject(feature) else { return reading.skip(.place) }
        if GeoWaypoint.isExported(feature) { return try addPin(positions, feature) }
        var properties = feature.properties.flatMap { $0.value.leaves($0.name) + Self.nullTime($0) }
        for (name, list) in feature.lists { properties.append((name, .text(try list.text()))) }
        if isOverland { properties = properties.compactMap(Self.overlandProperty) }
        for property in properties where property.value.text != "" {
            switch CSVColumns.role(of: property.name) {
            case .person? where key.person == nil: key.person = property.value.text
            case .device? where key.device == nil: key.device = property.value.text
            case .track? where key.track == nil: key.track = property.value.text
            case .activity? where key.activity == nil: key.activity = property.value.text?.lowercased()
            case .instant(let unit)? where time == nil:
                hasTime = true
                time = instant(property.value, unit)
                if time == nil, let text = property.value.text { fields.append((property.name, .text(text))) }
            case .field(FieldName.speed, _)? where property.name == GeoPulsePoints.velocity:
                let unit = ServiceUnits.unit(of: FieldName.speed, in: properties.lazy.map(\.name))
                let speed = unit.flatMap { unit in property.value.decimal.flatMap(unit.converted) }
                fields.append((FieldName.speed, speed.map { .number($0) } ?? property.value))
            case .field(let name, _)?: fields.append((name, property.value))
            default: fields.append((ElementName.decoded(property.name), property.value))
            }
        }
        // RFC 7946 (3.1.1) gives a fourth number no meaning; writers use it for times or for measures along a line.
        if !hasTime, let fourth = positions.firstFourthNumber, fourth.double >= Self.minEpoch {
            time = InstantReader.instant(fourth)
            hasTime = true
        }
        guard hasTime else { return try addPin(positions, feature) }
        try takeWaiting()
        reading.receipt.refused.add(positions.refused, lines: 0)
        guard let place = positions.first?.place else { return }
        if let altitude = positions.first?.altitude { fields.append((FieldName.elevation, .number(altitude))) }
        try table.add(place, time, fields, to: key)
    }

    /// Adds a point without a time, or a pin of our own exports. It does not show that the file is not a venue.
    private mutating func addPin(_ positions: GeoPositions, _ feature: GeoObject) throws {
        reading.receipt.refused.add(positions.refused, lines: 0)
        guard let position = positions.first, let place = position.place else { return }
        var waypoint = GeoWaypoint.builder(feature)
        waypoint.place = place
        if let altitude = position.altitude { waypoint.addAttribute(PinAttribute.elevation, altitude.description) }
        if GeoWaypoint.isExported(feature), let text = GeoWaypoint.time(feature) { waypoint.time = times.instant(text) }
        try reading.add(waypoint, otherwise: .place)
    }

    /// A null time still shows that the point belongs to a recording.
    private static func nullTime(_ property: (name: String, value: JSONValue)) -> [(name: String, value: JSONValue)] {
        guard case .none = property.value, case .instant? = CSVColumns.role(of: property.name) else { return [] }
        return [property]
    }

    private mutating func instant(_ value: JSONValue, _ unit: EpochUnit?) -> Instant? {
        if let instant = times.instant(value, unit: unit) { return instant }
        if case .text(let text) = value { reading.receipt.unreadTimes.add(text, line: line) }
        return nil
    }

    /// Overland writes an unknown value as −1, and the battery level as a fraction of 1.
    private static func overlandProperty(
        _ property: (name: String, value: JSONValue)
    ) -> (name: String, value: JSONValue)? {
        guard case .number(let number) = property.value else { return property }
        switch property.name {
        case "speed", "course", "heading", "horizontal_accuracy", "vertical_accuracy", "speed_accuracy",
            "course_accuracy", "battery_level":
            guard number.mantissa >= 0 else { return nil }
        default: return property
        }
        guard property.name == "battery_level", number.double <= 1 else { return property }
        let isShort = number.places < 2
        let percent = FixedDecimal(
            mantissa: isShort ? number.mantissa * FixedDecimal.integerPower(2 - number.places) : number.mantissa,
            places: isShort ? 0 : number.places - 2)
        return (property.name, .number(percent))
    }
}
