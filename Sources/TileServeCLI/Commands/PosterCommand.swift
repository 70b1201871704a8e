import Files
import Foundation
import Poster
import Styling
import Text
import TileDrawing
import TileLog
import TileMath
import TileService
import TrackStore

/// `tileserve poster`: draws a map to print.
struct PosterCommand: Command {
    static let name = "poster"
    static let operands = Operands.none

    private static let box = Option("bbox", "W,S,E,N", "the area, in degrees (required)")
    private static let output = Option(
        "output", "FILE", "the file; its ending .pdf, .svg or .png says the format (required)")
    private static let paper = Option(
        "paper", "SIZE", "A4, A3, A2, A1, A0, or WIDTHxHEIGHTmm such as 500x700mm (default: A4)")
    private static let dpi = Option(
        "dpi", "N",
        "pixels per inch of a PNG, \(PosterRequest.resolutions.lowerBound) to "
            + "\(PosterRequest.resolutions.upperBound) (default: \(PosterRequest.defaultDPI))")
    private static let title = Option("title", "TEXT", "the title below the map")
    private static let style = Option("style", "NAME", "the style (default: heat)")
    private static let layer = Option("layer", "NAME", "the layer (default: all)")
    private static let theme = Option("theme", "light|dark", "the background (default: light)")
    private static let base = Option(
        "base", "map|none", "land, water, borders and names below the heat, or nothing (default: map)")

    private static let archive = Option(
        "archive", "FILE", "an archive with vector tiles, whose streets are drawn (see 'tileserve help archives')")

    static let screen = HelpScreen(
        usage: "--bbox W,S,E,N --output FILE [OPTION]…",
        summary: "draws a map to print, as PDF, SVG or PNG",
        about: """
            Draws a map of an area with a title, the number and length of the tracks that pass through it, and a \
            scale. The map fills the page around the area. Lines and letters have the same width in millimetres at \
            every resolution. A4 to A0 are used in landscape format if the area is wider than high.
            """,
        options: [
            LibraryOption.option, box, output, paper, dpi, title, style, layer, CommonOptions.from, CommonOptions.to,
            theme, base, archive,
            CommonOptions.styles,
        ],
        examples: [
            (
                "tileserve poster --bbox 8.4,47.3,8.6,47.5 --paper A2 --title Zurich --output zurich.pdf",
                "draws a city"
            ),
            (
                "tileserve poster --bbox -11,35,32,60 --theme dark --from 2025-01-01 --dpi 300 --output year.png",
                "draws what was recorded in Europe since 2025"
            ),
        ])

    let folder: String
    let poster: PosterRequest
    let window: DateWindow
    let output: String
    let styles: String?
    let archive: ArchiveFile?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        guard let box = try given.value(Self.box, .box, { BoundingBox(text: $0) }) else {
            throw .missingOption(Self.box)
        }
        guard let output = try given.text(Self.output) else { throw .missingOption(Self.output) }
        self.output = output
        let formats = PosterRequest.Format.allCases
        let format = try given.value(Self.output, .oneOf(formats.map { "FILE.\($0.rawValue)" })) { path in
            formats.first { path.lowercased().hasSuffix("." + $0.rawValue) }
        }
        var poster = PosterRequest(box: box)
        poster.format = format ?? poster.format
        poster.paper =
            try given.value(Self.paper, .oneOf(PaperSize.names + ["WIDTHxHEIGHTmm"])) { PaperSize($0) } ?? poster.paper
        poster.dpi = try given.number(Self.dpi, in: PosterRequest.resolutions) ?? poster.dpi
        poster.title = try given.text(Self.title) ?? poster.title
        poster.style = try given.text(Self.style) ?? poster.style
        poster.selection.layer = try given.text(Self.layer) ?? poster.selection.layer
        poster.base = try given.choice(Self.base) ?? poster.base
        poster.theme = try given.choice(Self.theme) ?? poster.theme
        window = try DateWindow(given)
        self.poster = poster
        styles = try given.text(CommonOptions.styles)
        archive = try given.value(Self.archive, .archive) { ArchiveFile($0) }
    }
}

extension PosterCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let styleSheet = try styles.map { try StyleFolder(path: $0).styleSheet } ?? .builtIn
        guard try library.updateMap(context) else { return context.stopped("nothing was written") }
        let renderer = try TileRenderer(
            library: library, styles: styleSheet, workers: ProcessInfo.processInfo.activeProcessorCount, disk: nil,
            baseMap: try ServedArchive.baseMap(
                of: archive.map { [try $0.open()] } ?? [], named: archive?.name, command: "tileserve poster",
                report: { [terminal = context.terminal] in
                    terminal.report(Failure($0, command: "tileserve poster").line)
                }))
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
            return context.stopped("nothing was written")
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
