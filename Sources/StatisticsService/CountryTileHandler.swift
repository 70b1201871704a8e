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
    fileprivate static let name = "countries"
    fileprivate static let title = "Countries"

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
        routes.add(CountryOverlay(library: context.library, ledgers: ledgers), context)
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

    fileprivate static let theme = APIParameter.theme("The map below")

    private static func countryLegend(_ summary: String, _ content: APIContent) -> APIOperation {
        APIOperation(
            summary, .statistics, parameters: [theme], answers: [APIResponse("The legend", content)], traits: .hasETag)
    }
}

/// The tiles `/tiles/countries/…`.
private struct CountryOverlay: Overlay {
    let library: Library
    let ledgers: CountryLedgers

    var description: OverlayDescription {
        var about = OverlayDescription(
            CountryTileHandler.name, CountryTileHandler.title, of: "countries", .statistics,
            [.countryView, .layer, .person, CountryTileHandler.theme] + .window)
        about.summary = "countries filled by their status"
        about.detail = "Outlines are made for zoom levels up to \(CountryMap.deepestZoom)."
        about.zooms = 0...CountryMap.deepestZoom
        about.attribution = "Natural Earth"
        return about
    }

    func query(_ request: Request) throws(Problem) -> QueryParameters {
        let parameters = try QueryParameters(request.target)
        _ = try parameters.countryView()
        return parameters
    }

    func content(_ parameters: QueryParameters) throws -> CountryMap {
        var query = try parameters.countries(try library.calendar(), isTile: true)
        query.grouping = .country
        return CountryMap(Self.fills(try ledgers.answer(to: query)))
    }

    func picture(_ tile: TileRequest, of map: CountryMap) throws -> OverlayPicture {
        .drawn(try map.png(of: tile.tile, tile.scale, theme: tile.theme))
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
}
