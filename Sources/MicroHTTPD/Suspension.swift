import CMicroHTTPD
import Files
import HTTPCore
import Locking

/// A connection's wait for its reply or for the disk; it ends once, also when the client disconnects.
///
/// The library allows resuming on any thread, and wakes its event loop itself. Safe: the connection does not change
/// until it is resumed, and it is only resumed here, under the lock that records whether it was.
@safe
final class Suspension: @unchecked Sendable {
    /// How the wait ended.
    enum End: Sendable {
        case replied(OutgoingResponse)
        /// A block of the body was written to disk, or failed with this error.
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

    /// How the wait ended; nil while it continues.
    var end: End? { state.withLock { $0 } }

    /// Ends the wait and resumes the connection; false if it had already ended.
    @discardableResult
    func end(_ end: End) -> Bool {
        state.withLock { state in
            guard state == nil else { return false }
            state = end
            // With the lock held: whoever sees the end can rely on the library having been informed, because the daemon
            // must not be stopped while a connection is suspended.
            unsafe MHD_resume_connection(native)
            return true
        }
    }
}
