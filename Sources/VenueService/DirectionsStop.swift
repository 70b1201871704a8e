import HTTPCore
import PrimaryStore
import RequestHandling
import Text
import TileMath
import Venues

/// A stop of a way as a client names it: before it is known in which venue it is.
enum DirectionsStop: Hashable, Sendable {
    /// A place or a unit.
    case place(FeatureID)
    /// A level by its id, its ordinal or its short name.
    case point(GeoPoint, level: String?)
    case nearest(category: String)

    private static let category = "category:"
    /// Levels have ids of 32 digits, and short names of some letters.
    static let levelLimit = 100

    /// Reads the id of a place, `LON,LAT`, `LON,LAT,LEVEL`, or `category:NAME`; nil for anything else.
    init?(_ text: String) {
        if let id = FeatureID(text) {
            self = .place(id)
        } else if text.hasPrefix(Self.category) {
            guard let nearest = Self.nearest(String(text.dropFirst(Self.category.count))) else { return nil }
            self = nearest
        } else {
            let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count >= 2, let longitude = FixedDecimal(parts[0])?.double,
                let latitude = FixedDecimal(parts[1])?.double,
                let point = GeoPoint(longitude: longitude, latitude: latitude)
            else { return nil }
            let level = parts.count > 2 ? parts[2] : nil
            guard level.map({ (1...Self.levelLimit).contains($0.count) }) ?? true else { return nil }
            self = .point(point, level: level)
        }
    }

    /// The nearest of a category of IMDF: one to 40 letters and dots.
    static func nearest(_ name: String) -> DirectionsStop? {
        guard (1...40).contains(name.utf8.count),
            name.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return .nearest(category: name)
    }

    /// Reads a member of a body: `{"place":ID}`, `{"lon","lat","level"}`, `{"category"}`, or one of the texts.
    init?(_ value: JSONValue) {
        switch value {
        case .text(let text):
            self.init(text)
        case .object(let members):
            let values = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
            guard values.count == members.count else { return nil }
            switch Set(values.keys) {
            case ["place"]:
                guard case .text(let text)? = values["place"], let id = FeatureID(text) else { return nil }
                self = .place(id)
            case ["category"]:
                guard case .text(let name)? = values["category"], let stop = Self.nearest(name) else { return nil }
                self = stop
            case ["lon", "lat"], ["lon", "lat", "level"]:
                guard let longitude = values["lon"]?.decimal?.double, let latitude = values["lat"]?.decimal?.double,
                    let point = GeoPoint(longitude: longitude, latitude: latitude)
                else { return nil }
                guard let level = Self.level(values["level"]) else { return nil }
                self = .point(point, level: level)
            default: return nil
            }
        default: return nil
        }
    }

    /// The level of a body's stop: a text, or an ordinal as a number; inner nil if there is none, outer nil for others.
    private static func level(_ value: JSONValue?) -> String?? {
        guard let value, !value.isNull else { return .some(nil) }
        switch value {
        case .text(let text) where (1...levelLimit).contains(text.count): return text
        case .number(let number): return Int(exactly: number.double).map { "\($0)" }
        default: return nil
        }
    }

    /// The text that `init(_:)` reads; the level has to be named by its id, which `identified` does.
    var text: String {
        switch self {
        case .place(let id): id.description
        case .point(let point, let level):
            ([point.longitude, point.latitude].map { "\(JSONObject.degrees($0))" } + (level.map { [$0] } ?? []))
                .joined(separator: ",")
        case .nearest(let category): Self.category + category
        }
    }

    /// The stop with its level by its id, and degrees as they are stored.
    func identified(in known: KnownVenue) throws(Problem) -> DirectionsStop {
        guard case .point(let point, let level) = self else { return self }
        let rounded = GeoPoint(
            longitude: JSONObject.degrees(point.longitude), latitude: JSONObject.degrees(point.latitude))
        let id: String? =
            if let level { known.venue.levels[try known.level(level, at: point)].id.description } else { nil }
        return .point(rounded ?? point, level: id)
    }

    /// The stop for a router.
    func routeStop(in known: KnownVenue) throws(Problem) -> RouteStop {
        switch self {
        case .place(let id): return .place(id)
        case .nearest(let category): return .nearest(category: category)
        case .point(let point, let level):
            guard let level else { return .point(point, level: nil) }
            return .point(point, level: try known.level(level, at: point))
        }
    }

    /// Whether the stop is in a venue.
    func isIn(_ known: KnownVenue) -> Bool {
        switch self {
        case .place(let id): known.places[id] != nil || known.venue.units.contains { $0.id == id }
        case .point(let point, _): known.summary.bounds.contains(point)
        case .nearest: false
        }
    }
}
