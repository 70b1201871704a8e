import Geocoding
import PrimaryStore
import Text
import TrackStore

/// `tileserve addresses`: shows how many addresses are known and wanted.
struct AddressesCommand: Command {
    static let name = "addresses"
    static let operands = Operands.none

    private static let retry = Option("retry", "requests again the addresses for which the service failed")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "shows how many addresses are known, and how many will be requested",
        about: """
            Shows how many addresses are known, and how many will be requested: those of the places where tracks \
            begin and end, where somebody stayed, and of marked points. They come from the tracks' files, and from the service of 'tileserve serve --geocoder INTERFACE=URL', \
            with at most one request per second: the service gets these places, rounded to about 30 m. The addresses \
            are stored in the library.
            waiting: addresses that will be requested.
            found: the service returned an address.
            none: the service has no address for the place.
            failed: the service failed \(GeocodingPace.triesLimit) times.
            """,
        options: [LibraryOption.option, LibraryOption.inbox, retry, CommonOptions.json],
        examples: [
            ("tileserve addresses", "shows the numbers"),
            ("tileserve addresses --retry", "lets a running server request them again"),
        ])

    let folder: String
    let retries: Bool
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        retries = given.has(Self.retry)
        isJSON = given.has(CommonOptions.json)
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
                    json.add(name, count)
                }
            }
            try context.terminal.say(String(decoding: json.bytes, as: UTF8.self))
        } else {
            for (name, count) in values {
                try context.terminal.say("\(name.padded(to: 10))\(DisplayText.count(count).leftPadded(to: 9))")
            }
        }
        return .done
    }
}
