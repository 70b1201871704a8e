package import PrimaryStore

/// The processes that serve a library. A removal is complete when none of them has the removed tracks in memory.
package protocol Membership: Sendable {
    /// Registers a process that has in memory nothing older than `head`.
    ///
    /// `poll` reads the changes of the library, and publishes that it has done so; it is called by a removal in this
    /// process. Other processes check for changes several times a second.
    func join(head: Head, poll: @escaping @Sendable () -> Void) throws -> any Member

    /// Returns when every registered process has published `revision` or a later one, or has ended; false if one has
    /// not within `timeoutMilliseconds`.
    func waitUntilConfirmed(_ revision: Int64, timeoutMilliseconds: Int) throws -> Bool
}

/// The lease of a process that serves a library.
package struct MemberLease: Sendable {
    /// Names the process among those of the library.
    package var name: String
    /// For how many seconds it may serve from memory without reaching the database.
    package var seconds: Double
}

/// The registration of this process; ends when it is released.
package protocol Member: Sendable {
    /// Whether removals still wait for this process; cheap enough to be read for each request. If not, nothing may be
    /// served from memory until the library was read and a head was published, whether it has changed or not; a first
    /// attempt to do so may only register the process again.
    var mayServe: Bool { get }
    /// The lease of this process; nil if it needs none, because it is on the machine of the library.
    var lease: MemberLease? { get }
    /// Publishes that nothing in memory is older than `head`.
    func publish(_ head: Head) throws
}
