import Tracks

/// Column names of CSV files and their roles.
enum CSVColumns {
    /// The role of each column except times; the first column for a role gets it, later ones become fields.
    static func roles(of names: [String]) -> [CSVRole] {
        let words = names.map { word(of: $0) }
        let hasTrack = words.contains { CSVRole.aliases[$0] == .track }
        // Next to a column named latitude, x and y are coordinates of another system.
        let hasLatitude = words.contains { CSVRole.aliases[$0] == .latitude && !planar.contains($0) }
        let exact = Set(words.compactMap { CSVRole.aliases[$0] })
        // Loggers of Columbus and MediaTek name the elevation so; in other tables, a height may be one above the ground.
        let hasElevation = names.contains { UnitName($0).field?.name == FieldName.elevation }
        let isLogger = words.contains("latitudens") || ServiceUnits.isMTKLogger(words)
        let elevation = isLogger && !hasElevation ? "height" : nil
        var taken: Set<CSVRole> = []
        return zip(names, words).map { name, word in
            var role = hasLatitude && planar.contains(word) ? nil : CSVRole.aliases[word]
            // A name such as `OSD.latitude` or `GPS:Long` counts if no column has the plain name.
            if role == nil, let last = lastPart(name), last == .longitude || last == .latitude, !exact.contains(last) {
                role = last
            }
            if role == .longitude || role == .latitude, !canBeDegrees(name) { role = nil }
            // A name belongs to the track if there is a track column, otherwise to the point.
            if role == .trackName, !hasTrack { role = .field(FieldName.pointName, isText: true) }
            if case .field(let field, let isText)? = role, field != FieldName.pointName {
                role = UnitName(name).field.map { .field($0.name, isText: isText) }
            } else if role == nil {
                role = (UnitName(name).field?.name ?? conventional[word]?.field).map { .field($0, isText: false) }
            }
            if case .instant? = role { role = nil }
            if role == nil, word == elevation { role = .field(FieldName.elevation, isText: false) }
            guard let role else {
                return .field(name.isEmpty ? "column" : ElementName.decoded(name), isText: false)
            }
            guard taken.insert(role).inserted else { return .field(name, isText: false) }
            return role
        }
    }

    /// The role of a single name, as in GeoJSON properties.
    static func role(of name: String) -> CSVRole? {
        let word = FieldVocabulary.normalised(name)
        if let role = CSVRole.aliases[word] {
            guard case .field = role else { return role }
            return FieldVocabulary.field(name) == nil ? nil : role
        }
        guard let time = CSVTimeName(name), time.isKnown, !time.isElapsed else { return nil }
        return .instant(time.unit)
    }

    private static func word(of name: String) -> String { FieldVocabulary.normalised(UnitName(name).base) }

    private static func lastPart(_ name: String) -> CSVRole? {
        guard let separatorIndex = name.lastIndex(where: { $0 == "." || $0 == ":" }) else { return nil }
        return CSVRole.aliases[word(of: String(name[name.index(after: separatorIndex)...]))]
    }

    /// Whether the name has no unit, or a unit of angle.
    private static func canBeDegrees(_ name: String) -> Bool {
        guard let spelling = UnitName(name).spelling, let unit = FieldUnit(spelling) else { return true }
        return unit.quantity == .angle
    }

    /// The unit that a name implies by convention in tables of ships and aircraft.
    static func conventionalUnit(_ name: String, _ field: String, isFlight: Bool) -> FieldUnit? {
        if let found = conventional[word(of: name)], found.field == field { return found.unit }
        switch field {
        case FieldName.speed where isFlight: return .knot
        case FieldName.elevation where isFlight: return .foot
        default: return nil
        }
    }

    /// Fields of ships and aircraft that have these units unless the header states others.
    private static let conventional: [String: (field: String, unit: FieldUnit)] = [
        "sog": (FieldName.speed, .knot), "speedoverground": (FieldName.speed, .knot),
        "gndspd": (FieldName.speed, .knot),
        "altmsl": (FieldName.elevation, .foot), "altgps": (FieldName.elevation, .foot),
    ]

    /// The unit of coordinates, if the name states it.
    static func scale(of name: String) -> CoordinateScale? {
        if let spelling = UnitName(name).spelling?.lowercased() {
            if FieldUnit(spelling) == .radian { return .radians }
            if spelling.contains("semicircle") { return .semicircles }
            if spelling.contains("e-7") || spelling.contains("e7") || spelling.contains("1e7") { return .e7 }
        }
        let word = word(of: name)
        if word.hasSuffix("e7") { return .e7 }
        if word.hasSuffix("e6") || word.hasPrefix("micro") { return .e6 }
        return word == "positionlat" || word.hasSuffix("semicircles") ? .semicircles : nil
    }

    static func isPlanar(_ name: String) -> Bool { planar.contains(word(of: name)) }

    private static let planar: Set<String> = ["x", "y", "xcoord", "ycoord"]

    static let latitudeHemispheres = hemispheres(
        ["lat", "latitude", "gpslat", "gpslatitude"], "ns", ["ns", "nsindicator", "northsouth", "nshemisphere", "nors"])
    static let longitudeHemispheres = hemispheres(
        ["lon", "lng", "long", "longitude", "gpslon", "gpslng", "gpslong", "gpslongitude"], "ew",
        ["ew", "ewindicator", "eastwest", "ewhemisphere", "eorw", "we"])

    private static func hemispheres(_ axes: [String], _ letters: String, _ more: [String]) -> Set<String> {
        let ends = ["dir", "direction", "hem", "hemi", "hemisphere", "ref", "cardinal", "indicator", "sign", letters]
        return Set(axes.flatMap { axis in ends.map { axis + $0 } } + more)
    }

    /// Columns with the offset from UTC.
    static let offsets: Set<String> = ["utcofst", "utcoffset", "gmtoffset", "tzoffset", "timezoneoffset", "gmtofst"]
}
