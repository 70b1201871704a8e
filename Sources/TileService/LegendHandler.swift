import Colors
import HTTPCore
import OpenAPI
import RequestHandling
import Styling
import TileDrawing
import TileMath
import TileRendering

/// The meaning of a style's colours at a zoom level and in a layer.
private struct Legend: Encodable {
    struct Entry: Encodable {
        /// `#rrggbb`, or `#rrggbbaa` if it is translucent.
        var color: String
        /// The least count; only if colours stand for counts.
        var from: UInt32?
        /// The greatest count; nil if there is no upper limit.
        var to: UInt32?
        var text: String
        /// For differences: less, same or more.
        var direction: String?
    }

    var style: String
    var title: String
    var kind: String
    var layer: String
    var zoom: Int
    /// The unit of the numbers in the texts: `person-days` for counts. If a style draws counts and lines, the texts of
    /// the lines contain their units.
    var unit: String?
    /// Whether the colours mean the same counts at all zoom levels; nil if they do not stand for counts.
    var sameAtAllZooms: Bool?
    /// Why they do not; nil if they do.
    var note: String?
    var entries: [Entry]

    init(_ style: Style, layer: String, zoom: ZoomLevel, counts: [LegendEntry]?, named: NamedLegend?) {
        self.style = style.name
        title = style.title
        kind = style.kind.rawValue
        self.layer = layer
        self.zoom = zoom.number
        if counts != nil {
            sameAtAllZooms = style.heat?.range == .library
            if sameAtAllZooms == false { note = Self.zoomNote }
        }
        unit = counts == nil ? named?.unit : "person-days"
        let names = counts == nil ? named?.entries : named?.entriesWithUnits
        entries =
            (counts ?? []).map {
                Entry(
                    color: $0.color.description, from: $0.from, to: $0.to, text: $0.text,
                    direction: $0.direction?.rawValue)
            } + (names ?? []).map { Entry(color: $0.color.description, text: $0.text) }
    }

    private static let zoomNote =
        "Colours span the counts of each zoom level: a colour can mean another count at another zoom level."

    /// The title with the unit of the texts below it; the unit of counts is not shown.
    var heading: String { unit.map { $0 == "person-days" ? title : "\(title), \($0)" } ?? title }

    var rows: [(color: Color, text: String)] {
        entries.compactMap { entry in Color(entry.color).map { ($0, entry.text) } }
    }
}

/// Answers `/legend/{style}.json` and `/legend/{style}.png`.
struct LegendHandler: RequestHandler {
    let context: HandlerContext
    let renderer: TileRenderer

    func add(to routes: inout Routes) {
        routes.on(.get, "/legend/{style}.json", for: .read, as: Self.legend(as: "data", .json)) { request, path in
            try answer(request, style: path["style"]) { try JSONResponse.response($0) }
        }
        routes.on(.get, "/legend/{style}.png", for: .read, as: Self.legend(as: "a picture", .png)) { request, path in
            try answer(request, style: path["style"]) {
                .png(try LegendPicture.png(title: $0.heading, entries: $0.rows))
            }
        }
    }

    /// The zoom level of a legend if the query has none: a town fills the screen.
    private static let defaultZoom = 12

    /// Answers with the colours of a style at the zoom level and in the layer of the query. Reads the disk, so it runs
    /// on the queue.
    private func answer(
        _ request: Request, style name: String, _ make: @escaping @Sendable (Legend) throws -> Response
    ) throws -> HandlerResult {
        try context.checkReadiness()
        let parameters = try TileParameters(request.target)
        let zoom = try Self.zoom(request)
        let tile = TileRequest(style: name, tile: TileCoordinate(northWestOf: zoom), parameters: parameters)
        try renderer.check(tile)
        return context.queues.reading.answer { validated(try make(try legend(of: tile)), for: request) }
    }

    private func legend(of tile: TileRequest) throws -> Legend {
        let style = try renderer.style(of: tile)
        let activities = renderer.layers.filter { $0.layer.kind == .activity }.map(\.name)
        return Legend(
            style, layer: tile.layer, zoom: tile.tile.zoom, counts: try renderer.table(of: tile)?.legend,
            named: style.namedLegend(activities: activities, age: renderer.ages))
    }

    private static func zoom(_ request: Request) throws(Problem) -> ZoomLevel {
        guard let zoom = try QueryParameters(request.target, ["z"]).zoom("z") ?? ZoomLevel(defaultZoom) else {
            throw Problem.internalServerError
        }
        return zoom
    }

    private static func legend(as form: String, _ content: APIContent) -> APIOperation {
        APIOperation(
            "the legend of a style as \(form)", .tiles,
            parameters: [.style, APIParameter("z", .zoom, "The zoom level that the counts are of")] + .selection
                + .appearance,
            answers: [APIResponse("The legend", content)], traits: [.canBeMissing, .hasETag])
    }
}
