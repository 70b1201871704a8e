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

    /// What a request selects.
    struct Query: Sendable {
        /// The id of a venue; nil for all.
        var venue: String?
        /// A level by its id, ordinal or short name; nil for those nearest to the ground.
        var level: String?
        var ordinal: Int?
        /// Of names, as a tag of BCP 47.
        var language: String?
    }

    var description: OverlayDescription {
        var about = OverlayDescription(
            "floor", "Floors", of: "floors", .venues,
            [
                APIParameter("venue", .pattern("^[0-9a-f]{32}$"), "The id of a venue; without it, all venues"),
                APIParameter("level", .text(), "The id, the ordinal or the short name of a level of the venue"),
                APIParameter(
                    "ordinal", .integer(-99...999), "Levels of this ordinal; without both, those nearest to the ground"),
                APIParameter("lang", .text(), "The language of names, such as `de`"), .theme("The map below"),
            ])
        about.summary = "floors of venues with rooms, walls and names"
        about.detail = "Below zoom level \(FloorScene.zooms.lowerBound), venues are outlines with names."
        about.zooms = 0...FloorScene.zooms.upperBound
        about.dependsOnMap = false
        return about
    }

    func query(_ target: RequestTarget) throws(Problem) -> Query {
        let parameters = try QueryParameters(target)
        var query = Query()
        query.venue = try parameters.value("venue", "the id of a venue") { FeatureID($0)?.description }
        query.level = parameters["level"]
        query.ordinal = try parameters.value("ordinal", "a number from -99 to 999") { text in
            Int(text).flatMap { (-99...999).contains($0) && "\($0)" == text ? $0 : nil }
        }
        query.language = parameters["lang"]
        if query.level != nil, query.venue == nil { throw Problem.badRequest("level requires venue") }
        return query
    }

    /// The venues of a query, which are decoded only for tiles that they reach.
    struct Content {
        let venues: [VenueSummary]
        let query: Query
    }

    func content(_ query: Query) throws -> Content {
        let summaries = try venues.summaries()
        guard let id = query.venue else { return Content(venues: summaries, query: query) }
        guard let summary = summaries.first(where: { $0.id == id }), let known = try venues.venue(summary) else {
            throw VenueProblem.noVenue
        }
        // A level that does not exist is refused for every tile.
        if let level = query.level { _ = try known.level(level) }
        return Content(venues: [summary], query: query)
    }

    func bounds(_ content: Content, _ status: ServerStatus) -> BoundingBox? {
        content.venues.isEmpty ? nil : .enclosing(content.venues.map(\.bounds))
    }

    func picture(_ request: TileRequest, of content: Content) throws -> OverlayPicture {
        let tile = FloorTile(request.tile, request.scale, style: .builtIn(request.theme))
        let empty = request.scale.emptyPicture
        guard FloorScene.zooms.contains(request.tile.zoom.number) else {
            let overview = try overview(content)
            return .planned(tile.digest(of: overview)) { try tile.draw(overview) ?? empty }
        }
        let reached = try content.venues.filter { tile.reaches($0.bounds) }.compactMap { try venues.venue($0) }
        let scenes = try reached.map { known in
            let levels = try content.query.level.map { [try known.level($0)] } ?? known.levels(content.query.ordinal)
            return try known.scenes.scene(
                of: known, levels: levels, language: FloorScene.language(content.query.language, of: known.venue))
        }
        return .planned(tile.digest(of: scenes)) { try tile.draw(scenes) ?? empty }
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

    init(venues: KnownVenues) {
        self.venues = venues
    }
}

extension KnownVenue {
    /// The levels of an ordinal; without one, those nearest to the ground.
    fileprivate func levels(_ ordinal: Int?) -> [Int] {
        guard let ordinal else { return venue.groundLevels }
        return venue.levels.indices.filter { venue.levels[$0].ordinal == ordinal }
    }
}
