internal import Digest
internal import Locking
public import Tracks

/// Takes one thread's recordings into the truth; several sessions may be at work at once.
///
/// Closed recordings wait in memory to be written several at a time: call `finish()` before telling anybody that they are
/// kept. Long recordings are written aside while they are read. Where many are open at once, as those of a file whose
/// tracks interleave, the ones used least recently are parked in a spool on disk. So memory stays bounded.
public final class ImportSession: RecordingSink {
    private let store: TrackDatabase
    private var states: [Int: OpenState] = [:]
    private var nextNumber = 0
    private let cleaning: CleaningRule
    private let importNumber: Int64
    private let memoryBytes: Int
    private var spool: PointSpool?
    private var uses = 0
    /// Bytes of the recordings that are not parked.
    private var ownBytes = 0

    /// Bytes of encoded points that one open recording holds before they are written aside: what a transaction writes well
    /// within 100 ms.
    static let spillBytes = 4 << 20
    /// Bytes that all open recordings of a store hold together; beyond, whoever adds parks its own.
    static let sharedBytes = 64 << 20
    /// A session parks so much of its bound at once, so that it seldom looks for what was used least recently.
    private static let parkedShare = 4
    /// Fields that points of a chunk may carry.
    static let fieldLimit = PointChunk.fieldLimit
    /// An open recording with fewer bytes of chunks than this is not worth writing aside.
    private static let leastSpillBytes = 64 << 10

    init(store: TrackDatabase, importNumber: Int64, memoryBytes: Int = ImportSession.sharedBytes) throws {
        self.store = store
        self.memoryBytes = memoryBytes
        self.importNumber = importNumber
        cleaning = try store.cleaning()
    }

    deinit {
        let left = ownBytes
        store.buffered.withLock { $0 -= left }
        // What was written aside is swept when the library is opened next.
        for state in states.values {
            if let number = state.aside { try? store.write { try $0.dropAside(number) } }
        }
    }

    public func open() throws -> OpenRecording {
        nextNumber += 1
        let state = OpenState(cleaning: cleaning)
        states[nextNumber] = state
        note(state.bytes)
        return OpenRecording(number: nextNumber)
    }

    public func append(_ chunk: PointChunk, to recording: OpenRecording) throws {
        guard let state = states[recording.number] else { preconditionFailure("a recording that is not open") }
        guard chunk.count > 0 else { return }
        if let spool, state.isParked { return try Self.storing(store) { try state.add(chunk, in: spool) } }
        uses += 1
        state.lastUse = uses
        let before = state.bytes
        try state.add(chunk)
        let total = note(state.bytes - before)
        if state.encodedBytes > Self.spillBytes { try spill(state) }
        if total > memoryBytes { try park(except: state) }
    }

    /// Notes that the recordings in memory have become so much larger; gives what all of the store's are.
    @discardableResult
    private func note(_ growth: Int) -> Int {
        ownBytes += growth
        return store.buffered.withLock { sum in
            sum += growth
            return sum
        }
    }

    public func close(_ recording: OpenRecording, header: RecordingHeader) throws -> RecordingOutcome {
        guard let state = states.removeValue(forKey: recording.number) else {
            preconditionFailure("a recording that is not open")
        }
        note(-state.bytes)
        do {
            if let spool, state.isParked {
                try Self.storing(store) {
                    try state.unpark(from: spool) {
                        if state.encodedBytes > Self.spillBytes { try writeAside(state) }
                    }
                }
            }
        } catch {
            dropAside(state)
            throw error
        }
        state.end()
        guard state.points > 0 else { return RecordingOutcome() }
        var recording = try state.finished(header: header)
        recording.importNumber = importNumber
        let closed = recording
        return try store.write { try $0.add(closed) }
    }

    public func abandon(_ recording: OpenRecording) {
        guard let state = states.removeValue(forKey: recording.number) else { return }
        note(-state.bytes)
        dropAside(state)
    }

    private func dropAside(_ state: OpenState) {
        // What stays behind after a failure is swept when the library is opened next.
        if let number = state.aside { try? store.write { try $0.dropAside(number) } }
    }

    /// Makes everything durable that was closed.
    public func finish() throws {
        try store.flush()
    }

    private func spill(_ state: OpenState) throws {
        let before = state.bytes
        try writeAside(state)
        note(state.bytes - before)
    }

    private func writeAside(_ state: OpenState) throws {
        let chunks = state.takeChunks()
        let number = state.aside
        let first = state.asideChunks
        state.aside = try store.write { try $0.writeAside(chunks, number: number, firstOrdinal: first) }
        state.asideChunks += chunks.count
    }

    /// Parks recordings but the one in use, those used least recently first; that one is written aside where no other holds
    /// enough.
    private func park(except current: OpenState) throws {
        let wanted = memoryBytes / Self.parkedShare
        if ownBytes - current.bytes < wanted {
            if current.encodedBytes > Self.leastSpillBytes { try spill(current) }
            return
        }
        try Self.storing(store) {
            let spool = try self.spool ?? PointSpool(below: store.folder)
            self.spool = spool
            var parked = 0
            let open = states.values.filter { $0 !== current && $0.points > 0 && !$0.isParked }
            for state in open.sorted(by: { $0.lastUse < $1.lastUse }) where parked < wanted {
                let bytes = state.bytes
                try state.park(in: spool)
                parked += bytes - state.bytes
                note(state.bytes - bytes)
            }
        }
    }

    private static func storing<Result>(_ store: TrackDatabase, _ body: () throws -> Result) throws -> Result {
        try TrackDatabase.labelled(store.path, body)
    }
}

/// A recording that was read to its end.
struct ClosedRecording: Sendable {
    var header: RecordingHeader
    var digest: ContentDigest
    /// Who brings it.
    var importNumber = ImportRecord.none
    /// Measured with the standard gap rule, or that of the header.
    var summary: TrackSummary
    /// What it was measured with.
    var cleaning: CleaningRule
    /// Encoded, those behind `asideChunks`.
    var chunks: [[UInt8]]
    /// The number under which the first chunks were written aside.
    var aside: Int64?
    var asideChunks: Int

    var chunkCount: Int { asideChunks + chunks.count }
    /// A chunk's bytes where they are in memory.
    func bytes(ofChunk ordinal: Int) -> [UInt8]? {
        ordinal >= asideChunks ? chunks[ordinal - asideChunks] : nil
    }
    var byteCount: Int { chunks.reduce(0) { $0 + $1.count } }
}
