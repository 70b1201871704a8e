public import Text
public import TileMath

/// The time zones of the places of a gazetteer, and the nearest one in a country.
///
/// `PLACES.md` describes the table, and the points that it has besides the places.
public struct ZoneFinder: Sendable {
    /// The IANA names of the zones.
    public let names: [String]

    private let gazetteer: Gazetteer
    /// For each place the index of its zone.
    private let placeZones: [UInt16]
    /// For each place the number of its country; -1 if it has none.
    private let placeCountries: [Int32]
    private let countriesWithPlaces: Set<Int32>
    private let pointZones: [UInt16]
    private let pointCountries: [Int32]
    /// The tree of the points; nil if there are none.
    private let points: BoxTree?

    /// Reads the zones of a gazetteer; takes some milliseconds.
    ///
    /// `number` gives the number of a country by its two letters, by which `zone(nearest:inCountry:)` knows it. Places of
    /// countries without a number belong to the country that `numberAt` gives for their position.
    public init(
        _ gazetteer: Gazetteer, number: (String) -> Int?, numberAt: (GeoPoint) -> Int?
    ) throws(TableError) {
        var reader = ZoneReader(gazetteer)
        names = try reader.readNames()
        placeZones = try reader.readRuns(places: gazetteer.count, zones: names.count)
        let pointCodes = try reader.readCountries()
        let points = try reader.readPoints(countries: pointCodes.count, zones: names.count)
        try reader.expectEnd()

        let known = gazetteer.countries.map { number($0.code) }
        var placeCountries: [Int32] = []
        placeCountries.reserveCapacity(gazetteer.count)
        for place in 0..<gazetteer.count {
            let country = known[gazetteer.regions[Int(gazetteer.placeRegions[place])].country]
            placeCountries.append(Int32(country ?? numberAt(gazetteer.position(of: place)) ?? -1))
        }
        self.placeCountries = placeCountries
        countriesWithPlaces = Set(placeCountries)
        let pointNumbers = pointCodes.map(number)
        pointCountries = points.map { point in
            Int32(pointNumbers[point.country] ?? numberAt(GazetteerUnits.position(of: point.code)) ?? -1)
        }
        pointZones = points.map { UInt16($0.zone) }
        self.points =
            points.isEmpty ? nil : BoxTree(points.map { SpacePoint(GazetteerUnits.position(of: $0.code)) })
        self.gazetteer = gazetteer
    }

    /// Whether a place or point belongs to the country with a number.
    public func hasPlaces(country number: Int) -> Bool {
        countriesWithPlaces.contains(Int32(number)) || pointCountries.contains(Int32(number))
    }

    /// The index of the zone of the place with an index of the gazetteer.
    public func zone(ofPlace index: Int) -> Int { Int(placeZones[index]) }

    /// The zone of the nearest place or point in a country, or in any country if `country` is nil, among those that
    /// `admits` returns true for; and the distance in metres. nil if there is none. Takes some microseconds, and longer
    /// far away from the country.
    public func zone(
        nearest position: GeoPoint, inCountry country: Int?, where admits: (Int) -> Bool = { _ in true },
        exceptPlace excluded: Int? = nil
    ) -> (zone: Int, metres: Double)? {
        let here = SpacePoint(position)
        let wanted = country.map { Int32($0) }
        // The points first, because there are few of them, and they limit the search for places.
        let point = points?.nearest(to: here) { index in
            (wanted == nil || pointCountries[index] == wanted) && admits(Int(pointZones[index]))
        }
        var place: (index: Int, squaredDistance: Double)?
        if wanted.map({ countriesWithPlaces.contains($0) }) ?? true {
            place = gazetteer.nearest(to: here, within: point?.squaredDistance ?? .infinity) { index in
                (wanted == nil || placeCountries[index] == wanted) && index != excluded
                    && admits(Int(placeZones[index]))
            }
        }
        if let place { return (Int(placeZones[place.index]), SpacePoint.metres(place.squaredDistance)) }
        return point.map { (Int(pointZones[$0.index]), SpacePoint.metres($0.squaredDistance)) }
    }
}

/// Reads the part of `places.bin` with the time zones.
private struct ZoneReader {
    struct Point {
        var code: UInt64
        var country: Int
        var zone: Int
    }

    private var table: TableReader

    init(_ gazetteer: Gazetteer) { table = TableReader(Array(gazetteer.bytes[gazetteer.zoneBytes])) }

    mutating func expectEnd() throws(TableError) { try table.expectEnd() }

    mutating func readNames() throws(TableError) -> [String] {
        var names: [String] = []
        for _ in 0..<(try table.number(below: Int(UInt16.max) + 1)) { names.append(try table.text()) }
        return names
    }

    mutating func readRuns(places: Int, zones: Int) throws(TableError) -> [UInt16] {
        var listed: [UInt16] = []
        listed.reserveCapacity(places)
        for _ in 0..<(try table.count()) {
            let zone = UInt16(try table.number(below: zones))
            let count = try table.number(below: places - listed.count + 1)
            listed.append(contentsOf: repeatElement(zone, count: count))
        }
        guard listed.count == places else { throw .damaged(offset: table.position) }
        return listed
    }

    mutating func readCountries() throws(TableError) -> [String] {
        var countries: [String] = []
        for _ in 0..<(try table.count()) { countries.append(try table.text()) }
        return countries
    }

    mutating func readPoints(countries: Int, zones: Int) throws(TableError) -> [Point] {
        var points: [Point] = []
        var code: UInt64 = 0
        for _ in 0..<(try table.count()) {
            let (sum, isTooLarge) = code.addingReportingOverflow(try table.unsigned())
            guard !isTooLarge, GazetteerUnits.isPosition(sum) else { throw .damaged(offset: table.position) }
            code = sum
            points.append(
                Point(code: code, country: try table.number(below: countries), zone: try table.number(below: zones)))
        }
        return points
    }
}
