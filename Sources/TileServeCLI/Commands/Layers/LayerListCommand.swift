import Text
import TrackStore

/// `tileserve layers list`: lists layers.
struct LayerListCommand: Command {
    static let name = "layers list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists the built-in layers and your own",
        about:
            "Lists the layers that maps can show: all tracks, one layer for each activity, and your own layers.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve layers list", "lists the layers")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        isJSON = given.has(CommonOptions.json)
    }
}

extension LayerListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let layers = try OpenedLibrary.existing(in: folder).layerSummaries()
        if isJSON {
            for layer in layers { try context.terminal.say(layer.json.text) }
            return .done
        }
        try context.terminal.out(
            TextTable.text(
                layers.map { [$0.name, DisplayText.count($0.tracks), $0.description + $0.readiness] }, numbers: 1..<2))
        return .done
    }
}
