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
        let named = try NamedItems(
            layers, id: \.name, context.terminal,
            noSuch: { LayerSummary.noSuchLayer($0, among: known.map(\.name)) },
            find: { name in known.first { $0.name == name } })
        for layer in named.found {
            try context.terminal.say(isJSON ? layer.json.text : layer.lines.joined(separator: "\n"))
        }
        return named.code
    }
}
