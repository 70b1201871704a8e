import Pins
import Text
import Tracks

/// A waypoint of a file that is being read.
struct WaypointBuilder {
    private var attributes: [(name: String, text: String)] = []
    private var exported: [(name: String, text: String)] = []
    var time: Instant?
    var place: Place?
    /// The number of texts that it holds.
    var textCount: Int { attributes.count + exported.count }
    /// Whether an export of a library has written it as a pin.
    var isExported: Bool { exported.contains { $0.name == PinNames.id } }

    /// Adds what the file says about it; of the same name, the first text counts.
    mutating func addAttribute(_ name: String, _ text: String) {
        // What a pin does not keep is dropped here, because a file may repeat an element without end.
        guard attributes.count < PinText.attributeLimit, name.utf8.count <= PinText.attributeNameLimit,
            !attributes.contains(where: { $0.name == name }), PinText.attribute(text) != nil
        else { return }
        attributes.append((name, text))
    }

    /// Adds a value that an export of a library has given under a name of `PinNames`.
    mutating func addExportedAttribute(_ name: String, _ text: String) {
        guard exported.count < PinText.attributeLimit else { return }
        exported.append((name, text))
    }

    /// The pin; nil without a valid place.
    func pin(person: String?) -> PinContent? {
        guard let place, let pinPlace = PinPlace(place) else { return nil }
        var pin = PinContent(pinPlace, source: .waypoint, located: .recorded)
        pin.time = time?.milliseconds
        pin.person = person
        for (name, text) in attributes { pin.addAttribute(name, text) }
        if isExported {
            for (name, text) in exported where !pin.takeExported(name, text) {
                pin.addAttribute(PinNames.prefix + name, text)
            }
        } else {
            for (name, text) in exported { pin.addAttribute(PinNames.prefix + name, text) }
        }
        return pin
    }
}

extension PinPlace {
    /// A place of a file, rounded to 1e-7°.
    init?(_ place: Place) {
        guard let longitude = place.longitude.rescaled(to: 7), let latitude = place.latitude.rescaled(to: 7) else {
            return nil
        }
        self.init(e7Longitude: longitude, latitude: latitude)
    }
}
