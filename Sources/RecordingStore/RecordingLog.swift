package import Database

/// Where recorded points are stored until they are moved into the streams of their devices.
///
/// Each process that records has a session, and writes segments that no other session writes. A complete segment is
/// moved by its session; what a process left that has ended is moved by any other. `RecordingBuffer` decides when points
/// are written, and when they are moved; `TrackDatabase` moves them.
package protocol RecordingLog: Sendable {
    /// Begins a session, of which other processes know from now on.
    ///
    /// One point per device of each period of `samplingMilliseconds` is kept when the points are moved; nil keeps all.
    /// `flush` moves everything that the session has recorded, and returns false if that failed.
    func begin(
        samplingMilliseconds: Int64?, flush: @escaping @Sendable () -> Bool
    ) throws -> any RecordingSession

    /// Calls `body` with each segment of processes that have ended, in the order in which each of them recorded, until
    /// `body` returns false. No other process moves them meanwhile.
    ///
    /// A segment for which `body` throws stays, and the next one follows; the first error is thrown at the end.
    func forEachAbandoned(_ body: (any RecordedSegment) throws -> Bool) throws

    /// Whether the segment with this name exists.
    func contains(segment name: String) throws -> Bool

    /// Returns when every running session has moved what it had recorded before; false if one has failed, or has not
    /// done so within `timeoutMilliseconds`. A process may end meanwhile, and leave its segments.
    func flushSessions(timeoutMilliseconds: Int) throws -> Bool

    /// What other processes have recorded since the last call with this position, in the order of each of them. The first call
    /// returns nothing. Points may be left out that were moved in the meantime.
    func newPoints(since position: inout RecordedPosition) throws -> [RecordedPoints]
}

/// Up to where the sessions of other processes have been read.
package struct RecordedPosition: Sendable, Equatable {
    /// By session or segment; its meaning is that of the log.
    var ends: [String: Int64]
    /// Whether nothing was read yet.
    var isFirst: Bool

    init(ends: [String: Int64], isFirst: Bool) {
        self.ends = ends
        self.isFirst = isFirst
    }

    /// The position before the first call.
    package init() {
        self.init(ends: [:], isFirst: true)
    }
}

/// What one process records. `append`, `seal` and `end` are called one at a time.
package protocol RecordingSession: Sendable {
    /// Whether another process has taken over what this session has recorded, because this process did not renew its lease
    /// in time. Nothing more can be appended.
    var isLost: Bool { get }
    /// Appends encoded points to the current segment, and returns its size in bytes; on return they survive a power
    /// failure. If it throws, it is unknown how much of them is stored.
    func append(_ bytes: [UInt8]) throws -> Int
    /// Completes the current segment, so that it can be moved; nil if nothing was appended to it.
    func seal() -> (any RecordedSegment)?
    /// Whether another process waits until everything recorded so far has been moved.
    var isFlushRequested: Bool { get }
    /// Reports that everything recorded before `isFlushRequested` was read has been moved.
    func reportFlushed()
    /// Ends the session, all of whose segments were moved.
    func end()
}

/// A complete part of what a session recorded.
package protocol RecordedSegment: Sendable {
    /// Its name, unique in its library: the progress of moving it is stored under this name.
    var name: String { get }
    /// The sampling period of its session.
    var samplingMilliseconds: Int64? { get }
    /// Throws if another process may move it; otherwise none does before the transaction of `session`, a session of the
    /// primary store that may write, has ended.
    func hold(in session: any Session) throws
    /// Calls `body` with the points in the order in which they were recorded.
    func forEach(_ body: (RecordedPoints) throws -> Void) throws
    /// Deletes it; durable on return.
    func delete() throws
}
