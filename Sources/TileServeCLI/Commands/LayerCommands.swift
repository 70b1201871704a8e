import TrackQuery

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
