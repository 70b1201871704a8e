internal import Locking

/// The body of an answer that comes about while it is sent: one side writes events into a bounded buffer, the listener
/// takes bytes out of it whenever the socket can have some.
///
/// Any thread may use it. Nothing is asked for before the listener has opened it, and nothing is kept once it is closed.
public final class EventChannel: Sendable {
    /// What there is for the reader.
    public enum Portion: Sendable, Equatable {
        case bytes([UInt8])
        /// Nothing yet: the reader waits, and is woken.
        case waiting
        /// All was sent.
        case ended
        /// Somebody has hung up.
        case closed
    }

    private struct State: Sendable {
        var buffer: [UInt8] = []
        /// Bytes at the buffer's beginning that were taken.
        var taken = 0
        var takenInAll = 0
        var isWaiting = false
        var isOpened = false
        var isEnded = false
        var isClosed = false
        /// Whether the writer has been told of room, and has written nothing since.
        var isAsked = false
        var wake: (@Sendable () -> Void)?
        var wanted: (@Sendable () -> Void)?
        var closed: (@Sendable () -> Void)?

        var count: Int { buffer.count - taken }
    }

    private let state = Locked(State())

    /// Bytes in the buffer from which on its writer should wait: some seconds of the fastest paced stream.
    public static let fullBytes = 32 * 1024
    /// With fewer bytes left the writer is asked for more.
    private static let lowBytes = 16 * 1024

    /// A channel that nobody reads yet.
    public init() {}

    // MARK: Writing

    /// Sets what is called when there is room, first when somebody begins to read; and once when it is over, whoever
    /// ended it. Both are called from any thread, and should only hand over.
    public func onDemand(_ wanted: @escaping @Sendable () -> Void, closed: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            guard !state.isClosed else { return true }
            state.wanted = wanted
            state.closed = closed
            return false
        }
        if isClosed { closed() }
    }

    /// Adds bytes; none are kept once it is closed.
    public func write(_ bytes: [UInt8]) {
        state.withLock { state in
            guard !state.isClosed, !state.isEnded else { return }
            if state.count == 0 {
                state.buffer = bytes
                state.taken = 0
            } else {
                state.buffer += bytes
            }
            state.isAsked = false
            Self.wake(&state)
        }
    }

    /// Nothing more comes; what was written is still sent.
    public func end() {
        state.withLock { state in
            state.isEnded = true
            Self.wake(&state)
        }
    }

    /// Whether its writer should wait until it is asked for more.
    public var isFull: Bool { state.withLock { $0.count >= Self.fullBytes } }
    /// Bytes that were written and not yet taken.
    public var bytesWaiting: Int { state.withLock { $0.count } }
    /// Whether everything that was written has been taken.
    public var isEmpty: Bool { state.withLock { $0.count == 0 } }
    /// Whether somebody has begun to read.
    public var isOpened: Bool { state.withLock { $0.isOpened } }
    /// Whether nobody reads any more.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    // MARK: Reading

    /// Begins to read; `wake` is called within the channel's lock whenever a wait is over.
    public func open(wake: @escaping @Sendable () -> Void) {
        let wanted = state.withLock { state in
            state.isOpened = true
            state.wake = wake
            state.isAsked = true
            return state.wanted
        }
        wanted?()
    }

    /// The next bytes, at most `limit`. Where there are none yet, `wait` is called within the lock, so that no bytes can
    /// come between looking and waiting.
    public func take(upTo limit: Int, orWait wait: () -> Void) -> Portion {
        let (portion, wanted) = state.withLock { state -> (Portion, (@Sendable () -> Void)?) in
            if state.isClosed { return (.closed, nil) }
            guard state.count > 0 else {
                if state.isEnded { return (.ended, nil) }
                state.isWaiting = true
                wait()
                return (.waiting, nil)
            }
            let count = min(limit, state.count)
            let isAll = count == state.buffer.count
            let bytes = isAll ? state.buffer : Array(state.buffer[state.taken..<state.taken + count])
            state.taken += count
            state.takenInAll += count
            if state.taken == state.buffer.count {
                // A reader that has everything costs no memory.
                state.buffer = []
                state.taken = 0
            } else if state.taken > Self.lowBytes {
                state.buffer.removeFirst(state.taken)
                state.taken = 0
            }
            guard state.count < Self.lowBytes, !state.isAsked, !state.isEnded else { return (.bytes(bytes), nil) }
            state.isAsked = true
            return (.bytes(bytes), state.wanted)
        }
        wanted?()
        return portion
    }

    /// Nobody reads any more. A reader that waits is woken to hear it.
    public func close() {
        let closed = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            state.buffer = []
            state.taken = 0
            Self.wake(&state)
            defer { (state.wake, state.wanted, state.closed) = (nil, nil, nil) }
            return state.closed
        }
        closed?()
    }

    /// Bytes that were taken since it was opened.
    public var bytesTaken: Int { state.withLock { $0.takenInAll } }

    private static func wake(_ state: inout State) {
        guard state.isWaiting else { return }
        state.isWaiting = false
        state.wake?()
    }
}
