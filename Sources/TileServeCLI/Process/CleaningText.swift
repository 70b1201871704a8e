import TrackImport
import TrackStore
import Tracks

extension CleaningRule {
    /// The thresholds; null for a check that is off.
    var json: JSONLine {
        var object = JSONLine()
        object.add("speed", number: Double(metresPerSecond))
        object.add("jumpSpeed", number: jumpMetresPerSecond.map(Double.init))
        object.add("accuracy", number: accuracyMetres.map(Double.init))
        return object
    }

    /// What counts as an outlier, one line for each check.
    var sentences: [String] {
        [
            "at 0,0: a point there without a neighbour within 2 km",
            "impossible speed: over more than 2 km, faster than \(metresPerSecond) m/s there and on",
            jumpMetresPerSecond.map { "jumped away and back: over more than 2 km, faster than \($0) m/s out and back" }
                ?? "jumped away and back: not judged",
            accuracyMetres.map { "inaccurate: may be more than \($0) m off" } ?? "inaccurate: not judged",
        ]
    }
}

extension ExcludedPoint {
    /// The point as a JSON object.
    var json: JSONLine {
        var object = JSONLine()
        object.add("index", index)
        object.add("time", time.map(InstantTexts.utc))
        object.add("longitude", number: Double(longitude) / 1e7)
        object.add("latitude", number: Double(latitude) / 1e7)
        object.add("why", mark.rawValue)
        object.add("accuracy", number: accuracy.map(Double.init))
        return object
    }

    /// The point as one line of text.
    var line: String {
        let place = "\(Double(longitude) / 1e7),\(Double(latitude) / 1e7)"
        let why = mark == .inaccurate ? accuracy.map { " (\($0) m)" } ?? "" : ""
        return "  point \(index + 1)  \(time.map(InstantTexts.utc) ?? "-")  \(place)  \(mark.rawValue)\(why)"
    }
}
