import TrackStore

/// Which stays are shown: those of a time and of a person.
struct StaySelection {
    let window: DateWindow
    private let person: String?

    init(_ given: CommandLineArguments, person: Option) throws(UsageError) {
        window = try DateWindow(given)
        self.person = try given.value(person, .name(characters: TokenName.characterLimit)) { $0 }
    }

    /// Whether only some stays are shown.
    var isFiltered: Bool { !window.isEverything || person != nil }

    /// The stays of each person, from a map that has all changes.
    func persons(of library: Library, _ context: CommandEnvironment) throws -> [PersonStays] {
        var query = StaysQuery()
        (query.from, query.to) = try window.instants(in: try library.calendar())
        query.person = person
        guard try library.updateMap(context) else { throw context.stopFailure() }
        return try library.selected(try library.stays(), query)
    }
}
