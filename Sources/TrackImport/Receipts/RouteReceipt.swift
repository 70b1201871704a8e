/// What became of a planned route of a file.
public struct RouteReceipt: Sendable, Equatable {
    /// What the import did to the route.
    public enum Change: String, Sendable {
        case added, unchanged
    }

    public let id: String
    public let name: String
    public let change: Change
    /// The number of its places.
    public let places: Int

    public init(id: String, name: String, change: Change, places: Int) {
        self.id = id
        self.name = name
        self.change = change
        self.places = places
    }
}

/// What the planned routes of a file were.
public enum RouteResult: Sendable {
    case stored([RouteReceipt])
    /// They cannot be routes of journeys; with the reason.
    case refused(String)
}
