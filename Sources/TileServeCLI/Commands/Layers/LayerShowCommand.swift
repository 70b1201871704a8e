import Text
import TrackStore

/// `tileserve layers show`: shows details of a layer.
struct LayerShowCommand: Command {
    static let name = "layers show"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME…",
        summary: "shows details of layers",
        about: "Shows the condition of layers, the number of their tracks, and whether they are ready to be shown.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve layers show commutes", "shows one layer")])

    let folder: String
    let layers: [String]
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        layers = given.operands
        isJSON = given.has(CommonOptions.json)
    }
}

extension LayerShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let known = try OpenedLibrary.existing(in: folder).layerSummaries()
        var code = ExitCode.done
        for name in layers {
            guard let layer = known.first(where: { $0.name == name }) else {
                context.terminal.report(LayerSummary.noSuchLayer(name, among: known.map(\.name)))
                code = .noInput
                continue
            }
            try context.terminal.say(isJSON ? layer.json.text : layer.lines.joined(separator: "\n"))
        }
        return code
    }
}
