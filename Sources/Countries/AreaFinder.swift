import Geography
import TileMath

/// Where a place is, on the map of the ledger.
enum Area: Sendable, Hashable {
    /// A country, with the water up to `AreaFinder.coastMetres` from its coast.
    case country(Int)
    /// Water up to `AreaFinder.coastalWatersMetres` from a coast.
    case coastal
    /// Water farther away.
    case sea

    var country: Int? {
        if case .country(let index) = self { return index }
        return nil
    }

    var isWater: Bool { country == nil }
}

/// Finds the area of a place, and how far around it the area is the same.
public struct AreaFinder: Sendable {
    /// Water up to here belongs to the nearest country: outlines are generalised, and beaches move.
    public static let coastMetres = 5000.0
    /// 12 nautical miles: the territorial sea.
    public static let coastalWatersMetres = 22_200.0

    /// Radius in which outlines are searched from a place on land.
    private static let landReach = 9000.0
    /// Radius in which outlines are searched from a place at sea: more than `coastalWatersMetres`, so that far from
    /// land one search is valid for 5.8 km around.
    private static let seaReach = 28_000.0

    /// The area of a place, and how far it extends around the place.
    struct AreaLookup {
        var area: Area
        /// Every place nearer than this has the same area.
        var sameAreaMetres: Double
        /// The distance of the nearest coast for a place on water, if it is within `seaReach`; nil on land.
        var coast: Double?
        /// Whether the place is on land.
        var isLand: Bool
    }

    private let index: CountryIndex

    /// Searches in an index.
    init(_ index: CountryIndex) { self.index = index }

    /// The area of a place.
    func lookup(_ place: GeoPoint) -> AreaLookup {
        if let own = index.country(at: place) {
            let near = index.outlines(within: Self.landReach, of: place, except: own)
            let any = near.any ?? Self.landReach
            let other = near.countries.first?.metres ?? Self.landReach
            // Nearer than `any`, it is the same land. Half as far as another country, this one is nearer, and the coast
            // is not so far away.
            return AreaLookup(
                area: .country(own), sameAreaMetres: max(any, min(Self.coastMetres, other / 2)), coast: nil,
                isLand: true)
        }
        let near = index.outlines(within: Self.seaReach, of: place, except: nil)
        guard let nearest = near.countries.first else {
            return AreaLookup(
                area: .sea, sameAreaMetres: Self.seaReach - Self.coastalWatersMetres, coast: nil, isLand: false)
        }
        let metres = nearest.metres
        if metres <= Self.coastMetres {
            let second = near.countries.dropFirst().first?.metres ?? Self.seaReach
            return AreaLookup(
                area: .country(nearest.country), sameAreaMetres: min(Self.coastMetres - metres, (second - metres) / 2),
                coast: metres, isLand: false)
        }
        if metres <= Self.coastalWatersMetres {
            return AreaLookup(
                area: .coastal, sameAreaMetres: min(metres - Self.coastMetres, Self.coastalWatersMetres - metres),
                coast: metres,
                isLand: false)
        }
        return AreaLookup(area: .sea, sameAreaMetres: metres - Self.coastalWatersMetres, coast: metres, isLand: false)
    }

    /// The distance of a place from another area, in metres; infinite if it is more than `limit`, at most 10 km.
    /// `lookup` is that of the place.
    func distance(of place: GeoPoint, _ lookup: AreaLookup, to area: Area, limit: Double) -> Double {
        switch area {
        case .country(let country):
            // At sea the country extends `coastMetres` beyond its coast.
            let zone = lookup.isLand ? 0 : Self.coastMetres
            guard let metres = index.distance(of: place, to: country, limit: limit + zone) else { return .infinity }
            return max(0, metres - zone)
        case .coastal:
            guard !lookup.isLand else { return .infinity }
            guard let coast = lookup.coast else { return .infinity }
            return max(0, Self.coastMetres - coast, coast - Self.coastalWatersMetres)
        case .sea:
            guard !lookup.isLand else { return .infinity }
            return max(0, Self.coastalWatersMetres - (lookup.coast ?? .infinity))
        }
    }

    /// Whether two countries are within a distance of a place.
    func hasBorder(within metres: Double, of place: GeoPoint) -> Bool {
        index.countries(within: metres, of: place).count > 1
    }

    /// The areas within a distance of a place, at most 5 km, including its own. `lookup` is that of the place.
    func areas(within metres: Double, of place: GeoPoint, _ lookup: AreaLookup) -> Set<Area> {
        let zone = lookup.isLand ? 0 : Self.coastMetres
        var areas: Set<Area> = [lookup.area]
        for country in index.countries(within: metres + zone, of: place) { areas.insert(.country(country)) }
        if distance(of: place, lookup, to: .coastal, limit: metres) <= metres { areas.insert(.coastal) }
        if distance(of: place, lookup, to: .sea, limit: metres) <= metres { areas.insert(.sea) }
        return areas
    }
}
