import Files
import Foundation
import Poster
import Styling
import Text
import TileDrawing
import TileLog
import TileService
internal import TrackStore

extension PosterCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let styleSheet = try styles.map { try StyleFolder(path: $0).styleSheet } ?? .builtIn
        guard try library.updateMap(context) else { return .incomplete }
        let renderer = try TileRenderer(
            library: library, styles: styleSheet, workers: ProcessInfo.processInfo.activeProcessorCount, disk: nil)
        var poster = poster
        poster.selection.window = TimeWindow(from: Self.end(window.from), to: Self.end(window.to))
        _ = try window.instants(in: try library.calendar())
        let stop = context.stop
        do {
            let bytes = try Poster(poster, renderer: renderer, isCancelled: { stop.isRequested }).bytes()
            try AtomicFile.write(bytes, to: output, access: .shared)
            try context.terminal.say("\(output): \(NumberText.bytes(bytes.count))")
            return .done
        } catch let error as PosterError {
            throw Failure(.usage, "tileserve poster: \(error.description)")
        } catch TileError.notFound(let reason), TileError.badRequest(let reason) {
            throw Failure(.usage, "tileserve poster: \(reason)")
        } catch is CancellationError {
            context.terminal.report("tileserve poster: stopped; nothing was written")
            return .incomplete
        }
    }

    private static func end(_ date: DateText?) -> TimeWindow.End? {
        switch date {
        case .day(let day): .day(day.daysSince1970)
        case .instant(let instant): .instant(instant)
        case nil: nil
        }
    }
}
