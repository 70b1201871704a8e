import Dispatch
import Locking
import Tracks

/// Lets a sink digest, encode and measure points on a thread of its own while the reader goes on reading.
///
/// Chunks are taken in their order, some at a time; what a chunk fails with is thrown by a later call, and chunks behind it
/// are passed over until then.
final class PipelinedSink: RecordingSink {
    /// Locked while it works on a chunk: the reader looks at `failure` only.
    private let sink: Locked<any RecordingSink>
    private let failure = Locked<(any Error)?>(nil)
    private let queue = DispatchQueue(label: "tileserve.import.sink")
    private let room: DispatchSemaphore

    /// Chunks on their way: a few MiB at most.
    private static let chunksUnderWay = 16

    init(_ sink: sending any RecordingSink) {
        self.sink = Locked(sink)
        room = DispatchSemaphore(value: Self.chunksUnderWay)
    }

    func open() throws -> OpenRecording {
        try inTurn { try $0.open() }
    }

    func append(_ chunk: PointChunk, to recording: OpenRecording) throws {
        if let error = failure.withLock({ $0.take() }) { throw error }
        room.wait()
        queue.async { [sink, failure, room] in
            defer { room.signal() }
            guard failure.withLock({ $0 == nil }) else { return }
            do {
                try sink.withLock { try $0.append(chunk, to: recording) }
            } catch {
                failure.withLock { $0 = error }
            }
        }
    }

    func close(_ recording: OpenRecording, header: RecordingHeader) throws -> RecordingOutcome {
        try inTurn { try $0.close(recording, header: header) }
    }

    func abandon(_ recording: OpenRecording) {
        queue.sync {
            // Whoever abandons knows already that something failed.
            failure.withLock { $0 = nil }
            sink.withLock { $0.abandon(recording) }
        }
    }

    func finish() throws {
        try inTurn { try $0.finish() }
    }

    /// Runs `body` behind the chunks under way; throws what one of them failed with instead.
    private func inTurn<Result: Sendable>(_ body: (any RecordingSink) throws -> Result) throws -> Result {
        try queue.sync {
            if let error = failure.withLock({ $0.take() }) { throw error }
            return try sink.withLock { try body($0) }
        }
    }
}
