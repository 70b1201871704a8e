import TileMath
import VenueImport
import Venues

/// Plans of buildings: archives of IMDF, maps of OpenStreetMap, GeoJSON.
enum FuzzedVenues {
    /// Ways are prepared for venues of at most this size, so that most of the time is spent on new inputs.
    private static let routedUnits = 40
    private static let routedLevels = 6

    /// Any bytes are venues or none, and what is read survives its encoding, can be searched, and has ways.
    static func read(_ bytes: [UInt8]) {
        for outcome in VenueImporter.read(bytes: bytes, name: "file.zip") {
            precondition(outcome.lines.allSatisfy { !$0.contains("\n") }, "a line feed in a line of a receipt")
            guard case .success(let reading) = outcome.result else { continue }
            use(reading.venue)
        }
    }

    private static func use(_ venue: Venue) {
        let stored = venue.encoded()
        guard let again = try? Venue(decoding: stored) else { preconditionFailure("a venue cannot be decoded") }
        precondition(again.contentDigest == venue.contentDigest, "a venue is another one after its encoding")
        precondition(again.units.map(\.id) == venue.units.map(\.id), "units have other ids after their encoding")
        let places = VenuePlaces(venue)
        for place in places.all.prefix(5) {
            precondition(venue.levels.indices.contains(place.level), "a place on a level that does not exist")
            if place.name.utf8.count < 100 { _ = places.search(place.name) }
        }
        guard venue.units.count <= routedUnits, venue.levels.count <= routedLevels,
            let graph = try? VenueGraph(venue)
        else { return }
        let router = VenueRouter(venue, places: places, graph: graph)
        guard let first = places.all.first, let last = places.all.last,
            let route = try? router.route([.place(first.id), .place(last.id)])
        else { return }
        precondition(route.metres.isFinite && route.seconds.isFinite, "a way without a length")
        precondition(route.legs.allSatisfy { !$0.line.isEmpty }, "a leg without a place")
        let times = route.timeline.map(\.seconds)
        precondition(times == times.sorted(), "a way that goes back in time")
    }
}
