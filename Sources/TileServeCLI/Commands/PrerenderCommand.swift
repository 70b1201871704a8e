import Files
import Foundation
internal import GridStorage
import PictureStore
import RequestHandling
import Styling
import Text
import TileDrawing
import TileMath
internal import TileService
import TrackStore

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
        theme = try given.choice(Self.theme) ?? .light
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

extension PrerenderCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let styleSheet = try styles.map { try StyleFolder(path: $0).styleSheet } ?? .builtIn
        let terminal = context.terminal
        guard try library.updateMap(context) else { return context.stopped("nothing was drawn") }
        let renderer = try TileRenderer(library: library, styles: styleSheet, workers: workers, disk: nil)
        try checkNames(renderer)
        let receipt = try drawn(renderer, context)
        if let output, !isDryRun, receipt.tiles > 0 { try writeTileJSON(to: output, renderer) }
        try terminal.say(isJSON ? receipt.json.text : line(receipt))
        if receipt.wasStopped {
            return context.stopped("repeat the command with --resume to continue")
        }
        if receipt.tiles == 0 {
            terminal.report(
                "tileserve prerender: no tile matches; see 'tileserve tracks list' for the tracks of the library")
            return .incomplete
        }
        return .done
    }

    private func drawn(_ renderer: TileRenderer, _ context: CommandEnvironment) throws -> PrerenderReceipt {
        // What is drawn from a read-only library cannot be resumed.
        let temporary = renderer.library.isReadOnly ? try TemporaryFolder() : nil
        defer { withExtendedLifetime(temporary) {} }
        let target: PrerenderJob.Output =
            if let output, !isDryRun {
                .folder(output, index: try DiskCache.indexPath(ofOutput: output, in: temporary?.path ?? folder))
            } else {
                .cache(try DiskCache.open(renderer.library))
            }
        var job = PrerenderJob(
            zooms: zoomLevels.lowerBound.number...zoomLevels.upperBound.number, style: style, layer: layer,
            boxes: boxes,
            scale: scale == 2 ? .double : .single, workers: workers, output: target)
        job.resumes = isResumed
        job.isDryRun = isDryRun
        job.theme = theme
        let progress = Progress(context.terminal)
        defer { progress.end() }
        let stop = context.stop
        // The number of tiles within boxes is not known in advance.
        let knowsAll = boxes.isEmpty
        return try Prerender(job, renderer: renderer).run(shouldStop: { stop.isRequested }) { receipt in
            let fraction = knowsAll ? Double(receipt.tiles) / Double(max(1, receipt.totalTiles)) : nil
            progress.update(fraction: fraction) { seconds in
                let rate = seconds > 0 ? " · \(DisplayText.count(Int(Double(receipt.tiles) / seconds)))/s" : ""
                return "drawing: \(DisplayText.count(receipt.tiles, "tile"))\(rate)"
            }
        }
    }

    /// Writes the TileJSON of the folder: of the tiles of this run, and of those that the existing one describes.
    private func writeTileJSON(to output: String, _ renderer: TileRenderer) throws {
        let file = scale == 2 ? "{y}@2x.png" : "{y}.png"
        let url = (tilesURL.map { $0.text + "/" } ?? "") + "{z}/{x}/" + file
        let path = output + (scale == 2 ? "/tiles@2x.json" : "/tiles.json")
        var zooms = zoomLevels.lowerBound.number...zoomLevels.upperBound.number
        let occupied = try renderer.library.grid.read { try $0.occupiedBounds() }
        let layerBox = try renderer.bounds(of: TileSelection(layer: layer), everywhere: occupied)
        var parts = boxes.isEmpty ? [layerBox].compactMap { $0 } : boxes
        let name = TileJSON.name(style: style, layer: layer, in: renderer.styles)
        if let earlier = PrerenderedTileJSON(path: path), earlier.name == name {
            zooms = min(zooms.lowerBound, earlier.minzoom)...max(zooms.upperBound, earlier.maxzoom)
            // Without boxes everything is described already.
            if !boxes.isEmpty, let box = earlier.box { parts.append(box) }
        }
        let value = TileJSON(name: name, url: url, zooms: zooms, box: .enclosing(parts), version: Version.current)
        try AtomicFile.write(try value.bytes, to: path, durability: .cached, access: .shared)
    }

    private func checkNames(_ renderer: TileRenderer) throws {
        if renderer.styles[style] == nil { throw unknown("style", style, of: renderer.styles.names) }
        guard !renderer.hasLayer(named: layer) else { return }
        throw unknown("layer", layer, of: renderer.layerNames)
    }

    private func unknown(_ kind: String, _ name: String, of known: [String]) -> Failure {
        let hint =
            SpellingSuggestion.nearest(to: name, of: known).map { "did you mean '\($0)'?" }
            ?? "known: \(known.joined(separator: ", "))"
        return Failure(.usage, "tileserve prerender: unknown \(kind) '\(name.singleLine)'; \(hint)")
    }

    private func line(_ receipt: PrerenderReceipt) -> String {
        if isDryRun { return "would draw \(DisplayText.count(receipt.tiles, "tile"))" }
        var parts = ["\(DisplayText.count(receipt.tiles, "tile"))", "\(DisplayText.count(receipt.drawn)) drawn"]
        parts[1] += " (\(NumberText.bytes(receipt.bytes)))"
        if receipt.kept > 0 { parts.append("\(DisplayText.count(receipt.kept)) up to date") }
        if receipt.empty > 0 { parts.append("\(DisplayText.count(receipt.empty)) empty") }
        if receipt.removed > 0 { parts.append("\(DisplayText.count(receipt.removed)) outdated removed") }
        return parts.joined(separator: ", ")
    }
}

extension PrerenderReceipt {
    /// The receipt as a JSON object.
    fileprivate var json: JSONObject {
        var object = JSONObject()
        object.add("tiles", tiles)
        object.add("drawn", drawn)
        object.add("kept", kept)
        object.add("empty", empty)
        object.add("removed", removed)
        object.add("bytes", bytes)
        if wasStopped { object.add("stopped", true) }
        return object
    }
}

/// What the TileJSON of an earlier run into the same folder describes.
private struct PrerenderedTileJSON: Decodable {
    let name: String
    let minzoom: Int
    let maxzoom: Int
    private let bounds: [Double]

    /// More than any TileJSON that we write.
    private static let maxBytes = 1 << 20

    /// nil if there is none, or if it is not ours.
    init?(path: String) {
        guard let bytes = try? AtomicFile.read(path, limit: Self.maxBytes),
            let value = JSONCoding.value(Self.self, from: bytes)
        else { return nil }
        self = value
    }

    var box: BoundingBox? {
        guard bounds.count == 4 else { return nil }
        return BoundingBox(west: bounds[0], south: bounds[1], east: bounds[2], north: bounds[3])
    }
}
