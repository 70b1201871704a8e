package import Pins
package import Text

extension Pin {
    /// The members of a pin in lists. `hidesContent` leaves out what only some may read.
    package func json(hidesContent: Bool = false) -> JSONObject {
        var object = JSONObject()
        object.add("id", id.description)
        object.add("lon", number: place.degrees.longitude)
        object.add("lat", number: place.degrees.latitude)
        object.add("time", time.map(InstantFormatter.utc))
        object.add("person", person)
        object.add("category", category)
        object.add("caption", hidesContent ? nil : caption)
        object.add("source", source.rawValue)
        object.add("located", located.rawValue)
        object.add("score", score)
        object.add("visibility", visibility.rawValue)
        object.add("photo", photo != nil && !hidesContent)
        object.add("comments", number: hidesContent ? nil : Double(comments))
        // Only the owner sees hidden pins.
        if isHidden { object.add("hidden", true) }
        return object
    }

    /// All details of a pin.
    package func fullJSON(hidesContent: Bool = false) -> JSONObject {
        var object = json(hidesContent: hidesContent)
        object.add("created", InstantFormatter.utc(created))
        object.add("expires", expires.map(InstantFormatter.utc))
        object.add("notes", texts: hidesContent ? [:] : notes)
        return object
    }
}
