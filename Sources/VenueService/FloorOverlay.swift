import Caching
import FloorRendering
import HTTPCore
import Locking
import OpenAPI
import PrimaryStore
import RequestHandling
import TileDrawing
import TileMath
import TileRendering
import Venues

/// The tiles `/tiles/floor/…`: rooms, walls, doors and names of venues, level by level; below zoom level 15 their outlines.
struct FloorOverlay: Overlay {
    let venues: KnownVenues
    let desk: DirectionsDesk

    /// What a request selects.
    struct Query: Sendable {
        /// The id of a venue; nil for all.
        var venue: String?
        /// A level by its id, ordinal or short name; nil for those nearest to the ground.
        var level: String?
        var ordinal: Int?
        /// Of names, as a tag of BCP 47.
        var language: String?
        /// The id of the directions that are drawn, and who asks for them.
        var directions: String?
        var keeper: LibraryPerson?
    }

    var description: OverlayDescription {
        var about = OverlayDescription(
            "floor", "Floors", of: "floors", .venues,
            [
                APIParameter("venue", .pattern("^[0-9a-f]{32}$"), "The id of a venue; without it, all venues"),
                APIParameter("level", .text(), "The id, the ordinal or the short name of a level of the venue"),
                APIParameter(
                    "ordinal", .integer(-99...999), "Levels of this ordinal; without both, those nearest to the ground"),
                APIParameter("lang", .text(), "The language of names, such as `de`"),
                APIParameter(
                    "directions", .pattern("^[0-9a-f]{32}$"),
                    "The id of directions, which are drawn; without a level, the one on which they begin is shown"),
                .theme("The map below"),
            ])
        about.summary = "floors of venues with rooms, walls and names"
        about.detail = "Below zoom level \(FloorScene.zooms.lowerBound), venues are outlines with names."
        about.zooms = 0...FloorScene.zooms.upperBound
        about.dependsOnMap = false
        about.vectorLayers = FloorVectorTile.layers.map {
            VectorLayerDescription($0.name, $0.description, zooms: $0.zooms, $0.fields)
        }
        about.parametersOfPictures.insert("directions")
        about.vectorDetail =
            "With the layers of indoor=. All levels, unless `level` or `ordinal` selects some. 204 for a tile without venues."
        return about
    }

    func query(_ request: Request) throws(Problem) -> Query {
        let parameters = try QueryParameters(request.target)
        var query = Query()
        query.venue = try parameters.value("venue", "the id of a venue") { FeatureID($0)?.description }
        query.level = parameters["level"]
        query.ordinal = try parameters.value("ordinal", "a number from -99 to 999") { text in
            Int(text).flatMap { (-99...999).contains($0) && "\($0)" == text ? $0 : nil }
        }
        query.language = parameters["lang"]
        query.directions = try parameters.value("directions", "the id of directions") { FeatureID($0)?.description }
        query.keeper = request.caller.person
        if query.level != nil, query.venue == nil, query.directions == nil {
            throw Problem.badRequest("level requires venue or directions")
        }
        return query
    }

    /// The venues of a query, which are decoded only for tiles that they reach.
    struct Content {
        let venues: [VenueSummary]
        /// nil for those of `query.ordinal`.
        let levels: [Int]?
        let query: Query
        var route: FloorRoute?
    }

    func content(_ query: Query) throws -> Content {
        if let id = query.directions { return try content(query, directions: id) }
        let summaries = try venues.summaries()
        guard let id = query.venue else { return Content(venues: summaries, levels: nil, query: query) }
        guard let summary = summaries.first(where: { $0.id == id }), let known = try venues.venue(summary) else {
            throw VenueProblem.noVenue
        }
        // A level that does not exist is refused for every tile.
        return Content(venues: [summary], levels: try query.level.map { try known.levels(named: $0) }, query: query)
    }

    /// A venue with a way through it.
    private func content(_ query: Query, directions id: String) throws -> Content {
        let job = try desk.job(id: id, for: query.keeper)
        if let venue = query.venue, venue != job.venue { throw DirectionsDesk.noDirections }
        guard let planned = try desk.current(job) else {
            // It was dropped, and the ways through the venue have to be prepared again.
            try desk.begin(job)
            throw Problem.unavailable("these directions are being planned", retryAfterSeconds: 1)
        }
        let known = planned.known
        guard case .success(let route) = planned.result else {
            let levels = try query.level.map { try known.levels(named: $0) }
            return Content(venues: [known.summary], levels: levels, query: query)
        }
        let levels =
            try query.level.map { try known.levels(named: $0) } ?? query.ordinal.map { known.levels($0) }
            ?? route.firstLevel.map { [$0] } ?? known.levels(nil)
        return Content(
            venues: [known.summary], levels: levels, query: query,
            route: FloorRoute(route, on: Set(levels), of: known.venue))
    }

