package import Geocoding
internal import PrimaryStore
package import Stays
package import Text

extension JSONWriter {
    /// Adds the members that describe an address, as `/v1/address` does; `metres` is its distance, if it is known.
    package mutating func add(members address: PostalAddress, metres: Int? = nil) {
        add("address", address.label)
        let parts = [("place", address.place), ("region", address.region), ("country", address.country)]
        for case (let name, let text?) in parts {
            add(name, text)
        }
        if let metres {
            add("metres", metres)
        }
        add("kind", "address")
        add("source", address.source)
    }
}

extension Stay {
    /// The cell whose address is that of the stay; nil near the poles.
    package var cell: GeocodingCell? { GeocodingCell(e7Longitude: longitude, latitude: latitude) }
}

extension Library {
    /// The addresses of stays, as far as they are known.
    package func addresses(of persons: [PersonStays]) throws -> [GeocodingCell: PostalAddress] {
        try database.addresses(of: persons.flatMap { $0.stays.compactMap(\.cell) })
    }
}
