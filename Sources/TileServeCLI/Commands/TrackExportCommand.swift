import Text
import TrackExport
import TrackQuery
import Tracks

/// `tileserve tracks export`: writes tracks to files for other programs.
struct TrackExportCommand: Command {
    static let name = "tracks export"
    static let operands = Operands.any

    private static let format = Option("format", "FORMAT", ExportFormat.list)
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
        let known = ExportFormat.allCases.map(\.rawValue)
        let format = try given.value(Self.format, .oneOf(known)) { ExportFormat(rawValue: $0.lowercased()) }
        guard let format else { throw .missingOption(Self.format) }
        self.format = format
        layer = try given.text(Self.layer)
        window = try DateWindow(given)
        condition = try ConditionText.condition(given)
        output = try given.text(Self.output)
    }
}
