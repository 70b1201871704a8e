internal import Locking

/// The body of a response that is produced while it is sent: a producer writes events into a bounded buffer, and the
/// listener takes bytes from it when the socket is writable.
///
/// Thread-safe. The producer is not asked for data before the listener has opened the channel, and the buffer is
/// emptied when it is closed.
public final class EventChannel: Sendable {
    /// The result of a read.
    public enum ReadResult: Sendable, Equatable {
        case bytes([UInt8])
        /// No bytes yet: the reader waits until `wake` is called.
        case waiting
        /// Everything was sent.
        case ended
        /// The channel was closed.
        case closed
    }

    private struct State: Sendable {
        var buffer: [UInt8] = []
        /// Bytes at the buffer's beginning that were already taken.
        var taken = 0
        var totalTaken = 0
        var isWaiting = false
        var isOpened = false
        var isEnded = false
        var isClosed = false
        /// Whether the producer was notified that there is room, and has written nothing since.
        var isDemandSignaled = false
        var wake: (@Sendable () -> Void)?
        var demandHandler: (@Sendable () -> Void)?
        var closed: (@Sendable () -> Void)?

        var count: Int { buffer.count - taken }
    }

    private let state = Locked(State())

    /// Buffered bytes at which the producer should pause: a few seconds of the fastest paced stream.
    public static let highWaterBytes = 32 * 1024
    /// Below this many buffered bytes the producer is asked for more.
    private static let lowWaterBytes = 16 * 1024

    /// A channel without a reader.
    public init() {}

    // MARK: Writing

    /// Sets the callbacks: `demandHandler` is called when there is room, for the first time when the reader opens the channel;
    /// `closed` is called once, when the channel is closed by either side. Both may be called on any thread and must
    /// return quickly.
    public func onDemand(_ demandHandler: @escaping @Sendable () -> Void, closed: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            guard !state.isClosed else { return true }
            state.demandHandler = demandHandler
            state.closed = closed
            return false
        }
        if isClosed { closed() }
    }

    /// Adds bytes; ignored after the channel is closed or ended.
    public func write(_ bytes: [UInt8]) {
        state.withLock { state in
            guard !state.isClosed, !state.isEnded else { return }
            if state.count == 0 {
                // Takes over the producer's array without a copy.
                state.buffer = bytes
                state.taken = 0
            } else {
                state.buffer += bytes
            }
            state.isDemandSignaled = false
            Self.wake(&state)
        }
    }

    /// Ends the stream; what was written before is still sent.
    public func end() {
        state.withLock { state in
            state.isEnded = true
            Self.wake(&state)
        }
    }

    /// Whether the producer should wait until it is asked for more.
    public var isFull: Bool { state.withLock { $0.count >= Self.highWaterBytes } }
    /// Bytes written and not yet taken.
    public var bytesWaiting: Int { state.withLock { $0.count } }
    /// Whether everything written has been taken.
    public var isEmpty: Bool { state.withLock { $0.count == 0 } }
    /// Whether the reader has opened the channel.
    public var isOpened: Bool { state.withLock { $0.isOpened } }
    /// Whether the channel was closed.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    // MARK: Reading

    /// Begins reading. `wake` is called with the channel's lock held, each time a wait ends.
    public func open(wake: @escaping @Sendable () -> Void) {
        let demandHandler = state.withLock { state in
            state.isOpened = true
            state.wake = wake
            state.isDemandSignaled = true
            return state.demandHandler
        }
        demandHandler?()
    }

    /// The next bytes, at most `limit`. If there are none yet, `wait` is called with the lock held, so that no bytes
    /// can arrive between the check and the wait.
    public func take(upTo limit: Int, orWait wait: () -> Void) -> ReadResult {
        let (result, demandHandler) = state.withLock { state -> (ReadResult, (@Sendable () -> Void)?) in
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
            state.totalTaken += count
            if state.taken == state.buffer.count {
                // Frees the buffer of a reader that has taken everything.
                state.buffer = []
                state.taken = 0
            } else if state.taken > Self.lowWaterBytes {
                state.buffer.removeFirst(state.taken)
                state.taken = 0
            }
            guard state.count < Self.lowWaterBytes, !state.isDemandSignaled, !state.isEnded else {
                return (.bytes(bytes), nil)
            }
            state.isDemandSignaled = true
            return (.bytes(bytes), state.demandHandler)
        }
        demandHandler?()
        return result
    }

    /// Stops the stream and drops buffered bytes; a waiting reader is woken.
    public func close() {
        let closed = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            state.buffer = []
            state.taken = 0
            Self.wake(&state)
            defer { (state.wake, state.demandHandler, state.closed) = (nil, nil, nil) }
            return state.closed
        }
        closed?()
    }

    /// Bytes taken since the channel was opened.
    public var bytesTaken: Int { state.withLock { $0.totalTaken } }

    private static func wake(_ state: inout State) {
        guard state.isWaiting else { return }
        state.isWaiting = false
        state.wake?()
    }
}
