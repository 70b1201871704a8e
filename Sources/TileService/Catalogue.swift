import Digest
import HTTPCore
import Styling
import TileMath
import TileRendering

/// Answers `/styles`, `/layers` and `/legend/…`: what there is to choose from.
struct Catalogue: Sendable {
    let atlas: Atlas
    let standing: @Sendable () -> Standing
    let queue: DrawingQueue
    let configuration: ServerConfiguration

    private struct StyleEntry: Encodable {
        var name: String
        var title: String
        var kind: String
        /// Where its TileJSON is.
        var tilejson: String
    }

    private struct LayerEntry: Encodable {
        var name: String
        var description: String
    }

    private struct RampEntry: Encodable {
        var name: String
        /// What grounds it is for, `any`, `dark` or `light`, or what else than few and many: `differences`, `directions`.
        var `for`: String
        /// Whether its steps are told apart by eyes that see no red or no green.
        var colorblindSafe: Bool
        /// `#rrggbb` or `#rrggbbaa` at equal distances, from few to many or from less to more.
        var colors: [String]
    }

    private struct Legend: Encodable {
        struct Entry: Encodable {
            /// `#rrggbb`, or `#rrggbbaa` where something shines through.
            var color: String
            var from: UInt32
            /// Nothing where there is no end.
            var to: UInt32?
            var text: String
            /// Of differences: less, same or more.
            var direction: String?
        }

        var style: String
        var title: String
        var layer: String
        var zoom: Int
        var unit = "person-days"
        var entries: [Entry]
    }

    /// The styles there are.
    func styles(_ request: Request) throws -> Answer {
        let base = configuration.base(for: request)
        let entries = atlas.styles.names.compactMap { atlas.styles[$0] }.map {
            StyleEntry(
                name: $0.name, title: $0.title, kind: $0.kind.rawValue, tilejson: "\(base)/tiles/\($0.name).json")
        }
        return try JSONAnswer.answer(entries, to: request)
    }

    /// The layers there are.
    func layers(_ request: Request) throws -> Answer {
        let entries = standing().layers.map { name in
            LayerEntry(
                name: name,
                description: name == TileRequest.defaultLayer
                    ? "every track" : "tracks of which the activity is \(name)")
        }
        return try JSONAnswer.answer(entries, to: request)
    }

    /// Colours told of a ramp: enough to show it as a gradient.
    private static let rampColors = 8

    /// The ramps that `ramp` may name.
    func ramps(_ request: Request) throws -> Answer {
        let entries = NamedRamp.all.map { named in
            RampEntry(
                name: named.name, for: Self.purpose(of: named),
                colorblindSafe: named.isColorBlindSafe,
                colors: (0..<Self.rampColors).map { place in
                    named.ramp.color(at: Double(place) / Double(Self.rampColors - 1)).description
                })
        }
        return try JSONAnswer.answer(entries, to: request)
    }

    private static func purpose(of ramp: NamedRamp) -> String {
        switch ramp.course {
        case .sequential: ramp.ground.rawValue
        case .diverging: "differences"
        case .cyclic: "directions"
        }
    }

    /// The legend as data.
    func legend(_ request: Request, style name: String) throws -> Answer {
        try withTable(request, style: name) { style, layer, zoom, table in
            let entries = table.legend.map {
                Legend.Entry(
                    color: $0.color.description, from: $0.from, to: $0.to, text: $0.text,
                    direction: $0.direction?.rawValue)
            }
            return try JSONAnswer.response(
                Legend(style: style.name, title: style.title, layer: layer, zoom: zoom.number, entries: entries))
        }
    }

    /// The legend as a picture.
    func legendPicture(_ request: Request, style name: String) throws -> Answer {
        try withTable(request, style: name) { style, _, _, table in
            Response(
                status: .ok, headers: [ResponseHeader(.contentType, "image/png")],
                body: .bytes(try LegendPicture.png(title: style.title, table: table)))
        }
    }

    /// The zoom level of legends that name none: a town on a screen.
    private static let usualZoom = 12

    /// Makes an answer of a style's colours at the zoom level and in the layer of the query; reads the disk, so it waits its
    /// turn among the drawings.
    private func withTable(
        _ request: Request, style name: String,
        _ make: @escaping @Sendable (Style, _ layer: String, ZoomLevel, ColorTable) throws -> Response
    ) throws -> Answer {
        try standing().checkReadiness()
        let parameters = try TileParameters(request.target)
        let zoom = try Self.zoom(request)
        let tile = TileRequest(style: name, tile: TileCoordinate(northWestOf: zoom), parameters: parameters)
        try atlas.check(tile)
        guard let style = atlas.styles[name] else { throw Problem.notFound("no style has this name") }
        return queue.answer {
            guard let table = try atlas.table(of: tile) else { throw Problem.notFound("this style draws no counts") }
            return validated(try make(style, tile.layer, zoom, table), for: request)
        }
    }

    private static func zoom(_ request: Request) throws(Problem) -> ZoomLevel {
        let given = try request.target.parameters().filter { $0.name == "z" }
        guard let text = given.first?.value else {
            guard let usual = ZoomLevel(usualZoom) else { throw Problem.internalServerError }
            return usual
        }
        guard given.count == 1, let zoom = Int(text).flatMap({ ZoomLevel($0) }) else {
            throw Problem.badRequest("z has to be a zoom level, 0 to \(ZoomLevel.deepest)")
        }
        return zoom
    }
}
