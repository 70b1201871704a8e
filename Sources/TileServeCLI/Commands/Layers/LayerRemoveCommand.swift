import PrimaryStore
import TrackStore

/// `tileserve layers remove`: removes layers, but not their tracks.
struct LayerRemoveCommand: Command {
    static let name = "layers remove"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME…",
        summary: "removes your own layers, but not their tracks",
        about: "Removes your own layers with their derived data and cached tiles. Their tracks are kept.",
        options: [LibraryOption.option],
        examples: [("tileserve layers remove commutes", "removes a layer")])

    let folder: String
    let layers: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        layers = given.operands
    }
}

extension LayerRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let own = try library.database.layers().map(\.name)
        let named = try NamedItems(
            layers, id: \.self, context.terminal, noSuch: { LayerSummary.noSuchLayer($0, among: own) },
            find: { try library.database.removeLayer(name: $0) ? $0 : nil })
        let removed = named.found
        guard !removed.isEmpty else { return named.code }
        // No new pictures of the layer are drawn from here on, so delete its cached pictures, then its derived data.
        let isComplete = try library.updateMap(context) { try DiskCache.drop(layers: Set(removed), of: library) }
        for name in removed { try context.terminal.say("\(name): removed") }
        guard isComplete else {
            return context.stopped("the rest of its data is removed when the library is next used")
        }
        return named.code
    }
}
