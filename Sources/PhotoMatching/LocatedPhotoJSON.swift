public import PhotoLocating
public import Text
import TileMath

extension LocatedPhoto {
    /// The best candidate with its time and place, the reason if it has no place, and all candidates.
    public var json: JSONObject {
        var object = best?.json ?? JSONObject()
        if best == nil { object.add("time", nil as String?) }
        object.add("reason", reason)
        if let doubt { object.add("doubt", doubt) }
        object.add("candidates", objects: candidates.map(\.json))
        return object
    }
}

extension LocatedPhoto.Candidate {
    /// Time, zone, place, radius in metres, and how they are known; what is not known is null.
    public var json: JSONObject {
        var object = JSONObject()
        object.add("time", timeText)
        object.add("zone", zone)
        object.add("timeSource", timeSource?.rawValue)
        object.add("lon", number: estimate.map { Self.rounded($0.place.longitude) })
        object.add("lat", number: estimate.map { Self.rounded($0.place.latitude) })
        object.add("radius", number: estimate.map { ($0.radiusMetres * 10).rounded() / 10 })
        object.add("method", estimate?.method.rawValue)
        object.add("track", estimate?.track)
        object.add("person", person)
        return object
    }

    /// Degrees with the seven decimal places that tracks have.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
