import TrackExport
import TrackStore

/// `tileserve pins export`: writes pins to a file for other programs.
struct PinExportCommand: Command {
    static let name = "pins export"
    static let operands = Operands.none

    private static let formats = ExportFormat.allCases.filter(\.supportsPins).map(\.rawValue)
    private static let format = Option("format", "FORMAT", "gpx, geojson or kml", choices: formats)

    static let screen = HelpScreen(
        usage: "--format FORMAT [OPTION]…",
        summary: "writes pins for other programs",
        about: """
            Writes all pins, or those that the options select, to the standard output. Importing the file again \
            adds no pins.
            """,
        options: [LibraryOption.option, format] + PinSelection.options,
        examples: [("tileserve pins export --format gpx", "writes all pins as waypoints")])

    let folder: String
    let format: ExportFormat
    let selection: PinSelection

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        let format = try given.value(Self.format, .oneOf(Self.formats)) { text in
            ExportFormat(rawValue: text.lowercased()).flatMap { $0.supportsPins ? $0 : nil }
        }
        guard let format else { throw .missingOption(Self.format) }
        self.format = format
        selection = try PinSelection(given)
    }
}

extension PinExportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let filter = try selection.filter(of: library)
        let source = try TrackExportSource(library, pins: filter)
        guard source.hasPins else {
            context.terminal.report("tileserve pins export: no pin matches")
            return .incomplete
        }
        var export = Export(source, as: format)
        while !context.stop.isRequested, let bytes = try export.next() {
            if !bytes.isEmpty { try context.terminal.write(bytes) }
        }
        return context.stop.isRequested ? context.stopped("the output is not complete") : .done
    }
}
