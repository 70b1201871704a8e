public import Geography
public import Places
public import Text
public import TileMath

/// The time zones of places: that of the nearest place of the same country.
///
/// The country is that of the boundaries, and at sea that of the nearest coast within 100 km, because ships near a coast
/// keep its time. Farther away it is the nautical zone: 15° of longitude are an hour. Where no country has places, such
/// as in an area that several states claim, the nearest place of any country counts.
public struct ZoneMap: Sendable {
    /// The embedded boundaries and places; made at the first use.
    public static let embedded: ZoneMap = {
        do {
            return try ZoneMap(.embedded, Geography.embeddedCountries, .embedded)
        } catch {
            preconditionFailure("places.bin: \(error)")
        }
    }()

    /// As far as `CountryIndex` finds outlines.
    private static let coastMetres = 100_000.0
    /// Former names of zones, for time zone databases that do not have the present ones yet.
    private static let formerNames = [
        "America/Nuuk": "America/Godthab", "Asia/Yangon": "Asia/Rangoon", "Europe/Kyiv": "Europe/Kiev",
        "Pacific/Kanton": "Pacific/Enderbury",
    ]

    private let index: CountryIndex
    private let finder: ZoneFinder
    /// For each country the first one with the same code of ISO 3166-1.
    private let numbers: [Int]
    /// Whether a country has places.
    private let hasPlaces: [Bool]

    /// A map of other boundaries and places.
    public init(_ index: CountryIndex, _ countries: [Geography.Country], _ gazetteer: Gazetteer) throws(TableError) {
        var byCode: [String: Int] = [:]
        var numbers: [Int] = []
        for (number, country) in countries.enumerated() {
            let code = CountryView.isoCode(of: country.code)
            let first = byCode[code] ?? number
            byCode[code] = first
            numbers.append(first)
        }
        let nearest = { (place: GeoPoint) in Self.country(at: place, index).map { numbers[$0] } }
        finder = try ZoneFinder(gazetteer, number: { byCode[$0] }, numberAt: nearest)
        self.index = index
        self.numbers = numbers
        hasPlaces = countries.indices.map(finder.hasPlaces)
    }

    /// The country at a place; at sea that of the nearest coast.
    private static func country(at place: GeoPoint, _ index: CountryIndex) -> Int? {
        index.country(at: place)
            ?? index.outlines(within: coastMetres, of: place, except: nil).countries.first?.country
    }

    /// The IANA name of the zone of a place, among those that `isKnown` returns true for; nil if it knows none.
    ///
    /// Takes some microseconds.
    public func zone(at place: GeoPoint, isKnown: (String) -> Bool) -> String? {
        zone(at: place, exceptPlace: nil, isKnown: isKnown)
    }

    /// The zone of a place as if one place of the gazetteer did not exist, for comparisons with its own zone.
    func zone(at place: GeoPoint, exceptPlace: Int?, isKnown: (String) -> Bool) -> String? {
        let country = Self.country(at: place, index).map { numbers[$0] }
        guard let found = nearest(place, country, exceptPlace) else { return Self.nautical(place, isKnown) }
        let name = finder.names[found]
        if isKnown(name) { return name }
        if let former = Self.formerNames[name], isKnown(former) { return former }
        // A new zone was divided from that of its neighbours.
        let known = finder.names.map(isKnown)
        let other =
            finder.zone(nearest: place, inCountry: country) { known[$0] }
            ?? finder.zone(nearest: place, inCountry: nil) { known[$0] }
        return other.map { finder.names[$0.zone] }
    }

    /// The zone of the nearest place of a country; nil at sea, where none is near.
    private func nearest(_ place: GeoPoint, _ country: Int?, _ exceptPlace: Int?) -> Int? {
        let area = country.flatMap { hasPlaces[$0] ? $0 : nil }
        guard let found = finder.zone(nearest: place, inCountry: area, exceptPlace: exceptPlace),
            // At sea, islands that the boundaries lack.
            country != nil || found.metres <= Self.coastMetres
        else { return nil }
        return found.zone
    }

    /// The zone of ships far from coasts. Names of POSIX count westwards: `Etc/GMT+3` is three hours behind UTC.
    private static func nautical(_ place: GeoPoint, _ isKnown: (String) -> Bool) -> String? {
        let hours = Int((place.longitude / 15).rounded())
        let name = hours == 0 ? "Etc/GMT" : hours > 0 ? "Etc/GMT-\(hours)" : "Etc/GMT+\(-hours)"
        return isKnown(name) ? name : nil
    }
}
