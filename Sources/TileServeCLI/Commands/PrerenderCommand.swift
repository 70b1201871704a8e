import Foundation
import Styling
import TileMath
import TileService

/// `tileserve prerender`: draws tiles in advance.
struct PrerenderCommand: Command {
    static let name = "prerender"
    static let operands = Operands.none

    private static let zoom = Option("zoom", "0-14", "zoom levels, or a single one")
    private static let style = Option("style", "NAME", "the style (default: heat)")
    private static let theme = Option("theme", "light|dark", "the background of the map (default: light)")
    private static let layer = Option("layer", "NAME", "the layer (default: all)")
    private static let box = Option(
        "bbox", "W,S,E,N", "only tiles that touch this box, in degrees; may be given several times")
    private static let scale = Option(
        "scale", "1|2", "2 draws tiles of 512 pixels, for high-resolution screens (default: 1)")
    private static let workers = Option("workers", "N", "number of tiles drawn in parallel (default: one per core)")
    private static let output = Option(
        "output", "DIR", "writes files DIR/{z}/{x}/{y}.png instead of the server's cache")
    private static let tilesURL = Option(
        "tiles-url", "URL", "with --output: the URL of DIR, for its tiles.json (default: URLs relative to that file)")
    private static let resume = Option("resume", "skips tiles that exist and are up to date")
    private static let dryRun = Option("dry-run", "prints the number of tiles, but draws nothing")

    static let screen = HelpScreen(
        usage: "--zoom LEVELS [OPTION]…",
        summary: "draws tiles in advance",
        about: """
            Draws every tile that is not empty, to the cache that 'tileserve serve' uses, or to files. The tiles are \
            identical, byte for byte, to those that the server draws. A file is never left incomplete. ^C stops \
            after the tiles in progress; '--resume' continues from there. With '--output', a tiles.json (TileJSON) \
            is written too, so that any web server can serve the folder.
            """,
        options: [
            LibraryOption.option, zoom, style, theme, layer, box, scale, workers, output, tilesURL, resume, dryRun,
            CommonOptions.styles,
            CommonOptions.json,
        ],
        examples: [
            ("tileserve prerender --zoom 0-14", "draws 15 zoom levels to the server's cache"),
            (
                "tileserve prerender --zoom 10-16 --bbox 8.4,47.3,8.6,47.5 --output tiles",
                "writes the tiles of a city as files"
            ),
            (
                "tileserve prerender --zoom 0-14 --output /var/www/tiles --tiles-url https://example.org/tiles",
                "writes what a web server needs"
            ),
            ("tileserve prerender --zoom 0-16 --dry-run", "prints the number of tiles"),
        ])

    let folder: String
    let zoomLevels: ClosedRange<ZoomLevel>
    let style: String
    let theme: Theme
    let layer: String
    let boxes: [BoundingBox]
    let scale: Int
    let workers: Int
    let output: String?
    let tilesURL: PublicURL?
    let isResumed: Bool
    let isDryRun: Bool
    let isJSON: Bool
    let styles: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        guard let levels = try given.value(Self.zoom, .zoomLevels, Quantity.zoomLevels) else {
            throw .missingOption(Self.zoom)
        }
        zoomLevels = levels
        style = try given.text(Self.style) ?? "heat"
        theme = try given.value(Self.theme, .oneOf(Theme.allCases.map(\.rawValue))) { Theme(rawValue: $0) } ?? .light
        layer = try given.text(Self.layer) ?? "all"
        boxes = try given.allValues(Self.box, .box) { BoundingBox(text: $0) }
        scale = try given.value(Self.scale, .oneOf(["1", "2"])) { ["1": 1, "2": 2][$0] } ?? 1
        workers = try given.number(Self.workers, in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
        output = try given.value(Self.output, .folder) { Self.isArchive($0) || $0.isEmpty ? nil : $0 }
        tilesURL = try given.value(Self.tilesURL, .origin) { PublicURL($0) }
        if tilesURL != nil, output == nil { throw .missingOption(Self.output) }
        isResumed = given.has(Self.resume)
        isDryRun = given.has(Self.dryRun)
        isJSON = given.has(CommonOptions.json)
        styles = try given.text(CommonOptions.styles)
    }

    /// A folder with such a name would be taken for an archive, a format that this version does not write.
    private static func isArchive(_ path: String) -> Bool {
        [".mbtiles", ".pmtiles"].contains { path.lowercased().hasSuffix($0) }
    }
}
