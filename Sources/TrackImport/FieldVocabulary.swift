import Tracks

/// What fields of points are called in files, and with us: one vocabulary for all formats that name their fields freely
/// (CSV, GeoJSON, Polarsteps, KML's data, and the extensions of GPX and TCX).
///
/// Names tell no units: they are FieldName's wherever a format says nothing else.
enum FieldVocabulary {
    /// Our name; nil for a word that is not known, or tells another unit than ours. Case, blanks and marks do not count.
    static func field(_ word: String) -> String? {
        guard let field = names[normalised(word)] else { return nil }
        guard let spelling = UnitName(word).spelling, !spelling.isEmpty else { return field }
        guard let unit = FieldUnit(spelling), unit.isOwn, unit.quantity == FieldUnit.quantity(of: field) else {
            return nil
        }
        return field
    }

    /// Our name, or the file's own word, with what element names cannot hold decoded.
    static func name(_ word: String) -> String { field(word) ?? ElementName.decoded(word) }

    /// Lower case, without units in brackets, blanks and marks.
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
        (FieldName.mark, "mark"),
        (FieldName.headingChanges, "headingchanges"),
    ]

    /// All words with what they mean.
    static let names: [String: String] = {
        var table: [String: String] = [:]
        for (field, words) in words {
            for word in words.split(separator: " ") { table[String(word)] = field }
        }
        // Our own name for turns of the device is a plural of another field's.
        table[FieldName.headingChanges] = FieldName.headingChanges
        return table
    }()
}
