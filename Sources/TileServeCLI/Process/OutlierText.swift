import PrimaryStore
import Text
import Tracks

extension OutlierRule {
    /// The thresholds; null for a check that is off.
    var json: JSONObject {
        var object = JSONObject()
        object.add("speed", number: Double(metresPerSecond))
        object.add("jumpSpeed", number: jumpMetresPerSecond.map(Double.init))
        object.add("accuracy", number: accuracyMetres.map(Double.init))
        return object
    }

    /// What counts as an outlier, one line for each check.
    var sentences: [String] {
        [
            "at 0,0: a point at 0,0 without another point within 2 km",
            "impossible speed: faster than \(metresPerSecond) m/s over more than 2 km, both before and after the point",
            jumpMetresPerSecond.map {
                "jump out and back: faster than \($0) m/s over more than 2 km in both directions"
            }
                ?? "jump out and back: not checked",
            accuracyMetres.map { "inaccurate: accuracy above \($0) m" } ?? "inaccurate: not checked",
        ]
    }
}

extension OutlierPoint {
    /// The point as a JSON object.
    var json: JSONObject {
        var object = JSONObject()
        object.add("index", index)
        object.add("time", time.map(InstantFormatter.utc))
        object.add("longitude", number: Double(longitude) / 1e7)
        object.add("latitude", number: Double(latitude) / 1e7)
        object.add("why", outlierReason.rawValue)
        object.add("accuracy", number: accuracy.map(Double.init))
        return object
    }

    /// The point as one line of text.
    var line: String {
        let place = "\(Double(longitude) / 1e7),\(Double(latitude) / 1e7)"
        let why = outlierReason == .inaccurate ? accuracy.map { " (\($0) m)" } ?? "" : ""
        return
            "  point \(index + 1)  \(time.map(InstantFormatter.utc) ?? "-")  \(place)  \(outlierReason.rawValue)\(why)"
    }
}
