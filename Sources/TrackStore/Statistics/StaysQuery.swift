package import Geocoding
package import Places
import Statistics
package import Stays
import Text
import TileMath
package import Tracks

/// Which stays are listed.
package struct StaysQuery: Sendable, Hashable {
    /// Only stays that end at or after this instant, in milliseconds since 1970.
    package var from: Int64?
    /// Only stays that begin before this instant.
    package var to: Int64?
    /// The name of a person; empty for the owner of the library, nil for all persons.
    package var person: String?

    /// All stays of all persons.
    package init() {}
}

/// The stays of a person.
package struct PersonStays: Sendable, Equatable {
    /// The name; nil for the owner of the library.
    package let person: String?
    /// By arrival.
    package let stays: [Stay]
}

extension Library {
    /// The stays of all persons, the owner first, from the derived table of the grid.
    ///
    /// Throws `TotalsError` if the viewer may not see all tracks.
    package func stays(for viewer: Viewer) throws -> [PersonStays] {
        var persons: [Int64: Int64] = [:]
        try forEachTotals(TotalsQuery(), for: viewer, try calendar()) { persons[$0] = $1.person }
        var runs: [Int64: [StayRun]] = [:]
        try grid.read { reader in
            try reader.forEachStayRun { number, run in
                guard let person = persons[number] else { return }
                runs[person, default: []].append(run)
            }
        }
        let names = Dictionary(
            try database.persons().map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        return runs.map { PersonStays(person: names[$0.key] ?? nil, stays: StayMerger.stays($0.value)) }
            .sorted { ($0.person ?? "") < ($1.person ?? "") }
    }

    /// The stays of `all` that a query selects, whole even if they begin or end outside of the window.
    ///
    /// Throws `TotalsError` if no track is of the person.
    package func selected(_ all: [PersonStays], _ query: StaysQuery) throws -> [PersonStays] {
        if let name = query.person, try !database.persons().contains(where: { ($0.name ?? "") == name }) {
            throw TotalsError.noSuchPerson(name)
        }
        return all.filter { query.person == nil || ($0.person ?? "") == query.person }.map { one in
            PersonStays(
                person: one.person,
                stays: one.stays.filter { $0.leave >= query.from ?? .min && $0.arrive < query.to ?? .max })
        }
    }
}

extension Stay {
    /// The town or district that is nearest to the stay, and the distance of its centre in metres.
    package var place: (name: NamedPlace, metres: Double)? {
        guard let position = GeoPoint(longitude: Double(longitude) * 1e-7, latitude: Double(latitude) * 1e-7) else {
            return nil
        }
        let (index, metres) = Gazetteer.embedded.nearest(to: position)
        return (Gazetteer.embedded[index], metres)
    }
}

extension PersonStays {
    /// The stays of persons as an array of JSON objects, by person and arrival. A stay without an address has the nearest
    /// place.
    package static func json(
        _ persons: [PersonStays], addresses: [GeocodingCell: PostalAddress] = [:]
    ) -> [UInt8] {
        var json = JSONWriter()
        let entries = persons.flatMap { one in one.stays.map { (person: one.person, stay: $0) } }
        json.array(entries) { json, entry in
            json.object { json in
                json.key("person")
                json.add(entry.person ?? "")
                json.key("arrive")
                json.add(InstantFormatter.utc(entry.stay.arrive))
                json.key("leave")
                json.add(InstantFormatter.utc(entry.stay.leave))
                json.addPlace(of: entry.stay, addresses)
                json.key("radius")
                json.add(Int64((entry.stay.radiusMetres * 10).rounded()), places: 1)
                json.key("points")
                json.add(entry.stay.points)
                json.key("bridgedSeconds")
                json.add(entry.stay.bridgedMilliseconds, places: 3)
            }
        }
        json.raw("\n")
        return json.bytes
    }

    /// The trips between the stays of persons as an array of JSON objects, by person and departure.
    package static func json(
        tripsOf persons: [PersonStays], addresses: [GeocodingCell: PostalAddress] = [:]
    ) -> [UInt8] {
        var json = JSONWriter()
        let entries = persons.flatMap { one in Trip.trips(between: one.stays).map { (person: one.person, trip: $0) } }
        json.array(entries) { json, entry in
            json.object { json in
                json.key("person")
                json.add(entry.person ?? "")
                json.key("depart")
                json.add(InstantFormatter.utc(entry.trip.from.leave))
                json.key("arrive")
                json.add(InstantFormatter.utc(entry.trip.to.arrive))
                json.key("from")
                json.object { $0.addPlace(of: entry.trip.from, addresses) }
                json.key("to")
                json.object { $0.addPlace(of: entry.trip.to, addresses) }
            }
        }
        json.raw("\n")
        return json.bytes
    }
}

extension JSONWriter {
    /// Adds the members `lon`, `lat` and `place`.
    fileprivate mutating func addPlace(of stay: Stay, _ addresses: [GeocodingCell: PostalAddress]) {
        key("lon")
        add(Int64(stay.longitude), places: 7)
        key("lat")
        add(Int64(stay.latitude), places: 7)
        key("place")
        object { json in
            if let address = stay.cell.flatMap({ addresses[$0] }) { return json.add(members: address) }
            guard let (place, metres) = stay.place else { return }
            json.key("place")
            json.add(place.name)
            if let region = place.region {
                json.key("region")
                json.add(region)
            }
            json.key("country")
            json.add(place.country)
            json.key("metres")
            json.add(Int(metres.rounded()))
            json.key("kind")
            json.add("nearest")
            json.key("source")
            json.add(Gazetteer.source)
        }
    }
}
