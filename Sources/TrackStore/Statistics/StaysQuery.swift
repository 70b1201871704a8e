package import Geocoding
import GridStorage
package import Places
import PrimaryStore
import Statistics
package import Stays
import Text
import TileMath

/// Which stays are listed.
package struct StaysQuery: Sendable, Hashable {
    /// Only stays that end at or after this instant, in milliseconds since 1970.
    package var from: Int64?
    /// Only stays that begin before this instant.
    package var to: Int64?
    /// The name of a person; empty for the owner of the library, nil for all persons.
    package var person: String?

    /// Creates a query for all stays of all persons.
    package init() {}
}

/// The stays of a person.
package struct PersonStays: Sendable, Equatable {
    /// The name; nil for the owner of the library.
    package let person: String?
    /// The stays, by arrival.
    package let stays: [Stay]
    /// The names of places of the person, as far as they have been read.
    package var names: [StayName] = []

    /// The name of the place of a stay; nil if it has none.
    package func name(of stay: Stay) -> String? {
        StayName.nearest(toLongitude: stay.longitude, latitude: stay.latitude, of: names)?.name
    }

    /// The places of the stays, by time spent.
    package var places: [StayPlace] { StayPlace.places(of: stays, names: names) }
}

extension Library {
    /// The stays of all persons, the owner first, from the derived table of the grid.
    package func stays() throws -> [PersonStays] {
        var persons: [Int64: Int64] = [:]
        try forEachTotals(TrackSelection(), try calendar()) { persons[$0] = $1.person }
        let stays = try grid.read { reader in
            var rows: [Int64: StayRows] = [:]
            try reader.forEachTrackRow(BlobTable.stays.checksum) { number, row in
                guard let person = persons[number] else { return }
                rows[person, default: StayRows()].add(row, ofTrack: number)
            }
            return try rows.mapValues { try $0.stays { try reader.stayRow(ofTrack: $0) } }
        }
        let names = try database.read { try $0.personNames() }
        return stays.map { PersonStays(person: names[$0.key] ?? nil, stays: $0.value) }
            .sorted { ($0.person ?? "") < ($1.person ?? "") }
    }

    /// The stays of `all` that a query selects, whole even if they begin or end outside of the window, with the names of
    /// their places.
    ///
    /// Throws `SelectionError` if no track belongs to the person.
    package func selected(_ all: [PersonStays], _ query: StaysQuery) throws -> [PersonStays] {
        if let name = query.person, try database.read({ try $0.personNumber(orOwner: name) }) == nil {
            throw SelectionError.noSuchPerson(name)
        }
        return try all.filter { query.person == nil || ($0.person ?? "") == query.person }.map { one in
            PersonStays(
                person: one.person,
                stays: one.stays.filter { $0.leave >= query.from ?? .min && $0.arrive < query.to ?? .max },
                names: try database.stayNames(of: one.person))
        }
    }
}

extension Gazetteer {
    /// The town or district that is nearest to a place in 1e-7°, and the distance of its centre in metres.
    fileprivate func nearest(toLongitude longitude: Int32, latitude: Int32) -> (name: NamedPlace, metres: Double)? {
        guard let position = GeoPoint(longitude: Double(longitude) * 1e-7, latitude: Double(latitude) * 1e-7) else {
            return nil
        }
        let (index, metres) = nearest(to: position)
        return (self[index], metres)
    }
}

extension Stay {
    /// The town or district that is nearest to the stay, and the distance of its centre in metres.
    package var place: (name: NamedPlace, metres: Double)? {
        Gazetteer.embedded.nearest(toLongitude: longitude, latitude: latitude)
    }
}

extension StayPlace {
    /// The town or district that is nearest, and the distance of its centre in metres.
    package var town: (name: NamedPlace, metres: Double)? {
        Gazetteer.embedded.nearest(toLongitude: longitude, latitude: latitude)
    }

    /// `LON,LAT` in degrees, without zeros at the end.
    package var id: String { Self.id(longitude: longitude, latitude: latitude) }

    /// The position, in 1e-7°, of an id; nil if the text is not an id.
    package static func position(id: String) -> (longitude: Int32, latitude: Int32)? {
        GeoPoint(text: id)?.e7
    }

