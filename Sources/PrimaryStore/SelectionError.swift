/// What a query selects by, and does not exist.
package enum SelectionError: Error, Sendable, Equatable, CustomStringConvertible {
    case noSuchLayer(String)
    case noSuchPerson(String)

    package var description: String {
        switch self {
        case .noSuchLayer: "no layer has this name; /layers lists them"
        case .noSuchPerson: "no track belongs to this person"
        }
    }
}
