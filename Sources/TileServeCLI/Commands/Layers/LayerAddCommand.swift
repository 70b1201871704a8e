import PrimaryStore
import Text
import TrackQuery
import TrackStore

/// `tileserve layers add`: defines a layer of the operator.
struct LayerAddCommand: Command {
    static let name = "layers add"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "--where CONDITION [OPTION]… NAME",
        summary: "adds a layer of the tracks that match a condition",
        about: """
            Adds a layer of the tracks that match a condition. The layer is kept up to date when tracks are \
            imported, removed, tagged and edited. Maps show it with ?layer=NAME. If the command is stopped, a \
            running server builds the rest.
            A condition compares a field with a value. The fields activity, person, device, tag, name and source \
            allow =, != (both case-insensitive), ~ (contains) and in (A, B); the fields metres, seconds and start (a \
            day such as 2024-05-31) also allow <, <=, > and >=. Combine comparisons with and, or, not and \
            parentheses. Values of several words need quotes; "" means no value or, for person, the library's owner.
            """,
        options: [LibraryOption.option, ConditionText.option],
        examples: [
            ("tileserve layers add commutes --where tag=commute", "adds a layer of the tracks with this tag"),
            (
                "tileserve layers add holidays --where source~holiday",
                "adds a layer of the tracks from files with this name"
            ),
        ])

    let folder: String
    let layer: String
    let condition: TrackCondition

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        layer = try given.onlyOperand()
        guard let condition = try ConditionText.condition(given) else { throw .missingOption(ConditionText.option) }
        self.condition = condition
    }
}

extension LayerAddCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let made = try library.database.addLayer(name: layer, condition: condition)
        guard try library.updateMap(context) else {
            return context.stopped("'\(layer)' was added and will be built when the library is next used")
        }
        let summary = try library.layerSummaries().first { $0.name == made.name }
        try context.terminal.say("\(made.name): \(DisplayText.count(summary?.tracks ?? 0, "track"))")
        return .done
    }
}
