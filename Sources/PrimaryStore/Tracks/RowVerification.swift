internal import Database

extension TrackDatabase {
    /// Computes the sums of rows that are older than the sums, in short transactions; continues after a crash.
    func finishSums() throws {
        guard try read({ try $0.session.hasUnsummedRows() }) else { return }
        var next: ChecksumPosition? = .beginning
        while let start = next {
            next = try write { writer in
                let end = ContinuousClock.now + Self.sumTime
                return try writer.session.checksumRows(from: start) { ContinuousClock.now >= end }
            }
        }
    }

    /// The length of a transaction is limited because others want to write, too.
    private static let sumTime = Duration.milliseconds(50)
}

extension TrackSnapshot {
    /// The altered rows, one sentence for each track or block of rows.
    func rowProblems() throws -> [String] {
        var problems: [String] = []
        for altered in try session.alteredBlocks(of: nil) {
            let problem = try sentence(altered)
            if !problems.contains(problem) { problems.append(problem) }
        }
        return problems
    }

    private func sentence(_ altered: AlteredBlock) throws -> String {
        let state = altered.found == 0 ? "missing" : altered.written == nil ? "unknown" : "altered"
        switch altered.table {
        case "track": return try "\(label(altered.block)): its row is \(state)"
        case "source": return try "\(label(altered.block)): the row of its import is \(state)"
        case "edit", "tag": return try "\(label(altered.block)): the row of its \(altered.table) is \(state)"
        case "track_annotation": return try "\(label(altered.block)): the row of its annotations is \(state)"
        case "chunk":
            let number = altered.block >> (LibraryTables.ordinalBits - LibraryTables.chunkBlockBits)
            guard number > 0 else { return "content \(-number): the points of one import are \(state)" }
            return try "\(label(number)): its stored points are \(state)"
        case "stream_chunk": return "points of streams, block \(altered.block), are \(state)"
        default: return "\(session.databaseName): table \(altered.table), block \(altered.block), is \(state)"
        }
    }

    private func label(_ number: Int64) throws -> String {
        try session.first("SELECT id, source FROM track WHERE number = $1 AND id IS NOT NULL", [.integer(number)]) {
            "track \($0.text(0)) (\($0.text(1)))"
        } ?? "track number \(number)"
    }
}