    /// The id of a position.
    package static func id(longitude: Int32, latitude: Int32) -> String {
        [longitude, latitude].map { units in
            var json = JSONWriter()
            json.add(Int64(units), places: 7)
            return String(decoding: json.bytes, as: UTF8.self)
        }.joined(separator: ",")
    }
}

extension PersonStays {
    /// The stays of persons as an array of JSON objects, by person and arrival. A stay without an address has the nearest
    /// place.
    package static func json(
        _ persons: [PersonStays], addresses: [GeocodingCell: PostalAddress] = [:]
    ) -> [UInt8] {
        var json = JSONWriter()
        let entries = persons.flatMap { one in
            one.stays.map { (person: one.person, stay: $0, name: one.name(of: $0)) }
        }
        json.array(entries) { json, entry in
            json.object { json in
                json.add("person", entry.person ?? "")
                json.add("arrive", InstantFormatter.utc(entry.stay.arrive))
                json.add("leave", InstantFormatter.utc(entry.stay.leave))
                json.addPlace(of: entry.stay, name: entry.name, addresses)
                json.add("radius", Int64((entry.stay.radiusMetres * 10).rounded()), places: 1)
                json.add("points", entry.stay.points)
                json.add("bridgedSeconds", entry.stay.bridgedMilliseconds, places: 3)
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
        let entries = persons.flatMap { one in Trip.trips(between: one.stays).map { (one: one, trip: $0) } }
        json.array(entries) { json, entry in
            let (one, trip) = entry
            json.object { json in
                json.add("person", one.person ?? "")
                json.add("depart", InstantFormatter.utc(trip.from.leave))
                json.add("arrive", InstantFormatter.utc(trip.to.arrive))
                json.object("from") { $0.addPlace(of: trip.from, name: one.name(of: trip.from), addresses) }
                json.object("to") { $0.addPlace(of: trip.to, name: one.name(of: trip.to), addresses) }
            }
        }
        json.raw("\n")
        return json.bytes
    }

    /// The places of stays as a JSON object, by person and time spent.
    package static func json(
        placesOf persons: [PersonStays], addresses: [GeocodingCell: PostalAddress] = [:]
    ) -> [UInt8] {
        var json = JSONWriter()
        let entries = persons.flatMap { one in one.places.map { (person: one.person, place: $0) } }
        json.object { json in
            json.array("places", entries) { json, entry in
                let place = entry.place
                json.object { json in
                    json.add("id", place.id)
                    json.add("person", entry.person ?? "")
                    json.addPosition(place.longitude, place.latitude, name: place.name)
                    json.add("seconds", place.milliseconds, places: 3)
                    json.add("stays", place.count)
                    json.add("first", place.span.map { InstantFormatter.utc($0.lowerBound) })
                    json.add("last", place.span.map { InstantFormatter.utc($0.upperBound) })
                    json.key("place")
                    json.addAddress(place.longest?.cell.flatMap { addresses[$0] }, town: place.town)
                }
            }
        }
        json.raw("\n")
        return json.bytes
    }
}

extension JSONWriter {
    /// Adds the members `lon`, `lat`, `name` and `place`.
    fileprivate mutating func addPlace(
        of stay: Stay, name: String?, _ addresses: [GeocodingCell: PostalAddress]
    ) {
        addPosition(stay.longitude, stay.latitude, name: name)
        key("place")
        addAddress(stay.cell.flatMap { addresses[$0] }, town: stay.place)
    }

    /// Adds the members `lon`, `lat` and `name`.
    fileprivate mutating func addPosition(_ longitude: Int32, _ latitude: Int32, name: String?) {
        add("lon", Int64(longitude), places: 7)
        add("lat", Int64(latitude), places: 7)
        add("name", name)
    }

    /// Adds an address, or else the nearest town, as an object.
    fileprivate mutating func addAddress(_ address: PostalAddress?, town: (name: NamedPlace, metres: Double)?) {
        object { json in
            if let address { return json.add(members: address) }
            guard let (place, metres) = town else { return }
            json.add("place", place.name)
            if let region = place.region {
                json.add("region", region)
            }
            json.add("country", place.country)
            json.add("metres", Int(metres.rounded()))
            json.add("kind", "nearest")
            json.add("source", Gazetteer.source)
        }
    }
}
