internal import Tracks

/// A recording that is being read.
///
/// It is spilled when memory is short: its points are then blocks of a spill file, and are processed further when it is
/// closed. A file may have a million recordings open: one that is spilled before it fills a chunk takes about 64 bytes.
final class RecordingInProgress {
    /// nil if no point is in memory: none was added yet, or all are in a spill file.
    private(set) var gathered: GatheredPoints?
    /// The newest of its blocks in the spill file; nil if it is not spilled.
    private var newestBlock: UInt32?

    /// Whether its points are in a spill file.
    var isSpilled: Bool { newestBlock != nil }
    /// Approximate bytes of its points in memory; 0 if spilled or without points, because a file may begin many
    /// recordings before it adds points.
    var bytes: Int { isSpilled ? 0 : gathered?.bytes ?? 0 }

    /// Adds points to those in memory.
    ///
    /// Throws if the points of one chunk have more fields than a chunk may have.
    func add(_ chunk: PointColumns, outlierRule: OutlierRule) throws(RecordingRejected) {
        let gathered = self.gathered ?? GatheredPoints(outlierRule: outlierRule)
        self.gathered = gathered
        try gathered.add(chunk)
    }

    /// Moves the points to a spill file.
    func spill(to spillFile: PointSpillFile) throws {
        guard let gathered else { return }
        let isSmall = gathered.areLessThanAChunk
        for chunk in gathered.takeChunks() { try appendChunk(chunk, .full, in: spillFile) }
        guard let rest = gathered.takeRest() else { return }
        try appendChunk(rest.encoded(), .raw, in: spillFile)
        if isSmall { self.gathered = nil }
    }

    /// Appends points to those in the spill file.
    func add(_ chunk: PointColumns, in spillFile: PointSpillFile) throws {
        try GatheredPoints.check(fields: chunk.fields.count)
        guard chunk.count > PointChunk.capacity else { return try appendChunk(chunk.encoded(), .raw, in: spillFile) }
        for start in stride(from: 0, to: chunk.count, by: PointChunk.capacity) {
            let part = chunk.gathered(start..<min(start + PointChunk.capacity, chunk.count))
            try appendChunk(part.encoded(), .raw, in: spillFile)
        }
    }

    private func appendChunk(_ data: [UInt8], _ kind: PointSpillFile.Kind, in spillFile: PointSpillFile) throws {
        newestBlock = try spillFile.write(data, kind, behind: newestBlock)
    }

    /// Reads the points back; `afterBlock` is called after each block and may write chunks to provisional rows.
    func reload(
        from spillFile: PointSpillFile, outlierRule: OutlierRule, afterBlock: (GatheredPoints) throws -> Void
    ) throws {
        guard let newestBlock else { return }
        let blocks = try spillFile.blocks(upTo: newestBlock)
        self.newestBlock = nil
        let gathered = self.gathered ?? GatheredPoints(outlierRule: outlierRule)
        self.gathered = gathered
        for number in blocks {
            let (kind, data) = try spillFile.read(number)
            switch kind {
            case .full: gathered.appendChunk(data)
            case .raw: try gathered.add(try PointColumns(decoding: data))
            }
            try afterBlock(gathered)
        }
    }
}
