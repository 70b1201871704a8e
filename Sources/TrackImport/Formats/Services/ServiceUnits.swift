import Tracks

/// Units that services and devices use in tables and GeoJSON without stating them.
enum ServiceUnits {
    /// The unit of a field in a table or in the properties of a point with these names; nil if none writes them, or if it
    /// is the library's unit.
    static func unit(of field: String, in names: some Sequence<String>) -> FieldUnit? {
        guard field == FieldName.speed || field == FieldName.distance else { return nil }
        let words = Set(names.map(FieldVocabulary.normalised))
        if isMTKLogger(words) { return field == FieldName.speed ? .kilometrePerHour : .kilometre }
        guard field == FieldName.speed else { return nil }
        // `velocity,…,source_type` in tables and `sourceType` in GeoJSON are GeoPulse's, which stores km/h.
        if words.isSuperset(of: ["timestamp", GeoPulsePoints.velocity, "sourcetype"]) { return .kilometrePerHour }
        // Traccar stores knots.
        if words.isSuperset(of: ["deviceid", "protocol", "devicetime", "fixtime"]) { return .knot }
        // Columbus loggers write km/h: in a public track, 3.6 times the way in a second (median of 259 steps).
        if words.isSuperset(of: ["tag", "latituden/s", "longitudee/w"].map(FieldVocabulary.normalised)) {
            return .kilometrePerHour
        }
        return nil
    }

    /// Whether columns are those of programs for loggers with a chip of MediaTek, which name the reason of a record
    /// (`RCR`). Where they state no units, speeds are in km/h, and distances in km: in a public track, the first step of
    /// 20 m in 17 s has the speed 4.2 and the distance 0.019979.
    static func isMTKLogger(_ words: some Sequence<String>) -> Bool {
        Set(words).isSuperset(of: ["rcr", "latitude", "ns", "longitude", "ew"])
    }
}
