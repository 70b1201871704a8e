/// What became of a venue of a file.
public struct VenueReceipt: Sendable, Equatable {
    /// What the import did to the venue.
    public enum Change: String, Sendable {
        case added, replaced, unchanged
    }

    public let id: String
    public let name: String
    public let change: Change
    /// What it consists of, for the user: `1 building, 7 levels, 342 places`.
    public let content: String
    /// What was left out or guessed, each in one line.
    public let notices: [String]

    public init(id: String, name: String, change: Change, content: String, notices: [String]) {
        self.id = id
        self.name = name
        self.change = change
        self.content = content
        self.notices = notices
    }
}
