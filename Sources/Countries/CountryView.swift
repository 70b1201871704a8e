public import Geography

/// Which country an area counts for where states or standards disagree.
public enum CountryView: String, Sendable, CaseIterable {
    /// As Natural Earth shows it: who controls an area. Areas without a code of ISO 3166-1 have `X-` and three letters.
    case ne
    /// As ISO 3166-1 lists countries: areas without a code of their own count for the country that the standard lists
    /// them under.
    case iso

    /// The countries of ISO 3166 of areas without a code: Northern Cyprus, the buffer zone of Cyprus, Somaliland and the
    /// base at Guantánamo; the British bases on Cyprus; reefs that Colombia administers; and Kosovo, whose `XK` is not a
    /// code of the standard. Areas that several states claim or none does (Siachen Glacier, Spratly Islands,
    /// Scarborough Reef, Bir Tawil, Southern Patagonian Ice Field) are in neither.
    private static let isoCountries = [
        "X-CYN": "CY", "X-CNM": "CY", "X-SOL": "SO", "X-USG": "CU", "X-ESB": "GB", "X-WSB": "GB", "X-BJN": "CO",
        "X-SER": "CO", "XK": "RS",
    ]

    /// The code under which a country counts.
    func code(of country: Geography.Country) -> String {
        self == .ne ? country.code : Self.isoCountries[country.code] ?? country.code
    }

    /// The code of a table that follows ISO 3166, such as GeoNames; it has `XK`.
    static func isoCode(of code: String) -> String { code == "XK" ? code : isoCountries[code] ?? code }
}

/// The countries of a view: areas that share a code are one.
public struct CountryList: Sendable {
    public let view: CountryView
    /// For each index in `Geography.countries` the index of the country it counts for.
    private let main: [Int]
    private let countries: [Geography.Country]
    private let byCode: [String: Int]

    /// The countries of a geography.
    public init(_ view: CountryView, of geography: Geography = .embedded) {
        self.view = view
        countries = geography.countries
        var byCode: [String: Int] = [:]
        for (index, country) in countries.enumerated() {
            // The largest of those with the same code gives the name.
            guard view.code(of: country) == country.code else { continue }
            if let known = byCode[country.code], countries[known].radius >= country.radius { continue }
            byCode[country.code] = index
        }
        main = countries.enumerated().map { byCode[view.code(of: $1)] ?? $0 }
        self.byCode = byCode
    }

    /// The number of indices.
    public var count: Int { main.count }

    /// The index of the country that an area counts for.
    public func country(of index: Int) -> Int { main[index] }

    /// The code of a country: two letters, or `X-` and three.
    public func code(of index: Int) -> String { countries[main[index]].code }

    /// The English name of a country.
    public func name(of index: Int) -> String { countries[main[index]].name }

    /// The country with a code, in capital or small letters; nil for an unknown one.
    public func country(code: String) -> Int? { byCode[code.uppercased()] }
}
