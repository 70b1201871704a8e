import Decompression
import Dispatch
import HTTPCore
import Locking
import Pins
import Replay
import TrackExport

/// Long exports under way: each makes bytes when its client has read some, apart from listening and drawing.
final class ExportStreams: Sendable {
    /// One at a time, so that a core stays free: each export stops when its channel is full.
    private let queue = DispatchQueue(label: "tileserve.export", qos: .utility)
    private let open = Locked(0)

    /// Limit of simultaneous exports; each holds some chunks, and reads the disk.
    private static let limit = 8
    /// Seconds after which a refused client may retry.
    private static let retryAfterSeconds = 10

    /// The channel of an export that continues after `bytes`; a `429` if there are too many. `closed` is called when
    /// the channel is closed.
    func open(
        _ made: sending ExportProducer, behind bytes: [UInt8], closed: @escaping @Sendable () -> Void = {}
    ) throws -> EventChannel {
        let isAdmitted = open.withLock { open in
            guard open < Self.limit else { return false }
            open += 1
            return true
        }
        guard isAdmitted else {
            throw Problem(
                .tooManyRequests, "the limit of simultaneous exports is reached; try again later",
                headers: [ResponseHeader(.retryAfter, "\(Self.retryAfterSeconds)")])
        }
        let channel = EventChannel()
        var producer = made
        let first = try producer.encode(bytes)
        let work = ExportWork(producer, channel, on: queue) { [open] in open.withLock { $0 -= 1 } }
        if !first.isEmpty { channel.write(first) }
        // The channel lives as long as its response, and holds the work.
        channel.onDemand(
            { work.wake() },
            closed: {
                work.end()
                closed()
            })
        return channel
    }
}

/// A source of an export whose client may disconnect: reading it then throws `CancellationError`. Otherwise it could read
/// many tracks for nobody, because a portion is not complete before one of them has something to write.
struct CancellableExportSource: ExportSource {
    private var source: any ExportSource
    private let isCancelled: @Sendable () -> Bool

    init(_ source: any ExportSource, isCancelled: @escaping @Sendable () -> Bool) {
        self.source = source
        self.isCancelled = isCancelled
    }

    private func check() throws {
        if isCancelled() { throw CancellationError() }
    }

    var count: Int { source.count }
    var hasPins: Bool { source.hasPins }

    mutating func track(at index: Int) throws -> ExportTrack? {
        try check()
        return try source.track(at: index)
    }

    mutating func points(of track: ExportTrack, at position: ReadingPosition) throws -> PointReading {
        try check()
        return try source.points(of: track, at: position)
    }

    mutating func nextPins() throws -> [Pin] {
        try check()
        return try source.nextPins()
    }
}

/// The bytes of an export, compressed if the client accepts it.
struct ExportProducer {
    private var export: Export
    private var writer: DeflateWriter?
    private var isAtEnd = false

    init(_ export: Export) { self.export = export }

    /// Compresses everything that follows.
    mutating func compress() throws { writer = try DeflateWriter(.gzip, level: .fastest) }

    /// Bytes of the export in the form that is sent.
    mutating func encode(_ bytes: [UInt8]) throws -> [UInt8] {
        try writer?.compress(bytes, isLast: false) ?? bytes
    }

    /// The next bytes, which may be none yet; nil at the end.
    mutating func next() throws -> [UInt8]? {
        guard !isAtEnd else { return nil }
        if let bytes = try export.next() { return try encode(bytes) }
        isAtEnd = true
        return try writer?.compress([], isLast: true)
    }
}

/// One export that is being sent.
private final class ExportWork: Sendable {
    private let producer: Locked<ExportProducer>
    private let queue: DispatchQueue
    private let ended: @Sendable () -> Void
    private let isEnded = Locked(false)
    private let held: Locked<Reference>

    /// The channel, which only its response holds.
    private struct Reference: Sendable {
        weak var channel: EventChannel?
    }

    init(
        _ producer: sending ExportProducer, _ channel: EventChannel, on queue: DispatchQueue,
        ended: @escaping @Sendable () -> Void
    ) {
        self.producer = Locked(producer)
        self.queue = DispatchQueue(label: "tileserve.export.stream", target: queue)
        self.ended = ended
        held = Locked(Reference(channel: channel))
    }

    deinit { end() }

    /// Ends the export: the client has disconnected, or everything was written.
    func end() {
        let isFirst = isEnded.withLock { isEnded in
            defer { isEnded = true }
            return !isEnded
        }
        if isFirst { ended() }
    }

    /// Writes until the channel is full.
    func wake() {
        queue.async { [self] in
            guard let channel = held.withLock({ $0.channel }) else { return }
            // Something must be written, otherwise the channel does not ask again. The compression may return nothing
            // for some portions.
            var hasWritten = false
            repeat {
                do {
                    guard let bytes = try producer.withLock({ try $0.next() }) else {
                        channel.end()
                        return
                    }
                    if !bytes.isEmpty {
                        channel.write(bytes)
                        hasWritten = true
                    }
                } catch {
                    // The response has begun: the client sees that it is incomplete.
                    channel.close()
                    return
                }
            } while !channel.isClosed && (!hasWritten || !channel.isFull)
        }
    }
}
