import Colors
import HTTPCore
import OpenAPI
import RequestHandling
import Styling
import TileArchive
import TileDrawing

/// Answers `/styles`, `/layers` and `/ramps`: what a client can choose from.
struct Catalogue: RequestHandler {
    let context: HandlerContext
    let renderer: TileRenderer
    let archives: [ServedArchive]

    func add(to routes: inout Routes) {
        routes.on(.get, "/styles", for: .read, as: Self.list(of: "styles", Self.style), styles)
        routes.on(.get, "/ramps", for: .read, as: Self.list(of: "colour ramps", Self.ramp), ramps)
        routes.on(.get, "/layers", for: .read, as: Self.list(of: "layers", Self.layer), layers)
    }

    private struct StyleEntry: Encodable {
        var name: String
        var title: String
        /// `heat`, `tracks` or `points`; `raster` or `vector` for archives.
        var kind: String
        /// Whether `?ramp=` changes its colours.
        var takesRamp: Bool
        /// Whether `?theme=` changes its colours.
        var takesTheme: Bool
        /// The URL of its TileJSON.
        var tilejson: String
    }

    private struct LayerEntry: Encodable {
        var name: String
        /// `all`, `activity`, `where` or `inbox`.
        var kind: String
        /// Which tracks, in words; for `where`, the condition.
        var description: String
        var ready: Bool
        /// 0…1, while it is not ready.
        var progress: Double?
    }

    private struct RampEntry: Encodable {
        var name: String
        /// The background it is made for, `any`, `dark` or `light`; or its purpose if it does not run from few to many:
        /// `differences`, `directions`.
        var `for`: String
        /// Whether people who cannot see red or green can distinguish its steps.
        var colorblindSafe: Bool
        /// `#rrggbb` or `#rrggbbaa` at equal distances, from few to many or from less to more.
        var colors: [String]
    }

    /// All styles, then the archives.
    private func styles(_ request: Request) throws -> HandlerResult {
        let base = context.tiles.base(for: request)
        let styles = renderer.styles
        let entries = styles.names.compactMap { styles[$0] }.map {
            StyleEntry(
                name: $0.name, title: $0.title, kind: $0.kind.rawValue, takesRamp: $0.ramp != nil,
                takesTheme: $0.takesTheme,
                tilejson: "\(base)/tiles/\($0.name).json")
        }
        let others = archives.map {
            StyleEntry(
                name: $0.name, title: $0.title, kind: $0.reader.description.format.isRaster ? "raster" : "vector",
                takesRamp: false, takesTheme: false, tilejson: "\(base)/tiles/\($0.name).json")
        }
        return try JSONResponse.answer(entries + others, to: request)
    }

    /// All layers.
    private func layers(_ request: Request) throws -> HandlerResult {
        let entries = context.status.layers.map { layer in
            LayerEntry(
                name: layer.name, kind: layer.kind.rawValue, description: layer.description,
                ready: layer.progress == nil, progress: layer.progress.map(ServerStatus.shown))
        }
        return try JSONResponse.answer(entries, to: request)
    }

    /// Colours listed for a ramp: enough to show it as a gradient.
    private static let rampColors = 8

    /// The ramps that `ramp` can name.
    private func ramps(_ request: Request) throws -> HandlerResult {
        let entries = NamedRamp.all.map { named in
            RampEntry(
                name: named.name, for: Self.purpose(of: named),
                colorblindSafe: named.isColorBlindSafe,
                colors: (0..<Self.rampColors).map { place in
                    named.ramp.color(at: Double(place) / Double(Self.rampColors - 1)).description
                })
        }
        return try JSONResponse.answer(entries, to: request)
    }

    private static func purpose(of ramp: NamedRamp) -> String {
        switch ramp.scheme {
        case .sequential: ramp.background.rawValue
        case .diverging: "differences"
        case .cyclic: "directions"
        }
    }

    private static func list(of things: String, _ entry: APISchema) -> APIOperation {
        APIOperation(
            "all \(things)", .tiles, answers: [APIResponse("The \(things)", .json(.list(entry)))], traits: .hasETag)
    }

    private static let style = APISchema.object([
        ("name", .text()), ("title", .text()), ("kind", .text()), ("takesRamp", .boolean), ("takesTheme", .boolean),
        ("tilejson", .text()),
    ]).named("Style")
    private static let layer = APISchema.object([
        ("name", .text()), ("kind", .text()), ("description", .text()), ("ready", .boolean),
        ("progress?", .number(0...1)),
    ]).named("Layer")
    private static let ramp = APISchema.object([
        ("name", .text()), ("for", .text()), ("colorblindSafe", .boolean), ("colors", .list(.text())),
    ]).named("Ramp")
}
