/// What the program says to whoever started it; numbers from 64 on as in sysexits.h.
public enum ExitCode: Int32, Sendable {
    /// All well.
    case done = 0
    /// Some files failed, nothing matched, or it was stopped before it was done.
    case incomplete = 1
    /// The command line is wrong.
    case usage = 64
    /// Data is damaged, or not what it should be.
    case badData = 65
    /// There is no such file, folder, library or track.
    case noInput = 66
    /// The port is taken, or otherwise not to be had.
    case unavailable = 69
    /// A mistake of our own.
    case software = 70
    /// The disk, or the rights to it.
    case disk = 74
}
