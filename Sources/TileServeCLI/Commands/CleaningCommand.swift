import PrimaryStore
import Text
import TrackStore
import Tracks

/// `tileserve cleaning`: which points are outliers and are not drawn.
struct CleaningCommand: Command {
    static let name = "cleaning"
    static let operands = Operands.none

    private static let off = "off"
    private static let speed = Option("speed", "N", "speed in m/s above which a segment is impossible")
    private static let jump = Option(
        "jump-speed", "N|off", "speed in m/s, to a point and back, above which the point is an outlier")
    private static let accuracy = Option("accuracy", "N|off", "accuracy in metres above which a point is an outlier")
    private static let reset = Option("reset", "resets all thresholds to their defaults")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "shows or sets which points are outliers and not drawn",
        about: """
            Shows or sets the thresholds for outliers, which are stored, but left out of heat, lines and replays. \
            Outliers are points at 0,0, steps of more than 2 km at an impossible speed, jumps out and back (of one \
            point, or of up to 20 points within 15 minutes), and points with poor accuracy. A change of the \
            thresholds checks all tracks again and rebuilds the map. 'tileserve tracks show --outliers' lists the \
            outliers of a track.
            """,
        options: [LibraryOption.option, speed, jump, accuracy, reset, CommonOptions.json],
        examples: [
            ("tileserve cleaning", "shows the thresholds"),
            ("tileserve cleaning --accuracy 200", "leaves out points with an accuracy above 200 m"),
            ("tileserve cleaning --jump-speed off", "keeps jumps out and back"),
        ])

    let folder: String
    let speed: Int?
    let jump: Int??
    let accuracy: Int??
    let isReset: Bool
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        speed = try given.number(Self.speed, in: OutlierRule.thresholds)
        jump = try Self.threshold(given, Self.jump)
        accuracy = try Self.threshold(given, Self.accuracy)
        isReset = given.has(Self.reset)
        isJSON = given.has(CommonOptions.json)
    }

    /// Nil if the option was not given; `.some(nil)` if its value is `off`.
    private static func threshold(_ given: CommandLineArguments, _ option: Option) throws(UsageError) -> Int?? {
        if try given.text(option) == off { return .some(nil) }
        return try given.number(option, in: OutlierRule.thresholds).map { .some($0) }
    }

    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let old = try library.database.outlierRule()
        var rule = isReset ? .standard : old
        if let speed { rule.metresPerSecond = speed }
        if let jump { rule.jumpMetresPerSecond = jump }
        if let accuracy { rule.accuracyMetres = accuracy }
        if rule != old {
            let progress = Progress(context.terminal)
            defer { progress.end() }
            try library.database.setOutlierRule(rule) { done, tracks in
                progress.update(fraction: Double(done) / Double(max(1, tracks))) { _ in
                    "\(DisplayText.count(done, "track")) checked"
                }
            }
            try library.catchUp { progress.update($0) }
        }
        try context.terminal.say(isJSON ? rule.json.text : rule.sentences.joined(separator: "\n"))
        return .done
    }
}
