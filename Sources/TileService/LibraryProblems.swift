public import HTTPCore
public import TrackStore

extension LibraryError: ProblemError {
    /// What clients can wait for, or cannot have here; all else is the operator's.
    public var problem: Problem? {
        switch self {
        case .gridDamaged:
            Problem.unavailable(
                "the map was damaged and is being prepared again; /health tells how far it is",
                retryAfterSeconds: Health.retryAfterSeconds)
        case .readOnly: Self.readOnlyProblem
        default: nil
        }
    }

    /// Answers whoever wants to change a library that can only be read.
    static let readOnlyProblem = Problem(.forbidden, "this library can only be read; nothing of it can be changed here")
}
