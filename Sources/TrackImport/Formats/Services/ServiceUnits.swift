/// Units of speeds that services and devices use in tables and GeoJSON without stating them.
enum ServiceUnits {
    /// The unit of speeds in a table or in the properties of a point with these names; nil if none writes them.
    static func speed(in names: some Sequence<String>) -> FieldUnit? {
        let words = Set(names.map(FieldVocabulary.normalised))
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
}
