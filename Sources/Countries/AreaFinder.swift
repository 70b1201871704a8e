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

    /// So far outlines are searched from a place on land.
    private static let landReach = 9000.0
    /// So far outlines are searched from a place at sea.
    private static let seaReach = 28_000.0

    /// An area and its surroundings.
    struct Survey {
        var area: Area
        /// Nearer than this to the place, every place has the same area.
        var slack: Double
        /// The distance of the nearest coast for a place on water, if it is within `seaReach`; nil on land.
        var coast: Double?
        /// Whether the place is on land.
        var isLand: Bool
    }

    private let index: CountryIndex

    /// Searches in an index.
    init(_ index: CountryIndex) { self.index = index }

    /// The area of a place.
    func survey(_ place: GeoPoint) -> Survey {
        if let own = index.country(at: place) {
            let near = index.outlines(within: Self.landReach, of: place, except: own)
            let any = near.any ?? Self.landReach
            let other = near.countries.first?.metres ?? Self.landReach
            // Nearer than `any`, it is the same land. Half as far as another country, this one is nearer, and the coast
            // is not so far away.
            return Survey(
                area: .country(own), slack: max(any, min(Self.coastMetres, other / 2)), coast: nil, isLand: true)
        }
        let near = index.outlines(within: Self.seaReach, of: place, except: nil)
        guard let nearest = near.countries.first else {
            return Survey(area: .sea, slack: Self.seaReach - Self.coastalWatersMetres, coast: nil, isLand: false)
        }
        let metres = nearest.metres
        if metres <= Self.coastMetres {
            let second = near.countries.dropFirst().first?.metres ?? Self.seaReach
            return Survey(
                area: .country(nearest.country), slack: min(Self.coastMetres - metres, (second - metres) / 2),
                coast: metres, isLand: false)
        }
        if metres <= Self.coastalWatersMetres {
            return Survey(
                area: .coastal, slack: min(metres - Self.coastMetres, Self.coastalWatersMetres - metres), coast: metres,
                isLand: false)
        }
        return Survey(area: .sea, slack: metres - Self.coastalWatersMetres, coast: metres, isLand: false)
    }

    /// How far a surveyed place is from another area, in metres; infinite if it is more than `limit`, at most 10 km.
    func distance(of place: GeoPoint, _ survey: Survey, to area: Area, limit: Double) -> Double {
        switch area {
        case .country(let country):
            // At sea the country reaches beyond its coast.
            let zone = survey.isLand ? 0 : Self.coastMetres
            guard let metres = index.distance(of: place, to: country, limit: limit + zone) else { return .infinity }
            return max(0, metres - zone)
        case .coastal:
            guard !survey.isLand else { return .infinity }
            guard let coast = survey.coast else { return .infinity }
            return max(0, Self.coastMetres - coast, coast - Self.coastalWatersMetres)
        case .sea:
            guard !survey.isLand else { return .infinity }
            return max(0, Self.coastalWatersMetres - (survey.coast ?? .infinity))
        }
    }

    /// The areas within a distance of a surveyed place, at most 5 km; its own one is among them.
    func areas(within metres: Double, of place: GeoPoint, _ survey: Survey) -> Set<Area> {
        let zone = survey.isLand ? 0 : Self.coastMetres
        var areas: Set<Area> = [survey.area]
        for country in index.countries(within: metres + zone, of: place) { areas.insert(.country(country)) }
        if distance(of: place, survey, to: .coastal, limit: metres) <= metres { areas.insert(.coastal) }
        if distance(of: place, survey, to: .sea, limit: metres) <= metres { areas.insert(.sea) }
        return areas
    }
}
