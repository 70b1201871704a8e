import Files
import PictureStore
import Styling
import Text
import TileDrawing
import TileMath
import TileService
import TrackImport
import TrackStore
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
        try terminal.say(isJSON ? receipt.json.text : line(receipt))
        if receipt.wasStopped {
            terminal.note("tileserve prerender: stopped; repeat the command with --resume to continue")
            return .incomplete
        }
        if receipt.tiles == 0 {
            terminal.note(
                "tileserve prerender: no tile matches; see 'tileserve tracks list' for the tracks of the library")
            return .incomplete
        }
        return .done
    }

    private func drawn(_ renderer: TileRenderer, _ context: CommandEnvironment) throws -> PrerenderReceipt {
        let target: PrerenderJob.Output =
            if let output, !isDryRun {
                .folder(output)
            } else {
                .cache(try PictureCache(path: DiskCache.path(in: folder)))
            }
        var job = PrerenderJob(
            zooms: zoomLevels.lowerBound.number...zoomLevels.upperBound.number, style: style, layer: layer,
            boxes: boxes,
            scale: scale == 2 ? .double : .single, workers: workers, output: target)
        job.resumes = isResumed
        job.isDryRun = isDryRun
        let progress = Progress(context.terminal)
        defer { progress.end() }
        let stop = context.stop
        // The number of tiles within boxes is not known in advance.
        let knowsAll = boxes.isEmpty
        return try Prerender(job, renderer: renderer).run(shouldStop: { stop.isRequested }) { receipt in
            let fraction = knowsAll ? Double(receipt.tiles) / Double(max(1, receipt.totalTiles)) : nil
            progress.update(fraction: fraction) { seconds in
                let rate = seconds > 0 ? " · \(NumberText.count(Int(Double(receipt.tiles) / seconds)))/s" : ""
                return "drawing: \(NumberText.count(receipt.tiles, "tile"))\(rate)"
            }
        }
    }

    private func checkNames(_ renderer: TileRenderer) throws {
        if renderer.styles[style] == nil { throw unknown("style", style, of: renderer.styles.names) }
        let layers = renderer.layerNames(for: .owner)
        if !layers.contains(layer) { throw unknown("layer", layer, of: layers) }
    }

    private func unknown(_ kind: String, _ name: String, of known: [String]) -> Failure {
        let hint =
            SpellingSuggestion.nearest(to: name, of: known).map { "did you mean '\($0)'?" }
            ?? "known: \(known.joined(separator: ", "))"
        return Failure(.usage, "tileserve prerender: unknown \(kind) '\(name.singleLine)'; \(hint)")
    }

    private func line(_ receipt: PrerenderReceipt) -> String {
        if isDryRun { return "would draw \(NumberText.count(receipt.tiles, "tile"))" }
        var parts = ["\(NumberText.count(receipt.tiles, "tile"))", "\(NumberText.count(receipt.drawn)) drawn"]
        parts[1] += " (\(NumberText.bytes(receipt.bytes)))"
        if receipt.kept > 0 { parts.append("\(NumberText.count(receipt.kept)) up to date") }
        if receipt.empty > 0 { parts.append("\(NumberText.count(receipt.empty)) empty") }
        if receipt.removed > 0 { parts.append("\(NumberText.count(receipt.removed)) outdated removed") }
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
