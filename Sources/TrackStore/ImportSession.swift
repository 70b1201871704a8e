internal import Digest
internal import Locking
public import Tracks

/// Takes one thread's recordings into the truth; several sessions may be at work at once.
///
/// Closed recordings wait in memory to be written several at a time: call `finish()` before telling anybody that they are
/// kept. Long recordings are written aside while they are read, so that memory stays bounded.
public final class ImportSession: RecordingSink {
    private let store: TruthStore
    private var states: [Int: OpenState] = [:]
    private var nextNumber = 0
    private let cleaning: CleaningRule
    private let importNumber: Int64

    /// Bytes of encoded points that one open recording holds before they are written aside: what a transaction writes well
    /// within 100 ms.
    static let spillBytes = 4 << 20
    /// Bytes that all open recordings of a store hold together; beyond, whoever adds writes its own aside.
    static let sharedBytes = 64 << 20
    /// Fields that points may carry: a chunk of so many still decodes in 128 MiB.
    static let fieldLimit = 4000
    /// An open recording with fewer bytes than this is not worth writing aside.
    private static let leastSpillBytes = 64 << 10

    init(store: TruthStore, importNumber: Int64) throws {
        self.store = store
        self.importNumber = importNumber
        cleaning = try store.cleaning()
    }

    deinit {
        let left = states.values.reduce(0) { $0 + $1.bytes }
        store.buffered.withLock { $0 -= left }
        // What was written aside is swept when the library is opened next.
        for state in states.values {
            if let number = state.aside { try? store.write { try $0.dropAside(number) } }
        }
    }

    public func open() throws -> OpenRecording {
        nextNumber += 1
        states[nextNumber] = OpenState(cleaning: cleaning)
        return OpenRecording(number: nextNumber)
    }

    public func append(_ chunk: PointChunk, to recording: OpenRecording) throws {
        guard let state = states[recording.number] else { preconditionFailure("a recording that is not open") }
        guard chunk.count > 0 else { return }
        guard chunk.fields.count <= Self.fieldLimit else {
            throw RecordingRefusal("\(chunk.fields.count) fields a point; \(Self.fieldLimit) are kept at most")
        }
        let before = state.bytes
        state.add(chunk)
        let total = store.buffered.withLock { sum in
            sum += state.bytes - before
            return sum
        }
        if state.bytes > Self.spillBytes || (total > Self.sharedBytes && state.bytes > Self.leastSpillBytes) {
            try spill(state)
        }
    }

    public func close(_ recording: OpenRecording, header: RecordingHeader) throws -> RecordingOutcome {
        guard let state = states.removeValue(forKey: recording.number) else {
            preconditionFailure("a recording that is not open")
        }
        let before = state.bytes
        state.end()
        store.buffered.withLock { $0 -= before }
        guard state.points > 0 else { return RecordingOutcome() }
        var recording = try state.finished(header: header)
        recording.importNumber = importNumber
        let closed = recording
        return try store.write { try $0.add(closed) }
    }

    public func abandon(_ recording: OpenRecording) {
        guard let state = states.removeValue(forKey: recording.number) else { return }
        store.buffered.withLock { $0 -= state.bytes }
        // What stays behind after a failure is swept when the library is opened next.
        if let number = state.aside { try? store.write { try $0.dropAside(number) } }
    }

    /// Makes everything durable that was closed.
    public func finish() throws {
        try store.flush()
    }

    private func spill(_ state: OpenState) throws {
        let chunks = state.takeChunks()
        let bytes = chunks.reduce(0) { $0 + $1.count }
        store.buffered.withLock { $0 -= bytes }
        let number = state.aside
        let first = state.asideChunks
        state.aside = try store.write { try $0.writeAside(chunks, number: number, firstOrdinal: first) }
        state.asideChunks += chunks.count
    }
}

/// A recording that is still being read.
private final class OpenState {
    private(set) var points = 0
    private(set) var bytes = 0
    private var chunks: [[UInt8]] = []
    /// Points that do not fill a chunk yet: as they came, or joined with others.
    private var first: PointChunk?
    private var carry: PointTable?
    private var digest: RecordingDigest? = RecordingDigest()
    private let cleaning: CleaningRule
    private var measure: TrackMeasure

    init(cleaning: CleaningRule) {
        self.cleaning = cleaning
        measure = TrackMeasure(gap: .standard, isStream: false, cleaning: cleaning)
    }
    /// The number under which chunks were written aside, and how many.
    var aside: Int64?
    var asideChunks = 0

    /// Stored chunks are full but for the last, so that the same recording is cut at the same points however it was read.
    func add(_ chunk: PointChunk) {
        points += chunk.count
        digest?.add(chunk)
        measure.add(chunk)
        if carry == nil, first == nil, chunk.count <= PointChunk.capacity {
            if chunk.count == PointChunk.capacity { keep(chunk) } else { first = chunk }
            return
        }
        var joined = carry ?? first.take().map { PointTable($0) } ?? PointTable()
        joined.append(chunk)
        carry = joined
        guard let table = carry, table.count >= PointChunk.capacity else { return }
        var start = 0
        while table.count - start >= PointChunk.capacity {
            keep(table.chunk(start..<start + PointChunk.capacity))
            start += PointChunk.capacity
        }
        carry = start == table.count ? nil : PointTable(table.chunk(start..<table.count))
    }

    func end() {
        if let known = first.take() { keep(known) }
        guard let table = carry else { return }
        keep(table.chunk(0..<table.count))
        carry = nil
    }

    func takeChunks() -> [[UInt8]] {
        defer {
            chunks = []
            bytes = 0
        }
        return chunks
    }

    func finished(header: RecordingHeader) throws -> ClosedRecording {
        let digest = self.digest.take()?.finish() ?? ContentDigest(of: [])
        return ClosedRecording(
            header: header, digest: digest, summary: measure.finish(), cleaning: cleaning, chunks: takeChunks(),
            aside: aside,
            asideChunks: asideChunks)
    }

    private func keep(_ chunk: PointChunk) {
        let encoded = chunk.encoded()
        bytes += encoded.count
        chunks.append(encoded)
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
