import PrimaryStore
import Text
import TileMath
import TrackStore
import VenueService
import Venues

extension Library {
    /// A stored venue; nil if there is none with this id.
    func venue(_ id: String) throws -> Venue? {
        guard let bytes = try database.read({ try $0.venueBytes(id: id) }) else { return nil }
        do {
            return try Venue(decoding: bytes)
        } catch {
            throw LibraryError.damaged(path: folder, what: "the venue \(id) cannot be read (\(error))")
        }
    }
}

extension VenueSummary {
    /// The venue as a JSON object.
    var json: JSONObject {
        var object = JSONObject()
        object.add("id", id)
        object.add("name", name)
        object.add("bbox", numbers: [bounds.west, bounds.south, bounds.east, bounds.north])
        object.add("source", source)
        return object
    }
}

extension Venue {
    /// A level for the user: `G (Ground floor)`.
    func text(ofLevel index: Int) -> String {
        let level = levels[index]
        let (short, name) = (level.shortName?.text(), level.name?.text())
        guard let short else { return name ?? String(level.ordinal) }
        return name.map { $0 == short ? short : "\(short) (\($0))" } ?? short
    }

    /// The venue with its buildings and levels as a JSON object.
    func json(_ summary: VenueSummary, closures: [StoredClosure]) -> JSONObject {
        var object = summary.json
        object.add(
            "buildings",
            objects: buildings.map { building in
                var object = JSONObject()
                object.add("id", building.id.description)
                object.add("name", building.name?.text())
                return object
            })
        object.add(
            "levels",
            objects: levels.indices.map { index in
                var object = JSONObject()
                object.add("id", levels[index].id.description)
                object.add("building", building(ofLevel: index)?.id.description)
                object.add("ordinal", levels[index].ordinal)
                object.add("name", levels[index].name?.text())
                object.add("shortName", levels[index].shortName?.text())
                return object
            })
        object.add("places", VenuePlaces(self).all.count)
        object.add("closures", objects: closures.map(\.json))
        return object
    }
}
