internal import Locking

/// Tells the operator once that an archive is damaged: each of its tiles may be.
public final class DamageReport: Sendable {
    private let report: @Sendable (any Error) -> Void
    private let isMade = Locked(false)

    public init(_ report: @escaping @Sendable (any Error) -> Void) { self.report = report }

    /// Tells of an error, unless one was told before.
    public func make(_ error: any Error) {
        let isFirst = isMade.withLock { isMade in
            defer { isMade = true }
            return !isMade
        }
        if isFirst { report(error) }
    }
}
