import Files
import Foundation
internal import GridStorage
import PictureStore
import RequestHandling
import Styling
import Text
import TileArchive
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
        "output", "DIR|FILE",
        "writes files DIR/{z}/{x}/{y}.png, or an archive FILE.mbtiles, FILE.pmtiles or FILE.sqlitedb, instead of the "
            + "server's cache")
    private static let setMeta = Option(
        "set-meta", "NAME=VALUE",
        "a text of the archive's metadata, such as name or attribution; may be given several times")
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
            after the tiles in progress; '--resume' continues from there. With '--output DIR', a tiles.json (TileJSON) \
            is written too, so that any web server can serve the folder. An archive is written beside its name, and \
            gets it when it is complete. With '--edition', the tiles are those of an edition; files that were given away \
            cannot be revoked.
            """,
        options: [
            LibraryOption.option, EditionOption.option, zoom, style, theme, layer, box, scale, workers, output, setMeta,
            tilesURL, resume,
            dryRun,
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
            (
                "tileserve prerender --zoom 0-14 --output rides.pmtiles --set-meta name=Rides",
                "writes one file, for maps that read archives"
            ),
            ("tileserve prerender --zoom 0-16 --dry-run", "prints the number of tiles"),
        ])

    let folder: String
    /// The edition that is drawn; nil for the library.
    let edition: String?
    let zoomLevels: ClosedRange<ZoomLevel>
    let style: String
    let theme: Theme
    let layer: String
    let boxes: [BoundingBox]
    let scale: Int
    let workers: Int
    let output: String?
    /// The format of `output`, if it is an archive.
    let archive: ArchiveKind?
    /// Texts of the archive's metadata.
    let texts: [(name: String, value: String)]
    let tilesURL: PublicURL?
    let isResumed: Bool
    let isDryRun: Bool
    let isJSON: Bool
    let styles: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        edition = try given.text(EditionOption.option)
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
        output = try given.text(Self.output)
        archive = output.flatMap { ArchiveKind(path: $0) }
        texts = try Self.texts(given)
        if !texts.isEmpty, archive?.hasMetadata != true {
            throw .onlyWith(Self.setMeta, "--output FILE.mbtiles' or '--output FILE.pmtiles")
        }
        // What servers show of an edition they draw themselves, so that removals need not search for pictures.
        if edition != nil, output == nil, !given.has(Self.dryRun) { throw .missingOption(Self.output) }
        tilesURL = try given.value(Self.tilesURL, .origin) { PublicURL($0) }
        if tilesURL != nil, output == nil { throw .missingOption(Self.output) }
        if tilesURL != nil, archive != nil { throw .onlyWith(Self.tilesURL, "--output DIR") }
        isResumed = given.has(Self.resume)
        isDryRun = given.has(Self.dryRun)
        isJSON = given.has(CommonOptions.json)
        styles = try given.text(CommonOptions.styles)
    }

    private static func texts(
        _ given: CommandLineArguments
    ) throws(UsageError) -> [(name: String, value: String)] {
        let texts = try given.allValues(setMeta, .nameAndValue) { text -> (name: String, value: String)? in
            text.firstIndex(of: "=").map { (String(text[..<$0]), String(text[text.index(after: $0)...])) }
        }
        for (name, value) in texts {
            if let reason = ArchiveMetadata.refusal(of: name, value) { throw .badText(setMeta, name, reason) }
        }
        return texts
    }
}

extension PrerenderCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder).edition(edition, context)
        let styleSheet = try styles.map { try StyleFolder(path: $0).styleSheet } ?? .builtIn
        let terminal = context.terminal
        guard try library.updateMap(context) else { return context.stopped("nothing was drawn") }
        let renderer = try TileRenderer(library: library, styles: styleSheet, workers: workers, disk: nil)
        try checkNames(renderer)
        let receipt: PrerenderReceipt
        var fileBytes: Int?
        if let output, let archive, !isDryRun {
            (receipt, fileBytes) = try drawnArchive(archive, to: output, renderer, context)
        } else {
            receipt = try drawn(renderer, context)
            if let output, !isDryRun, receipt.tiles > 0 { try writeTileJSON(to: output, renderer) }
        }
        try terminal.say(isJSON ? json(receipt, fileBytes).text : line(receipt, fileBytes))
        if receipt.wasStopped {
            return context.stopped("repeat the command with --resume to continue")
        }
        if receipt.tiles == 0 {
            terminal.report(
                "tileserve prerender: no tile matches; see 'tileserve tracks list' for the tracks of the library")
            return .incomplete
        }
        if let output, archive != nil, !isDryRun, fileBytes == nil {
            terminal.report(
                "tileserve prerender: all tiles are empty; \(FileName.shown(output)) was not written")
            return .incomplete
        }
        return .done
    }

    /// Draws the tiles of an archive and writes it, unless it was stopped; returns its size, if it was written.
    private func drawnArchive(
        _ kind: ArchiveKind, to path: String, _ renderer: TileRenderer, _ context: CommandEnvironment
    ) throws -> (PrerenderReceipt, fileBytes: Int?) {
        let subject = PrerenderJob.subject(style: style, theme: theme, layer: layer, scale: tileScale)
        let archive = PrerenderedArchive(path: path, kind: kind)
        let spool = try archive.spool(subject, resumes: isResumed)
        let receipt = try drawn(to: .spool(spool), renderer, context)
        guard !receipt.wasStopped else { return (receipt, nil) }
        guard spool.count > 0 else {
            try spool.remove()
            return (receipt, nil)
        }
        var metadata = archive.metadata(
            name: TileJSON.name(style: style, layer: layer, in: renderer.styles), about: layer,
            try mapExtent(renderer), tileScale)
        for text in texts { metadata.set(text.name, text.value) }
        try ArchiveWriter.write(spool, metadata, as: kind, to: path)
        try spool.remove()
        return (receipt, FileStatus.ifExists(of: path).map { Int($0.byteCount) })
    }

    /// Draws tiles to the cache, or to files below a folder.
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
        return try drawn(to: target, renderer, context)
    }

    private func drawn(
        to target: PrerenderJob.Output, _ renderer: TileRenderer, _ context: CommandEnvironment
    ) throws -> PrerenderReceipt {
        var job = PrerenderJob(
            zooms: zoomLevels.lowerBound.number...zoomLevels.upperBound.number, style: style, layer: layer,
            boxes: boxes, scale: tileScale, workers: workers, output: target)
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

    private var tileScale: TileScale { scale == 2 ? .double : .single }

    /// Where the tiles of this run are: in the boxes, as far as there is something.
    private func mapExtent(_ renderer: TileRenderer) throws -> MapExtent {
        let zooms = zoomLevels.lowerBound.number...zoomLevels.upperBound.number
        let everything = try layerBox(renderer)
        let whole = MapExtent(everything, zooms: zooms)
        guard let chosen = BoundingBox.enclosing(boxes) else { return whole }
        let part = MapExtent(chosen, zooms: zooms).bounds
        let cut = BoundingBox(
            west: max(whole.bounds[0], part[0]), south: max(whole.bounds[1], part[1]),
            east: min(whole.bounds[2], part[2]), north: min(whole.bounds[3], part[3]))
        // A tile may touch a box outside of which its tracks are.
        guard let cut, cut.west < cut.east else { return whole }
        return MapExtent(cut, zooms: zooms)
    }

    private func layerBox(_ renderer: TileRenderer) throws -> BoundingBox? {
        let occupied = try renderer.library.grid.read { try $0.occupiedBounds() }
        return try renderer.bounds(of: TileSelection(layer: layer), everywhere: occupied)
    }

    /// Writes the TileJSON of the folder: of the tiles of this run, and of those that the existing one describes.
    private func writeTileJSON(to output: String, _ renderer: TileRenderer) throws {
        let file = scale == 2 ? "{y}@2x.png" : "{y}.png"
        let url = (tilesURL.map { $0.text + "/" } ?? "") + "{z}/{x}/" + file
        let path = output + (scale == 2 ? "/tiles@2x.json" : "/tiles.json")
        var zooms = zoomLevels.lowerBound.number...zoomLevels.upperBound.number
        var parts = boxes.isEmpty ? [try layerBox(renderer)].compactMap { $0 } : boxes
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

    private func line(_ receipt: PrerenderReceipt, _ fileBytes: Int?) -> String {
        if isDryRun { return "would draw \(DisplayText.count(receipt.tiles, "tile"))" }
        var parts = ["\(DisplayText.count(receipt.tiles, "tile"))", "\(DisplayText.count(receipt.drawn)) drawn"]
        parts[1] += " (\(NumberText.bytes(receipt.bytes)))"
        if receipt.kept > 0 { parts.append("\(DisplayText.count(receipt.kept)) up to date") }
        if receipt.empty > 0 { parts.append("\(DisplayText.count(receipt.empty)) empty") }
        if receipt.removed > 0 { parts.append("\(DisplayText.count(receipt.removed)) outdated removed") }
        if let output, let fileBytes {
            parts.append("\(FileName.shown(output)) has \(NumberText.bytes(fileBytes))")
        }
        return parts.joined(separator: ", ")
    }

    private func json(_ receipt: PrerenderReceipt, _ fileBytes: Int?) -> JSONObject {
        var object = receipt.json
        if let fileBytes { object.add("fileBytes", fileBytes) }
        return object
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
