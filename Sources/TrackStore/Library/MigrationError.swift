/// Why a library cannot be copied, as one sentence: where: what; what to do.
package enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    case sameLibrary(String)
    case targetNotEmpty(String)
    /// A server or another copy uses the target.
    case targetInUse(String)
    /// An import is writing to the source.
    case sourceInUse(String)
    /// A running server has not moved the points that it has recorded.
    case recordedNotMoved(String)
    /// Rows of the source do not match their sums.
    case damaged(source: String, table: String)
    /// The target does not contain what was written to it.
    case different(target: String, table: String)
    /// `isStopped` was true.
    case stopped

    package var description: String {
        switch self {
        case .sameLibrary(let place): "\(place): is the library that is to be copied; name another place with --to"
        case .targetNotEmpty(let place):
            "\(place): there is a library already; a copy needs a new or an empty place"
        case .targetInUse(let place):
            "\(place): is used by another process; stop it first"
        case .sourceInUse(let place): "\(place): something is being imported; try again when it has ended"
        case .recordedNotMoved(let place):
            "\(place): a running server has not stored the points that it has recorded; try again, or stop it first"
        case .damaged(let source, let table):
            "\(source): rows of the table \(table) were altered, and are not copied; run `tileserve verify`"
        case .different(let target, let table):
            "\(target): the table \(table) does not contain what was written to it; the copy cannot be used, make it again"
        case .stopped: "the copy was stopped"
        }
    }
}
