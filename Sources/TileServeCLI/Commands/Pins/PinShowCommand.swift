internal import PinService
import Pins
internal import PrimaryStore
import Text
import TrackStore

/// `tileserve pins show`: shows details of pins.
struct PinShowCommand: Command {
    static let name = "pins show"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "shows details of pins",
        about: "Shows all details of pins. For their ids see 'tileserve pins list'.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve pins show 0f3c9a7be41d2268a5b0c1d2e3f40516", "shows one pin")])

    let folder: String
    let ids: [String]
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        isJSON = given.has(CommonOptions.json)
    }
}

extension PinShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        let pins = try library.pins(named: ids, context.terminal)
        for (index, pin) in pins.found.enumerated() {
            if context.stop.isRequested { return context.stopped() }
            let lines = (index == 0 ? [] : [""]) + pin.lines(calendar)
            let picture = try PinPictureDetails(pin, library)
            try context.terminal.say(isJSON ? pin.fullJSON(picture: picture).text : lines.joined(separator: "\n"))
        }
        return pins.code
    }
}
