import OpenAPI
package import PrimaryStore
import RequestHandling
package import Text
import TileMath
import Venues

extension JSONObject {}

extension KnownVenue {
    var json: JSONObject {
        var object = JSONObject()
        object.add("id", summary.id)
        object.add("name", venue.name)
        let box = venue.bounds
        object.add("bbox", numbers: [box.west, box.south, box.east, box.north].map(JSONObject.degrees))
        object.add("buildings", objects: venue.buildings.map(json))
        object.add("levels", objects: venue.levels.indices.map(json(ofLevel:)))
        return object
    }

    private func json(_ building: Building) -> JSONObject {
        var object = JSONObject()
        object.add("id", building.id.description)
        object.add("name", building.name?.text())
        object.add("address", building.address.flatMap { id in venue.addresses.first { $0.id == id } }?.line)
        return object
    }

    private func json(ofLevel index: Int) -> JSONObject {
        let level = venue.levels[index]
        var object = JSONObject()
        object.add("id", level.id.description)
        object.add("building", venue.building(ofLevel: index)?.id.description)
        object.add("ordinal", level.ordinal)
        object.add("name", level.name?.text())
        object.add("shortName", level.shortName?.text())
        return object
    }

    func json(_ place: VenuePlace) -> JSONObject {
        var object = JSONObject()
        object.add("id", place.id.description)
        object.add("name", place.name)
        object.add(
            "names",
            texts: Dictionary(
                (place.names?.texts ?? []).map { ($0.language, $0.text) }, uniquingKeysWith: { first, _ in first }))
        object.add("category", place.category)
        object.add("building", place.building?.description)
        object.add("level", venue.levels[place.level].id.description)
        object.add(place.point)
        if let hours = place.contact.hours { object.add("hours", hours) }
        if let phone = place.contact.phone { object.add("phone", phone) }
        if let website = place.contact.website { object.add("website", website) }
        if let address = place.address { object.add("address", address) }
        return object
    }

    /// The unit at a position of the venue's list, as a place.
    func json(unit index: Int) -> JSONObject {
        let unit = venue.units[index]
        if let place = places[unit.id] { return json(place) }
        var object = JSONObject()
        object.add("id", unit.id.description)
        object.add("name", unit.name?.text() ?? unit.code)
        object.add("names", texts: [:])
        object.add("category", unit.category.name)
        object.add("building", venue.building(ofLevel: unit.level)?.id.description)
        object.add("level", venue.levels[unit.level].id.description)
        if let point = unit.displayPoint { object.add(point) }
        return object
    }
}

extension StoredClosure {
    /// The closure as a JSON object, in every interface.
    package var json: JSONObject {
        var object = JSONObject()
        object.add("unit", feature)
        object.add("until", InstantFormatter.utc(until))
        return object
    }
}

/// The schemas of the answers.
enum VenueSchemas {
    private static let nullableText = APISchema.text().orNull

    static let venue = APISchema.object([
        ("id", .text()), ("name", .text()), ("bbox", .list(.number(-180...180))),
        ("buildings", .list(.object([("id", .text()), ("name", nullableText), ("address", nullableText)]))),
        (
            "levels",
            .list(
                .object([
                    ("id", .text()), ("building", nullableText), ("ordinal", .integer(Int.min...Int.max)),
                    ("name", nullableText), ("shortName", nullableText),
                ]))
        ),
    ]).named("Venue")

    static let place = APISchema.object([
        ("id", .text()), ("name", nullableText), ("names", .object()), ("category", .text()),
        ("building", nullableText), ("level", .text()), ("lon?", .longitude), ("lat?", .latitude),
        ("hours?", .text()), ("phone?", .text()), ("website?", .text()), ("address?", .text()),
    ]).named("VenuePlace")

    static let closure = APISchema.object([("unit", .text()), ("until", .text())]).named("VenueClosure")

    static let directions = APISchema.object([
        ("id", .text()), ("state", .choice(["queued", "running", "done", "failed"])), ("venue", .text()),
        ("reason?", .text()), ("metres?", .amount),
        ("seconds?", .amount), ("approximate?", .boolean),
        (
            "legs?",
            .list(
                .object([
                    ("level", nullableText), ("endLevel?", nullableText),
                    ("how", .choice(["walk", "stairs", "lift", "escalator", "outdoors"])),
                    ("metres", .amount), ("seconds", .amount), ("line", .list(.tuple([.longitude, .latitude]))),
                    ("instruction", .text()), ("access?", .text()),
                ]))
        ),
        (
            "progress?",
            .object([
                ("leg", .count), ("instruction", .text()), ("metres", .amount), ("metresLeft", .amount),
                ("secondsLeft", .amount), ("offRoute", .boolean), ("arrived", .boolean),
            ])
        ),
    ]).named("Directions")

    /// A stop of a way in a history.
    private static let storedStop = APISchema.object([
        ("place?", .text()), ("name?", nullableText), ("lon?", .longitude), ("lat?", .latitude),
        ("level?", nullableText),
        ("category?", .text()),
    ])

    static let storedDirections = APISchema.object([
        ("id", .text()), ("time", .text()), ("venue", .text()), ("from", storedStop), ("via?", .list(storedStop)),
        ("to", storedStop), ("profile", .choice(["walk", "wheelchair", "nolift"])),
    ]).named("StoredDirections")
}

extension APITag {
    static let venues = APITag("venues", "Buildings with their levels and rooms, and the ways through them")
}
