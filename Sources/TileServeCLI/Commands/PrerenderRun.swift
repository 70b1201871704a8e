import Files
import Styling
import TileMath
import TileService
import TrackImport
import TrackStore
import Tracks

extension PrerenderCommand {
    func run(_ surroundings: Surroundings) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let sheet = try styles.map { try StyleFolder(path: $0).sheet } ?? .builtIn
        let terminal = surroundings.terminal
        guard try library.broughtUp(surroundings) else { return .incomplete }
        let atlas = try Atlas(library: library, styles: sheet, workers: workers, disk: nil)
        try checkNames(atlas)
        let receipt = try drawn(atlas, surroundings)
        try terminal.say(isJSON ? receipt.json.text : line(receipt))
        if receipt.wasStopped {
            terminal.note("tileserve prerender: stopped; repeat the command with --resume to go on")
            return .incomplete
        }
        if receipt.tiles == 0 {
            terminal.note("tileserve prerender: no tile matches; see 'tileserve tracks list' for what there is")
            return .incomplete
        }
        return .done
    }

    private func drawn(_ atlas: Atlas, _ surroundings: Surroundings) throws -> PrerenderReceipt {
        let target: PrerenderJob.Output =
            if let output, !isDryRun {
                .folder(output)
            } else {
                .cache(try PictureCache(path: DiskCache.path(in: folder)))
            }
        let job = PrerenderJob(
            zooms: zoomLevels.lowerBound.number...zoomLevels.upperBound.number, style: style, layer: layer,
            boxes: boxes,
            scale: scale == 2 ? .double : .single, workers: workers, output: target, resumes: isResumed,
            isDryRun: isDryRun)
        let progress = Progress(surroundings.terminal)
        defer { progress.end() }
        let stop = surroundings.stop
        // How much of all lies in the boxes is not known beforehand.
        let knowsAll = boxes.isEmpty
        return try Prerender(job, atlas: atlas).run(shouldStop: { stop.isMade }) { receipt in
            let fraction = knowsAll ? Double(receipt.tiles) / Double(max(1, receipt.tilesInAll)) : nil
            progress.update(fraction: fraction) { seconds in
                let rate = seconds > 0 ? " · \(Words.count(Int(Double(receipt.tiles) / seconds)))/s" : ""
                return "drawing: \(Words.count(receipt.tiles, "tile"))\(rate)"
            }
        }
    }

    private func checkNames(_ atlas: Atlas) throws {
        if atlas.styles[style] == nil { throw unknown("style", style, of: atlas.styles.names) }
        let layers = atlas.layerNames(for: .owner)
        if !layers.contains(layer) { throw unknown("layer", layer, of: layers) }
    }

    private func unknown(_ kind: String, _ name: String, of known: [String]) -> Failure {
        let hint =
            Spelling.nearest(to: name, of: known).map { "did you mean '\($0)'?" }
            ?? "there are: \(known.joined(separator: ", "))"
        return Failure(.usage, "tileserve prerender: there is no \(kind) '\(name.asOneLine)'; \(hint)")
    }

    private func line(_ receipt: PrerenderReceipt) -> String {
        if isDryRun { return "would be: \(Words.count(receipt.tiles, "tile"))" }
        var parts = ["\(Words.count(receipt.tiles, "tile"))", "\(Words.count(receipt.drawn)) drawn"]
        parts[1] += " (\(Words.bytes(receipt.bytes)))"
        if receipt.kept > 0 { parts.append("\(Words.count(receipt.kept)) there already") }
        if receipt.empty > 0 { parts.append("\(Words.count(receipt.empty)) empty") }
        if receipt.removed > 0 { parts.append("\(Words.count(receipt.removed)) old ones taken away") }
        return parts.joined(separator: ", ")
    }
}

extension PrerenderReceipt {
    /// As an object of JSON.
    fileprivate var json: JSONLine {
        var object = JSONLine()
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
