import Files
import Pins
import PrimaryStore
import Text
import TrackExport
import TrackQuery
import TrackStore

/// `tileserve tracks export`: writes tracks to files for other programs.
struct TrackExportCommand: Command {
    static let name = "tracks export"
    static let operands = Operands.any

    private static let format = Option(
        "format", "FORMAT", ExportFormat.list, choices: ExportFormat.allCases.map(\.rawValue))
    private static let layer = Option("layer", "NAME", "only tracks of this layer (default: all)")
    private static let output = Option("output", "PATH", "a file, or a folder for one file per track")

    static let screen = HelpScreen(
        usage: "--format FORMAT [OPTION]… [ID…]",
        summary: "writes tracks as files for other programs",
        about: """
            Writes some or all tracks, oldest first, to the standard output, to a file, or to a folder. Tracks are \
            written with all recorded data that the format supports; 'tileserve help formats' lists what each \
            format cannot store. \
            If no IDs, no --layer and no --where are given, the pins of the same time are also written (gpx, geojson, \
            kml). \
            A DATE is a whole day in the library's time zone, or an instant such as 2025-03-30T08:00:00Z.
            """,
        options: [
            LibraryOption.option, format, layer, CommonOptions.from, CommonOptions.to, ConditionText.option, output,
        ],
        examples: [
            ("tileserve tracks export 4k2f9 --format gpx > ride.gpx", "writes one track"),
            ("tileserve tracks export --format csv --from 2025-01-01 --output 2025.csv", "writes a year as one table"),
            (
                "tileserve tracks export --format geojson --where tag=race --output races/",
                "writes one file per race"
            ),
        ])

    let folder: String
    let ids: [String]
    let format: ExportFormat
    let layer: String?
    let window: DateWindow
    let condition: TrackCondition?
    let output: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        guard let format: ExportFormat = try given.choice(Self.format) else { throw .missingOption(Self.format) }
        self.format = format
        layer = try given.text(Self.layer)
        window = try DateWindow(given)
        condition = try ConditionText.condition(given)
        output = try given.text(Self.output)
    }
}

extension TrackExportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let selection = try selection(library)
        let tracks = try library.tracks(named: ids, context.terminal)
        guard ids.isEmpty || !tracks.found.isEmpty else { return tracks.code }
        var source =
            ids.isEmpty
            ? try selection.source(library, for: format) : try selection.source(library, of: tracks.found)
        guard source.count > 0 || source.hasPins else {
            context.terminal.report("tileserve tracks export: no track matches")
            return .incomplete
        }
        let code = max(tracks.code, try write(&source, library, context))
        guard context.stop.isRequested else { return code }
        return max(code, context.stopped("the output is not complete"))
    }

    private func selection(_ library: Library) throws -> ExportSelection {
        var selection = ExportSelection()
        (selection.from, selection.to) = try window.instants(in: try library.calendar())
        selection.layer = layer
        selection.condition = condition
        return selection
    }

    // MARK: Writing

    private func write(
        _ source: inout TrackExportSource, _ library: Library, _ context: CommandEnvironment
    ) throws -> ExitCode {
        guard let output else {
            return try write(source, context) { bytes in
                try context.terminal.write(bytes)
            }
        }
        guard output.hasSuffix("/") || FileStatus.ifExists(of: output)?.kind == .folder else {
            return try write(source, to: output, context)
        }
        try Folder.make(output)
        let base = output.hasSuffix("/") ? output : output + "/"
        var code = ExitCode.done
        if source.hasPins, let pins = try selection(library).pins {
            let path = base + "pins" + format.ending
            code = try write(TrackExportSource(library, pins: pins), to: path, context)
            if !context.stop.isRequested { try context.terminal.say(path) }
        }
        for index in 0..<source.count where !context.stop.isRequested {
            guard let track = try source.track(at: index), let whole = try library.database.track(number: track.number)
            else { continue }
            let one = try TrackExportSource(library, [whole])
            let path = base + format.fileName(start: track.start, id: track.id)
            let written = try write(one, to: path, context)
            if !context.stop.isRequested { try context.terminal.say(path) }
            code = max(code, written)
        }
        return code
    }

    /// Writes a temporary file beside `path` and renames it, so that no other program sees an incomplete file.
    private func write(
        _ source: TrackExportSource, to path: String, _ context: CommandEnvironment
    ) throws -> ExitCode {
        let part = path + ".part"
        try AtomicFile.remove(part)
        do {
            let file = try FileSink(appendingTo: part)
            let code = try write(source, context) { try file.write($0) }
            if context.stop.isRequested {
                try AtomicFile.remove(part)
            } else {
                try AtomicFile.rename(part, to: path, durability: .durable)
            }
            return code
        } catch {
            _ = try? AtomicFile.remove(part)
            throw error
        }
    }

    private func write(
        _ source: TrackExportSource, _ context: CommandEnvironment, _ put: ([UInt8]) throws -> Void
    ) throws -> ExitCode {
        let terminal = context.terminal
        var export = Export(source, as: format)
        do {
            while !context.stop.isRequested, let bytes = try export.next() {
                if !bytes.isEmpty { try put(bytes) }
            }
        } catch ExportError.changed(let id) {
            throw Failure(.incomplete, "\(id): the track changed during the export; repeat the command")
        }
        if export.skippedPoints > 0 {
            let tracks =
                export.skippedTracks > 0
                ? ", including all points of \(DisplayText.count(export.skippedTracks, "track"))" : ""
            terminal.report(
                "tileserve tracks export: skipped \(DisplayText.count(export.skippedPoints, "point")) without a time\(tracks); "
                    + "\(format.rawValue) cannot store them, gpx can")
            return .incomplete
        }
        return .done
    }
}

private func max(_ one: ExitCode, _ other: ExitCode) -> ExitCode {
    one.rawValue >= other.rawValue ? one : other
}
