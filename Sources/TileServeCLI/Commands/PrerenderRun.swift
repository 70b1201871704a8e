import Files
import Foundation
internal import GridStorage
import PictureStore
import Styling
import Text
import TileDrawing
import TileMath
import TileService
import TrackImport
internal import TrackStore
import Tracks

extension PrerenderCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let styleSheet = try styles.map { try StyleFolder(path: $0).styleSheet } ?? .builtIn
        let terminal = context.terminal
        guard try library.updateMap(context) else { return .incomplete }
        let renderer = try TileRenderer(library: library, styles: styleSheet, workers: workers, disk: nil)
        try checkNames(renderer)
        let receipt = try drawn(renderer, context)
        if let output, !isDryRun, receipt.tiles > 0 { try writeTileJSON(to: output, renderer) }
        try terminal.say(isJSON ? receipt.json.text : line(receipt))
        if receipt.wasStopped {
            terminal.report("tileserve prerender: stopped; repeat the command with --resume to continue")
            return .incomplete
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
                .cache(try PictureCache(path: DiskCache.path(in: folder)))
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
        guard !renderer.hasLayer(named: layer, for: .owner) else { return }
        throw unknown("layer", layer, of: renderer.layerNames(for: .owner))
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
            let value = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = value
    }

    var box: BoundingBox? {
        guard bounds.count == 4 else { return nil }
        return BoundingBox(west: bounds[0], south: bounds[1], east: bounds[2], north: bounds[3])
    }
}
