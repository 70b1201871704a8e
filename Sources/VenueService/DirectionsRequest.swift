import HTTPCore
import PrimaryStore
import RequestHandling
import Text
import Venues

/// What way somebody asks for.
struct DirectionsRequest: Hashable, Sendable {
    /// At least two; only the last may be the nearest of a category.
    var stops: [DirectionsStop]
    var profile: RouteProfile

    /// Stops between the ends.
    static let viaLimit = 6
    private static let separator: Character = ";"
    private static let noStop =
        "the id of a place, or lon,lat or lon,lat,level; the last one may also be category:NAME"

    private init(stops: [DirectionsStop], profile: RouteProfile) {
        self.stops = stops
        self.profile = profile
    }

    /// Reads the parameters of `GET /v1/directions`.
    init(_ parameters: QueryParameters) throws(Problem) {
        func stop(_ name: String, _ text: String) throws(Problem) -> DirectionsStop {
            guard let stop = DirectionsStop(text) else { throw Problem.badRequest("\(name) has to be \(Self.noStop)") }
            return stop
        }
        var stops = [try stop("from", parameters["from"] ?? "")]
        for text in parameters["via"]?.split(separator: Self.separator, omittingEmptySubsequences: false) ?? [] {
            stops.append(try stop("via", String(text)))
        }
        stops.append(try stop("to", parameters["to"] ?? ""))
        self.init(stops: stops, profile: try Self.profile(parameters))
        if let fault { throw Problem.badRequest(fault) }
    }

    private static func profile(_ parameters: QueryParameters) throws(Problem) -> RouteProfile {
        let profile: RouteProfile? = try parameters.choice("profile")
        let isStepFree = try parameters.flag("accessible")
        return profile ?? (isStepFree ? .wheelchair : .walk)
    }

    /// The parameter that names a venue.
    static func venue(_ parameters: QueryParameters) throws(Problem) -> String? {
        try parameters.value("venue", "the id of a venue") { FeatureID($0)?.description }
    }

    /// Checks the parameters besides the stops.
    static func check(_ parameters: QueryParameters) throws(Problem) {
        _ = try profile(parameters)
        _ = try parameters.flag("accessible")
        _ = try venue(parameters)
    }

    /// Reads the members of a body, but not `venue`.
    init(_ members: inout BodyMembers) throws(Problem) {
        func stop(_ name: String, _ members: inout BodyMembers) -> DirectionsStop? {
            members.value(
                name, #"{"place":ID}, {"lon","lat"} or {"lon","lat","level"}; to may also be {"category"}"#,
                isRequired: true
            ) { DirectionsStop($0) }
        }
        let from = stop("from", &members)
        let via = members.value("via", "a list of up to \(Self.viaLimit) stops as from") { value in
            if case .list(let values) = value { values.map { DirectionsStop($0) } } else { nil }
        }
        let to = stop("to", &members)
        let profile = members.value("profile", "walk, wheelchair or nolift") { value in
            if case .text(let text) = value { RouteProfile(rawValue: text) } else { nil }
        }
        let between = (via ?? []).compactMap { $0 }
        if between.count < via?.count ?? 0 { members.addFault("via has to be a list of stops as from") }
        self.init(stops: [from, to].compactMap { $0 }, profile: profile ?? .walk)
        stops.insert(contentsOf: between, at: min(1, stops.count))
        if let fault, from != nil, to != nil { members.addFault(fault) }
    }

    /// Reads a request of a history; nil if a later version has written it.
    init?(_ stored: StoredDirections) {
        guard let profile = RouteProfile(rawValue: stored.profile) else { return nil }
        let texts = stored.stops.split(separator: Self.separator, omittingEmptySubsequences: false)
        let stops = texts.compactMap { DirectionsStop(String($0)) }
        guard stops.count == texts.count else { return nil }
        self.init(stops: stops, profile: profile)
        if fault != nil { return nil }
    }

    /// What is wrong about the stops together.
    private var fault: String? {
        if stops.count > Self.viaLimit + 2 { return "via has more than \(Self.viaLimit) stops" }
        let hasNearest = stops.dropLast().contains { if case .nearest = $0 { true } else { false } }
        return hasNearest ? "only the last stop may be the nearest of a category" : nil
    }

    /// The request with levels by their ids.
    func identified(in known: KnownVenue) throws(Problem) -> DirectionsRequest {
        var stops: [DirectionsStop] = []
        for stop in self.stops { stops.append(try stop.identified(in: known)) }
        return DirectionsRequest(stops: stops, profile: profile)
    }

    /// The stops as they are stored.
    var text: String { stops.map(\.text).joined(separator: String(Self.separator)) }
}
