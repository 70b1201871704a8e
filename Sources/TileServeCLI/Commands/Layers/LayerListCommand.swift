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
        let width = (layers.map(\.name.count).max() ?? 0) + 2
        for layer in layers {
            let tracks = DisplayText.count(layer.tracks).leftPadded(to: 9)
            try context.terminal.say(
                "\(layer.name.singleLine.padded(to: width))\(tracks)  \(layer.description)\(layer.readiness)")
        }
        return .done
    }
}
