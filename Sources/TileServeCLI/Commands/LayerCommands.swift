import TrackQuery

/// `tileserve layers add`: defines a layer of the operator.
struct LayerAddCommand: Command {
    static let name = "layers add"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "--where CONDITION [OPTION]… NAME",
        summary: "makes a layer of the tracks that a condition admits",
        about: """
            Makes a layer of the tracks that a condition admits, and keeps it so: tracks come into it and leave it as they \
            are imported, removed, tagged and edited. Maps show it with ?layer=NAME. A running server builds what is missing \
            if this is stopped.
            A condition compares fields with values: activity, person, device, tag, name and source with =, != (without regard \
            to case), ~ (contains) and in (A, B); metres, seconds and start (a day like 2024-05-31) with <, <=, > and >=, \
            too. and, or, not and parentheses join them. Values of several words stand in quotes; "" is none, and the \
            library's owner as the person.
            """,
        options: [LibraryFolder.option, ConditionText.option],
        examples: [
            ("tileserve layers add commutes --where tag=commute", "makes a layer of the tracks tagged so"),
            ("tileserve layers add holidays --where source~holiday", "of the tracks from files named so"),
        ])

    let folder: String
    let layer: String
    let condition: TrackCondition

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
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
        summary: "lists layers: all tracks, activities, and your own",
        about:
            "Lists the layers that maps can show: all tracks, the tracks of each activity, and those of layers of your own.",
        options: [LibraryFolder.option, ImportCommand.json],
        examples: [("tileserve layers list", "lists the layers")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        isJSON = given.has(ImportCommand.json)
    }
}

/// `tileserve layers show`: shows details of a layer.
struct LayerShowCommand: Command {
    static let name = "layers show"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME…",
        summary: "shows a layer's condition, and how much it has",
        about: "Shows which tracks layers admit, how many these are, and whether maps can show them yet.",
        options: [LibraryFolder.option, ImportCommand.json],
        examples: [("tileserve layers show commutes", "shows one layer")])

    let folder: String
    let layers: [String]
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        layers = given.operands
        isJSON = given.has(ImportCommand.json)
    }
}

/// `tileserve layers remove`: removes layers, but not their tracks.
struct LayerRemoveCommand: Command {
    static let name = "layers remove"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME…",
        summary: "takes layers of your own away, not their tracks",
        about: "Takes layers of your own away, with all that was prepared and drawn for them. Their tracks stay.",
        options: [LibraryFolder.option],
        examples: [("tileserve layers remove commutes", "takes a layer away")])

    let folder: String
    let layers: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        layers = given.operands
    }
}
