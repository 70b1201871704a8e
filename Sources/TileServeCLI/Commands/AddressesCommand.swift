import Geocoding
import Text
import TrackStore

/// `tileserve addresses`: shows how many addresses are known and wanted.
struct AddressesCommand: Command {
    static let name = "addresses"
    static let operands = Operands.none

    private static let retry = Option("retry", "asks again for addresses for which the service has failed")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "shows how many addresses are known, and how many are asked for",
        about: """
            Addresses are those of the places where tracks begin and end, where somebody stayed, and of marked points. \
            They come from the tracks' files, and from a service that 'tileserve serve --geocoder INTERFACE=URL' asks, \
            one place a second at most: the service gets these places, rounded to about 30 m. They are kept in the \
            library.
            waiting: to be \
            asked for; found: known; none: the service knows no address there; failed: the service has failed \(GeocodingPace.triesLimit) \
            times.
            """,
        options: [LibraryOption.option, LibraryOption.inbox, retry, ImportCommand.json],
        examples: [
            ("tileserve addresses", "shows the numbers"),
            ("tileserve addresses --retry", "lets a running server ask again"),
        ])

    let folder: String
    let retries: Bool
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        retries = given.has(Self.retry)
        isJSON = given.has(ImportCommand.json)
    }
}

extension AddressesCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        if retries { _ = try library.database.retryFailedAddresses() }
        let counts = try library.database.addressCounts()
        let values = [
            ("waiting", counts.waiting), ("found", counts.found), ("none", counts.none), ("failed", counts.failed),
        ]
        if isJSON {
            var json = JSONWriter()
            json.object { json in
                for (name, count) in values {
                    json.key(name)
                    json.add(count)
                }
            }
            try context.terminal.say(String(decoding: json.bytes, as: UTF8.self))
        } else {
            for (name, count) in values {
                try context.terminal.say("\(name.padded(to: 10))\(NumberText.count(count).leftPadded(to: 9))")
            }
        }
        return .done
    }
}