    func bounds(_ content: Content, _ status: ServerStatus) -> BoundingBox? {
        content.venues.isEmpty ? nil : .enclosing(content.venues.map(\.bounds))
    }

    func picture(_ request: TileRequest, of content: Content) throws -> OverlayPicture {
        let tile = FloorTile(request.tile, request.scale, style: .builtIn(request.theme), route: content.route)
        let empty = request.scale.emptyPicture
        guard FloorScene.zooms.contains(request.tile.zoom.number) else {
            let overview = try overview(content)
            return .planned(tile.digest(of: overview)) { try tile.draw(overview) ?? empty }
        }
        let reached = try content.venues.filter { tile.reaches($0.bounds) }.compactMap { try venues.venue($0) }
        let scenes = try reached.map { known in
            let levels = content.levels ?? known.levels(content.query.ordinal)
            return try known.scenes.scene(
                of: known, levels: levels, language: FloorScene.language(content.query.language, of: known.venue))
        }
        return .planned(tile.digest(of: scenes)) { try tile.draw(scenes) ?? empty }
    }

    func vectorTile(_ tile: TileCoordinate, of content: Content) throws -> OverlayVectorTile {
        guard content.query.directions == nil else {
            throw Problem.badRequest("vector tiles show no directions; /v1/directions/{id}.geojson has their lines")
        }
        let vectorTile = FloorVectorTile(tile, language: content.query.language)
        let reached = try content.venues.filter { vectorTile.reaches($0.bounds) }.compactMap { try venues.venue($0) }
        let floors = reached.map { known in
            let levels = content.levels ?? content.query.ordinal.map { known.levels($0) }
            return FloorVectorTile.Floors(known.vectors.value, levels: levels ?? Array(known.venue.levels.indices))
        }
        return OverlayVectorTile(vectorTile.digest(of: floors)) { try vectorTile.bytes(of: floors) }
    }

    /// The outlines of venues, made once for all tiles: names are placed among those of all others.
    private func overview(_ content: Content) throws -> FloorOverview {
        let key = OverviewKey(venues: content.venues.map(KnownVenues.Key.init), language: content.query.language)
        return try overviews.value(for: key, cost: { _ in 1 }) {
            try FloorOverview(
                content.venues.compactMap { try venues.venue($0) }.map {
                    VenueOutline($0.venue, language: FloorScene.language(content.query.language, of: $0.venue))
                })
        }
    }

    private struct OverviewKey: Hashable {
        let venues: [KnownVenues.Key]
        let language: String?
    }

    /// Of few selections and languages.
    private let overviews = SharedCache<OverviewKey, FloorOverview>(costLimit: 8)

    init(venues: KnownVenues, desk: DirectionsDesk) {
        self.venues = venues
        self.desk = desk
    }
}

extension KnownVenue {
    /// The levels of an ordinal; without one, those nearest to the ground.
    fileprivate func levels(_ ordinal: Int?) -> [Int] {
        guard let ordinal else { return venue.groundLevels }
        return venue.levels.indices.filter { venue.levels[$0].ordinal == ordinal }
    }
}

extension Route {
    /// The level of its first leg that is not outdoors.
    fileprivate var firstLevel: Int? { legs.lazy.compactMap(\.level).first }
}

extension FloorRoute {
    /// The part of a route on some levels. What is outdoors is drawn with the level that one leaves or enters.
    fileprivate init(_ route: Route, on levels: Set<Int>, of venue: Venue) {
        let legs = route.legs
        func isShown(_ index: Int) -> Bool {
            if let level = legs[index].level { return levels.contains(level) }
            let before = legs[..<index].last { $0.level != nil }?.endLevel
            let after = legs[(index + 1)...].first { $0.level != nil }?.level
            let neighbours = [before, after].compactMap { $0 }
            return neighbours.isEmpty || !levels.isDisjoint(with: neighbours)
        }
        let isStart = legs.isEmpty ? false : isShown(0)
        let isEnd = legs.last.map { leg in
            leg.endLevel.map { levels.contains($0) } ?? isShown(legs.count - 1)
        }
        self.init(
            lines: legs.indices.filter(isShown).map { legs[$0].line }, start: isStart ? legs[0].line.first : nil,
            end: isEnd == true ? legs.last?.line.last : nil)
    }
}
