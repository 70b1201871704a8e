import BaseMap
import Colors
import Countries
import HTTPCore
import OpenAPI
import RequestHandling
import Styling
import TileDrawing
import TileRendering
import TrackStore

/// Answers the tiles `/tiles/countries/…` and their legend: countries filled by how somebody was there.
struct CountryTileHandler: RequestHandler {
    /// The name in the path. No style may have it.
    private static let name = "countries"
    private static let title = "Countries"

    private struct Legend: Encodable {
        struct Entry: Encodable {
            /// `#rrggbbaa`.
            var color: String
            var text: String
        }
        var style = CountryTileHandler.name
        var title = CountryTileHandler.title
        var entries: [Entry]
    }

    let context: HandlerContext
    let ledgers: CountryLedgers

    func add(to routes: inout Routes) {
        routes.on(.get, "/tiles/\(Self.name)/**.png", for: .read, as: Self.countryTile, tile)
        routes.on(.get, "/tiles/\(Self.name).json", for: .read, as: Self.countryTileJSON) { request, _ in
            try description(of: request)
        }
        routes.on(
            .get, "/legend/\(Self.name).json", for: .read, as: Self.countryLegend("the colours of countries", .json)
        ) { request, _ in
            let theme = try TileParameters(request.target).theme
            return try JSONResponse.answer(
                Legend(entries: Self.entries(theme).map { Legend.Entry(color: $0.color.description, text: $0.text) }),
                to: request)
        }
        routes.on(.get, "/legend/\(Self.name).png", for: .read, as: Self.countryLegend("the same as a picture", .png)) {
            request, _ in
            let theme = try TileParameters(request.target).theme
            return context.queues.reading.answer {
                let picture = try LegendPicture.png(title: Self.title, entries: Self.entries(theme))
                return validated(.png(picture), for: request)
            }
        }
    }

    private static func entries(_ theme: Theme) -> [(color: Color, text: String)] {
        CountryMap.Fill.allCases.reversed().map { ($0.color(theme), "\($0)") }
    }

    /// The TileJSON; the query is repeated in the tiles' URL.
    private func description(of request: Request) throws -> HandlerResult {
        let status = context.status
        try status.checkReadiness()
        // What tiles would refuse is refused here, too.
        _ = try TileParameters(request.target)
        _ = try QueryParameters(request.target).countryView()
        let url = try context.tiles.url(
            request, style: Self.name, revision: status.revision,
            repeating: TileSettings.repeated.union(["person", "view"]))
        let description = context.tiles.description(
            name: Self.title, url: url, zooms: 0...CountryMap.deepestZoom, box: status.bounds,
            attribution: "Natural Earth")
        return try JSONResponse.answer(description, to: request)
    }

    private func tile(_ request: Request) throws -> HandlerResult {
        let target = try TileTarget(request.target, name: Self.name)
        try context.checkReadiness()
        let parameters = try QueryParameters(request.target)
        return context.queues.drawing.answer {
            var query = try parameters.countries(try context.library.calendar(), isTile: true)
            query.grouping = .country
            let map = CountryMap(Self.fills(try ledgers.answer(to: query)))
            let bytes = try map.png(of: target.request.tile, target.request.scale, theme: target.request.theme)
            return validated(.png(bytes, context.tiles.cacheControl(for: request)), for: request)
        }
    }

    /// The fill of each area of the map, by the country that it counts for.
    private static func fills(_ ledger: CountryLedger) -> [CountryMap.Fill?] {
        let statuses = Dictionary(
            ledger.lines.map { ($0.country, $0.status) }, uniquingKeysWith: { max($0, $1) })
        return (0..<ledger.countries.count).map { area in
            switch statuses[ledger.countries.country(of: area)] {
            case .visited: .visited
            case .transited: .transited
            case .overflown: .overflown
            case nil: nil
            }
        }
    }

    private static let theme = APIParameter.theme("The map below")
    private static let parameters = [.countryView, .layer, .person, theme] + .window

    private static let countryTile = APIOperation.tiles(
        Self.name, "countries filled by their status", .statistics,
        detail: "Outlines are made for zoom levels up to \(CountryMap.deepestZoom).", parameters: parameters)

    private static let countryTileJSON = APIOperation(
        "the TileJSON of countries", .statistics, parameters: parameters, answers: .tileJSON, traits: .hasETag)

    private static func countryLegend(_ summary: String, _ content: APIContent) -> APIOperation {
        APIOperation(
            summary, .statistics, parameters: [theme], answers: [APIResponse("The legend", content)], traits: .hasETag)
    }
}
