/// The exit codes of the program; from 64 on as in sysexits.h.
public enum ExitCode: Int32, Sendable {
    /// Success.
    case done = 0
    /// Some files failed, nothing matched, or the command was stopped before its end.
    case incomplete = 1
    /// An error in the command line.
    case usage = 64
    /// Data is damaged or invalid.
    case badData = 65
    /// A file, folder, library or track does not exist.
    case noInput = 66
    /// The port is in use, or cannot be bound.
    case unavailable = 69
    /// An internal error.
    case software = 70
    /// A disk error, or missing permissions.
    case disk = 74
}
