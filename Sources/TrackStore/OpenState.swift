internal import Digest
internal import Tracks

/// A recording that is still being read.
///
/// It is parked where memory is short: its points are then pieces of a spool, and it goes on when it is closed.
final class OpenState {
    private(set) var points = 0
    /// Bytes of encoded chunks that wait here.
    private(set) var encodedBytes = 0
    /// When points came last, by the session's count.
    var lastUse = 0
    /// The number under which chunks were written aside, and how many.
    var aside: Int64?
    var asideChunks = 0

    private var chunks: [[UInt8]] = []
    /// Points that do not fill a chunk yet: as they came, or joined with others.
    private var first: PointChunk?
    private var carry: PointTable?
    private var fieldCount = 0
    private var measures: RecordingMeasures?
    private let cleaning: CleaningRule
    private var pieces: [UInt32] = []

    /// Fewer points than this are digested and measured anew when they are read back, so that a parked recording keeps
    /// nothing but its pieces' numbers.
    private static let fewPoints = 256
    /// What an open recording takes beside its points, roughly.
    private static let ownBytes = 2048

    init(cleaning: CleaningRule) {
        self.cleaning = cleaning
    }

    /// Whether its points are in a spool.
    var isParked: Bool { !pieces.isEmpty }

    /// Bytes that its points take in memory, roughly; a parked one takes next to nothing.
    var bytes: Int {
        // One without a point, of which a file may begin many before it adds any, takes little either.
        if isParked || measures == nil { return 0 }
        return encodedBytes + (first?.count ?? carry?.count ?? 0) * (24 + 9 * fieldCount) + Self.ownBytes
    }

    /// Stored chunks are full but for the last, so that the same recording is cut at the same points however it was read.
    ///
    /// Throws where points that belong into one chunk have more fields than a chunk may have.
    func add(_ chunk: PointChunk) throws(RecordingRefusal) {
        try Self.check(fields: chunk.fields.count)
        points += chunk.count
        fieldCount = max(fieldCount, chunk.fields.count)
        let measures = self.measures ?? RecordingMeasures(cleaning: cleaning)
        self.measures = measures
        measures.add(chunk)
        if carry == nil, first == nil, chunk.count <= PointChunk.capacity {
            if chunk.count == PointChunk.capacity { keep(chunk.encoded()) } else { first = chunk }
            return
        }
        var joined = carry.take() ?? first.take().map { PointTable($0) } ?? PointTable()
        joined.append(chunk)
        try Self.check(fields: joined.fieldCount)
        guard joined.count >= PointChunk.capacity else {
            carry = joined
            return
        }
        var start = 0
        while joined.count - start >= PointChunk.capacity {
            keep(joined.chunk(start..<start + PointChunk.capacity).encoded())
            start += PointChunk.capacity
        }
        if start < joined.count { carry = PointTable(joined.chunk(start..<joined.count)) }
    }

    private static func check(fields count: Int) throws(RecordingRefusal) {
        // `FieldName.otherFields` may stand besides.
        guard count > ImportSession.fieldLimit + 1 else { return }
        throw RecordingRefusal("more than \(ImportSession.fieldLimit) different fields; leave some out")
    }

    /// The last points become a chunk.
    func end() {
        if let rest = takeRest() { keep(rest.encoded()) }
    }

    func takeChunks() -> [[UInt8]] {
        defer {
            chunks = []
            encodedBytes = 0
        }
        return chunks
    }

    func finished(header: RecordingHeader) throws -> ClosedRecording {
        let measures = self.measures.take() ?? RecordingMeasures(cleaning: cleaning)
        let (digest, summary) = measures.finish()
        return ClosedRecording(
            header: header, digest: digest, summary: summary, cleaning: cleaning, chunks: takeChunks(), aside: aside,
            asideChunks: asideChunks)
    }

    private func takeRest() -> PointChunk? {
        if let known = first.take() { return known }
        guard let table = carry.take() else { return nil }
        return table.chunk(0..<table.count)
    }

    private func keep(_ encoded: [UInt8]) {
        encodedBytes += encoded.count
        chunks.append(encoded)
    }

    // MARK: Parking

    /// Moves the points to a spool.
    func park(in spool: PointSpool) throws {
        let isSmall = chunks.isEmpty && asideChunks == 0 && points < Self.fewPoints
        for chunk in takeChunks() { pieces.append(try spool.write(chunk, .full)) }
        guard let rest = takeRest() else { return }
        pieces.append(try spool.write(rest.encoded(), isSmall ? .raw : .rest))
        guard isSmall else { return }
        measures = nil
        points = 0
    }

    /// Adds points to those in the spool.
    func add(_ chunk: PointChunk, in spool: PointSpool) throws {
        try Self.check(fields: chunk.fields.count)
        guard chunk.count > PointChunk.capacity else {
            pieces.append(try spool.write(chunk.encoded(), .raw))
            return
        }
        let table = PointTable(chunk)
        for start in stride(from: 0, to: table.count, by: PointChunk.capacity) {
            let part = table.chunk(start..<min(start + PointChunk.capacity, table.count))
            pieces.append(try spool.write(part.encoded(), .raw))
        }
    }

    /// Takes the points back; `behindPiece` may write chunks aside.
    func unpark(from spool: PointSpool, behindPiece: () throws -> Void) throws {
        let numbers = pieces
        pieces = []
        for (index, number) in numbers.enumerated() {
            let (kind, data) = try spool.read(number)
            switch kind {
            case .full: keep(data)
            case .rest where index == numbers.count - 1: keep(data)
            case .rest: first = try PointChunk(decoding: data)
            case .raw: try add(try PointChunk(decoding: data))
            }
            try behindPiece()
        }
    }
}

/// The digest and the measure of a recording's points, as they come.
private final class RecordingMeasures {
    private var digest: RecordingDigest? = RecordingDigest()
    private var measure: TrackMeasure

    init(cleaning: CleaningRule) {
        measure = TrackMeasure(gap: .standard, isStream: false, cleaning: cleaning)
    }

    func add(_ chunk: PointChunk) {
        digest?.add(chunk)
        measure.add(chunk)
    }

    func finish() -> (ContentDigest, TrackSummary) {
        (digest.take()?.finish() ?? ContentDigest(of: []), measure.finish())
    }
}
