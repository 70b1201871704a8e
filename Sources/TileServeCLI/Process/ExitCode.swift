/// The exit codes of the program; from 64 on as in sysexits.h.
public enum ExitCode: Int32, Sendable {
    /// Success.
    case done = 0
    /// Some files failed, some names are of nothing, nothing matched, or the command was stopped before its end.
    case incomplete = 1
    /// An error in the command line.
    case usage = 64
    /// Data is damaged or invalid.
    case badData = 65
    /// A library, layer or person does not exist, or none of the given files, ids and names does.
    case noInput = 66
    /// The port is in use, or cannot be bound.
    case unavailable = 69
    /// An internal error.
    case software = 70
    /// A disk error, or missing permissions.
    case disk = 74
}
