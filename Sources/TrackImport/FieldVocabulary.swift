import Tracks

/// Maps field names of files to the library's field names.
///
/// Used for all formats with free field names: CSV, GeoJSON, Polarsteps, KML data, and the extensions of GPX and TCX.
/// Names imply no unit: values are in the units of `FieldName` unless the format states others.
enum FieldVocabulary {
    /// The library's name; nil for an unknown word or one with another unit. Ignores case, blanks and punctuation.
    static func field(_ word: String) -> String? {
        guard let field = names[normalised(word)] else { return nil }
        guard let spelling = UnitName(word).spelling, !spelling.isEmpty else { return field }
        guard let unit = FieldUnit(spelling), unit.isLibraryUnit, unit.quantity == FieldUnit.quantity(of: field) else {
            return nil
        }
        return field
    }

    /// The library's name, or the file's own name with encoded characters decoded.
    static func name(_ word: String) -> String { field(word) ?? ElementName.decoded(word) }

    /// Lower case, letters and digits only, without a unit in brackets.
    static func normalised(_ name: String) -> String {
        let bare = name.prefix { $0 != "(" && $0 != "[" }
        return String((bare.isEmpty ? name[...] : bare).lowercased().filter { $0.isLetter || $0.isNumber })
    }

    private static let words: [(field: String, words: String)] = [
        (FieldName.elevation, "ele elevation elev alt altitude höhe hoehe z altitudem elevationm elem altm"),
        (FieldName.elevation, "elevations altitudes eles"),
        (FieldName.speed, "speed velocity geschwindigkeit speedms speedmps speeds gpsspeed groundspeed"),
        (FieldName.course, "course bearing cog richtung kurs coursedeg courses bearings direction"),
        (FieldName.heading, "heading headings compass"),
        (FieldName.horizontalAccuracy, "accuracy hacc horizontalaccuracy accuracyhorizontal genauigkeit accuracym"),
        (FieldName.horizontalAccuracy, "accuracies"),
        (FieldName.verticalAccuracy, "vacc verticalaccuracy accuracyvertical"),
        (FieldName.heartRate, "hr heartrate puls pulse heartratebpm heart heartrates hrs"),
        (FieldName.cadence, "cad cadence trittfrequenz cads cadences"),
        (FieldName.power, "power watts leistung powerinwatts powers"),
        (FieldName.temperature, "temp temperature temperatur atemp atemps temps temperatures"),
        (FieldName.distance, "distance"), (FieldName.hdop, "hdop"), (FieldName.vdop, "vdop"), (FieldName.pdop, "pdop"),
        (FieldName.satellites, "sat sats satellites numsat"),
        (FieldName.battery, "battery batterylevel batt"),
        (FieldName.address, "address adresse anschrift"),
        (FieldName.repeats, "repeats instancecount"),
        (FieldName.waypoint, "mark"),
        (FieldName.headingChanges, "headingchanges"),
    ]

    /// All words, with the fields that they mean.
    static let names: [String: String] = {
        var table: [String: String] = [:]
        for (field, words) in words {
            for word in words.split(separator: " ") { table[String(word)] = field }
        }
        // The library's name for heading changes is also the plural of another field's name.
        table[FieldName.headingChanges] = FieldName.headingChanges
        return table
    }()
}

extension UnitName {
    /// The field and its unit; nil if the name is not a known field, or if the unit does not measure its quantity.
    var field: (name: String, unit: FieldUnit?)? {
        let word = FieldVocabulary.normalised(base)
        if let field = FieldVocabulary.names[word] {
            guard let spelling, !spelling.isEmpty else { return (field, nil) }
            guard let unit = FieldUnit(spelling), unit.quantity == FieldUnit.quantity(of: field) else { return nil }
            return (field, unit)
        }
        guard spelling == nil else { return nil }
        for (ending, unit) in FieldUnit.endings where word.hasSuffix(ending) {
            guard let field = FieldVocabulary.names[String(word.dropLast(ending.count))],
                unit.quantity == FieldUnit.quantity(of: field)
            else { continue }
            return (field, unit)
        }
        return nil
    }
}
