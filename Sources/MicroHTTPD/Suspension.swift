import CMicroHTTPD
import Files
import HTTPCore
import Locking

/// A connection's wait for its reply, or for the disk, ended once: by either, or because the reader has gone.
///
/// The library may be told to resume from any thread, and wakes its event loop by itself. Safe: the connection stays as it is
/// until it is resumed, and it is resumed here alone, under the lock that says whether it was.
@safe
final class Suspension: @unchecked Sendable {
    /// How the wait ended.
    enum End: Sendable {
        case replied(Reply)
        /// A part of the body is on the disk, unless there is an error.
        case stored(FileError?)
        case abandoned
    }

    private let native: OpaquePointer
    private let state = Locked<End?>(nil)

    /// Suspends the connection; called from within the library's access callback.
    init(_ native: OpaquePointer) {
        unsafe self.native = native
        unsafe MHD_suspend_connection(native)
    }

    /// How the wait ended; nil while it lasts.
    var end: End? { state.withLock { $0 } }

    /// Ends the wait and resumes the connection; false when it had ended before.
    @discardableResult
    func end(_ end: End) -> Bool {
        state.withLock { state in
            guard state == nil else { return false }
            state = end
            // Within the lock, so that whoever sees the end knows that the library knows it, too: it must not be
            // stopped while a connection is suspended.
            unsafe MHD_resume_connection(native)
            return true
        }
    }
}
