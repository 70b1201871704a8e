import Database
import Locking
public import Tracks

/// Stores the recordings of one thread in the primary store; several sessions may run at once.
///
/// Stored recordings are held in memory and written in batches: call `finish()` before reporting them as stored. The
/// chunks of long recordings are written to provisional rows while they are read. If many recordings are open at once,
/// as in a file with interleaved tracks, the least recently used ones are moved to a spill file. So memory is limited.
public final class ImportSession: RecordingSink {
    let store: TrackDatabase
    private var states: [Int: RecordingInProgress] = [:]
    private var nextNumber = 0
    private let outlierRule: OutlierRule
    let importNumber: Int64
    private let memoryBytes: Int
    private var spillFile: PointSpillFile?
    private var uses = 0
    /// Bytes of this session's recordings in memory.
    private var bytesInMemory = 0

    /// The byte limit of the encoded points of one open recording, above which they are written to provisional rows: a
    /// transaction writes this much in well under 100 ms.
    static let provisionalBytes = 4 << 20
    /// The byte limit of all open recordings of a store together; above it, the session that adds points spills
    /// recordings of its own.
    static let sharedBytes = 64 << 20
    /// A session spills this fraction of the limit (1/4) at once, so that it seldom searches for the least recently
    /// used recordings.
    private static let spilledDivisor = 4
    /// An open recording with fewer bytes of chunks than this is not written to provisional rows.
    private static let minProvisionalBytes = 64 << 10

    init(store: TrackDatabase, importNumber: Int64, memoryBytes: Int = ImportSession.sharedBytes) throws {
        self.store = store
        self.memoryBytes = memoryBytes
        self.importNumber = importNumber
        outlierRule = try store.outlierRule()
    }

    deinit {
        let left = bytesInMemory
        store.buffered.withLock { $0 -= left }
        // Provisional rows that remain are deleted when the library is next opened.
        for state in states.values {
            if let number = state.gathered?.provisionalTrack { try? store.deleteProvisional(number) }
        }
    }

    public func open() throws -> OpenRecording {
        nextNumber += 1
        states[nextNumber] = RecordingInProgress()
        return OpenRecording(number: nextNumber)
    }

    public func append(_ chunk: PointColumns, to recording: OpenRecording) throws {
        guard let state = states[recording.number] else { preconditionFailure("the recording is not open") }
        guard chunk.count > 0 else { return }
        if let spillFile, state.isSpilled { return try Self.storing(store) { try state.add(chunk, in: spillFile) } }
        uses += 1
        let before = state.bytes
        try state.add(chunk, outlierRule: outlierRule)
        state.gathered?.lastUse = uses
        let total = addBytes(state.bytes - before)
        if let gathered = state.gathered, gathered.encodedBytes > Self.provisionalBytes {
            try moveToProvisional(gathered)
        }
        if total > memoryBytes { try spill(except: state) }
    }

    /// Adds a change of size to the counters; returns the size of all open recordings of the store.
    @discardableResult
    private func addBytes(_ growth: Int) -> Int {
        bytesInMemory += growth
        return store.buffered.withLock { sum in
            sum += growth
            return sum
        }
    }

    public func end(_ recording: OpenRecording, header: RecordingHeader) throws -> (any EndedRecording)? {
        guard let state = states.removeValue(forKey: recording.number) else {
            preconditionFailure("the recording is not open")
        }
        addBytes(-state.bytes)
        do {
            if let spillFile, state.isSpilled {
                try Self.storing(store) {
                    try state.reload(from: spillFile, outlierRule: outlierRule) {
                        if $0.encodedBytes > Self.provisionalBytes { try writeProvisional($0) }
                    }
                }
            }
        } catch {
            deleteProvisional(state)
            throw error
        }
        guard let gathered = state.gathered, gathered.points > 0 else { return nil }
        let (points, bytes) = (gathered.points, gathered.bytes)
        return SessionRecording(
            points: points, byteCount: bytes, store: store, closed: gathered.close(header: header),
            importNumber: importNumber)
    }

    public func abandon(_ recording: OpenRecording) {
        guard let state = states.removeValue(forKey: recording.number) else { return }
        addBytes(-state.bytes)
        deleteProvisional(state)
    }

    private func deleteProvisional(_ state: RecordingInProgress) {
        // What remains after a failure is deleted when the library is next opened.
        if let number = state.gathered?.provisionalTrack { try? store.deleteProvisional(number) }
    }

    /// Makes all closed recordings durable.
    public func finish() throws {
        try store.flush()
    }

    private func moveToProvisional(_ gathered: GatheredPoints) throws {
        let before = gathered.bytes
        try writeProvisional(gathered)
        addBytes(gathered.bytes - before)
    }

    private func writeProvisional(_ gathered: GatheredPoints) throws {
        let chunks = gathered.takeChunks()
        let number = gathered.provisionalTrack
        let first = gathered.provisionalChunkCount
        gathered.provisionalTrack = try store.write {
            try $0.writeProvisional(chunks, number: number, firstOrdinal: first)
        }
        gathered.provisionalChunkCount += chunks.count
    }

    /// Spills recordings other than the current one, the least recently used first. If the others hold too little, the
    /// current one is written to provisional rows instead.
    private func spill(except current: RecordingInProgress) throws {
        let wanted = memoryBytes / Self.spilledDivisor
        if bytesInMemory - current.bytes < wanted {
            if let gathered = current.gathered, gathered.encodedBytes > Self.minProvisionalBytes {
                try moveToProvisional(gathered)
            }
            return
        }
        try Self.storing(store) {
            let spillFile = try self.spillFile ?? PointSpillFile(in: store.storage.temporaryDatabase(.block))
            self.spillFile = spillFile
            var spilled = 0
            let open = states.values.compactMap { state -> (state: RecordingInProgress, lastUse: Int)? in
                guard state !== current, !state.isSpilled, let gathered = state.gathered else { return nil }
                return (state, gathered.lastUse)
            }
            for (state, _) in open.sorted(by: { $0.lastUse < $1.lastUse }) where spilled < wanted {
                let bytes = state.bytes
                try state.spill(to: spillFile)
                spilled += bytes - state.bytes
                addBytes(state.bytes - bytes)
            }
        }
    }

    private static func storing<Result>(_ store: TrackDatabase, _ body: () throws -> Result) throws -> Result {
        try TrackDatabase.mappingErrors(store.path, body)
    }
}

extension TrackDatabase {
    /// A sink for the recordings of one thread; its `finish()` makes them durable.
    ///
    /// The recordings are attributed to the import `importNumber`.
    public func beginImport(of importNumber: Int64 = ImportRecord.none) throws -> ImportSession {
        try ImportSession(store: self, importNumber: importNumber)
    }
}

/// A recording of a session that was read completely.
private struct SessionRecording: EndedRecording {
    let points: Int
    let byteCount: Int
    let store: TrackDatabase
    let closed: MadeOnce<ClosedRecording>
    let importNumber: Int64

    func store(_ outcome: OutcomeCollector) throws {
        var recording = closed.value
        recording.collector = outcome
        recording.origin = ImportOrigin(import: importNumber, file: outcome.file)
        let stored = recording
        try store.write { try $0.add(stored) }
    }
}
