import PrimaryStore
import Stays
import TrackStore

/// `tileserve stays name`: names a place where a person stayed.
struct StayNameCommand: Command {
    static let name = "stays name"
    static let operands = Operands.any

    private static let place = Option("at", "LON,LAT", "the place, in degrees")
    private static let person = Option("person", "NAME", "whose place it is (default: the library's owner)")
    private static let removal = Option("remove", "removes the name")

    static let screen = HelpScreen(
        usage: "--at LON,LAT [OPTION]… [NAME]",
        summary: "names a place where somebody stayed",
        about: """
            Names a place: stays within 50 m of it have the name from now on, also those of later imports. Within 50 m \
            of a place that has a name, this name is replaced. The names of a person are deleted with the last track \
            of the person.
            """,
        options: [LibraryOption.option, place, person, removal],
        examples: [
            ("tileserve stays name --at 13.3904,52.5081 Home", "names a place"),
            ("tileserve stays name --at 13.3904,52.5081 --remove", "removes the name"),
        ])

    let folder: String
    private let longitude: Int32
    private let latitude: Int32
    private let person: String?
    /// nil to remove it.
    private let newName: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        guard let position = try given.value(Self.place, .place, { StayPlace.position(id: $0) }) else {
            throw .missingOption(Self.place)
        }
        (longitude, latitude) = position
        let person = try given.text(Self.person) ?? ""
        self.person = person.isEmpty ? nil : person
        guard !given.has(Self.removal) else {
            if let word = given.operands.first { throw .unexpectedOperand(word) }
            newName = nil
            return
        }
        guard !given.operands.isEmpty else { throw .missingOperand("NAME") }
        newName = given.operands.joined(separator: " ")
    }
}

extension StayNameCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let database = try OpenedLibrary.existing(in: folder).database
        guard let newName else {
            let isRemoved = try database.removeStayName(longitude: longitude, latitude: latitude, of: person)
            guard !isRemoved else { return .done }
            context.terminal.report("tileserve stays name: no place has a name here")
            return .incomplete
        }
        guard let text = StayName.text(newName) else {
            throw Failure(.usage, "tileserve stays name: a name is a line of 1 to \(StayName.limit) characters")
        }
        let name = StayName(longitude: longitude, latitude: latitude, name: text)
        let named = try database.nameStays(at: name, of: person)
        let id = StayPlace.id(longitude: named.longitude, latitude: named.latitude)
        try context.terminal.say("\(id) \(named.name.singleLine)")
        return .done
    }
}
