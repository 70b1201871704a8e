internal import Digest
internal import Tracks

/// A recording that is being read.
///
/// It is parked when memory is short: its points are then blocks of a spill file, and are processed further when it is
/// closed.
final class OpenState {
    private(set) var points = 0
    /// Bytes of the encoded chunks in memory.
    private(set) var encodedBytes = 0
    /// The session's use count when points were last added.
    var lastUse = 0
    /// The track number of the provisional rows, and the number of chunks in them.
    var aside: Int64?
    var asideChunks = 0

    private var chunks: [[UInt8]] = []
    /// Points that do not fill a chunk yet: a chunk as it came, or a table of several.
    private var first: PointChunk?
    private var carry: PointTable?
    private var fieldCount = 0
    private var measures: RecordingMeasures?
    private let cleaning: CleaningRule
    private var pieces: [UInt32] = []

    /// A recording with fewer points than this is digested and measured again when it is read back, so that a parked
    /// recording keeps only the numbers of its blocks in memory.
    private static let fewPoints = 256
    /// Approximate bytes of an open recording besides its points.
    private static let ownBytes = 2048

    init(cleaning: CleaningRule) {
        self.cleaning = cleaning
    }

    /// Whether its points are in a spill file.
    var isParked: Bool { !pieces.isEmpty }

    /// Approximate bytes of its points in memory; almost none if parked.
    var bytes: Int {
        // A recording without points counts as nothing, because a file may begin many of them before it adds points.
        if isParked || measures == nil { return 0 }
        return encodedBytes + (first?.count ?? carry?.count ?? 0) * (24 + 9 * fieldCount) + Self.ownBytes
    }

    /// Adds points. Stored chunks are full except the last, so that the same recording is always divided at the same
    /// points.
    ///
    /// Throws if the points of one chunk have more fields than a chunk may have.
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
        // One more than the limit, for `FieldName.otherFields`.
        guard count > ImportSession.fieldLimit + 1 else { return }
        throw RecordingRefusal("more than \(ImportSession.fieldLimit) different fields; remove some")
    }

    /// Encodes the remaining points as the last chunk.
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

    /// Moves the points to a spill file.
    func park(in spool: PointSpool) throws {
        let isSmall = chunks.isEmpty && asideChunks == 0 && points < Self.fewPoints
        for chunk in takeChunks() { pieces.append(try spool.write(chunk, .full)) }
        guard let rest = takeRest() else { return }
        pieces.append(try spool.write(rest.encoded(), isSmall ? .raw : .rest))
        guard isSmall else { return }
        measures = nil
        points = 0
    }

    /// Appends points to those in the spill file.
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

    /// Reads the points back; `behindPiece` is called after each block and may write chunks to provisional rows.
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

/// The digest and summary of a recording's points, computed as they are added.
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
