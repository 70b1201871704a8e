internal import Database
import Text
internal import Tracks

/// Repairs the times of libraries of earlier versions, which stored any number from a file or client as a time. Points
/// with implausible times become points without time and keep the number as a field. This is done once, when the
/// library is opened.
///
/// Each track and each stream is repaired in a transaction of its own; an interrupted repair starts again and changes
/// nothing that is repaired already.
extension TrackDatabase {
    func repairTimes() throws {
        try write { try $0.repairTimes() }
    }

    /// The tracks that have points with an implausible recorded time, with the number of these points; reads all
    /// points.
    public func implausibleTimes() throws -> [(track: Track, points: Int)] {
        try read { snapshot in
            try snapshot.trackNumbers().compactMap { number in
                guard let track = try snapshot.track(number: number), track.untimed > 0 else { return nil }
                var points = 0
                try snapshot.forEachChunk(ofTrack: number, fields: .only([FieldName.implausibleTime])) {
                    points += $0.implausibleTimes
                }
                return points > 0 ? (track, points) : nil
            }
        }
    }
}

extension TrackWriter {
    /// The key in `meta` that is set when a library has been repaired.
    private static let repaired = "plausible_times"
    private static let bounds = [
        Value.integer(Instant.plausible.lowerBound), .integer(Instant.plausible.upperBound),
    ]

    fileprivate mutating func repairTimes() throws {
        guard try Meta.text(Self.repaired, session) == nil else { return }
        try flush()
        let files = try session.rows(
            "SELECT number FROM track WHERE state = 0 AND stream IS NULL AND (start < $1 OR finish >= $2)", Self.bounds
        ) { $0.integer(0) }
        for number in files { try session.transaction { try repairFile(number) } }
        // A stream number below 0 is the negated number of a content, which holds what one import added to a stream.
        let streams = try session.rows(
            """
            SELECT DISTINCT coalesce((SELECT source.stream FROM stream_source AS source WHERE source.content = -chunk.stream),
            chunk.stream) FROM stream_chunk AS chunk WHERE first_time < $1 OR last_time >= $2
            """, Self.bounds
        ) { $0.integer(0) }
        for number in streams where number > 0 { try repairStream(number) }
        try session.transaction { try Meta.set(Self.repaired, to: .text("1"), session) }
    }

    private func repairFile(_ number: Int64) throws {
        guard let track = try TrackSnapshot(session: session).track(number: number) else { return }
        for content in Set(try sources(of: number).compactMap(\.content)) {
            try rewriteChunks(of: -content) { _ in }
        }
        let measures = RecordingMeasures(gap: track.gap, outlierRule: track.outlierRule)
        try rewriteChunks(of: number) { measures.add($0) }
        var draft = ChangeLog.Draft()
        // Tracks that differed only in implausible times are now the same recording.
        _ = try store(measures, gap: track.gap, of: track, &draft)
        try ChangeLog.append(draft, time: now(), session)
    }

    /// Rewrites the chunks of a track with implausible times removed; `body` gets every chunk.
    private func rewriteChunks(of number: Int64, _ body: (PointColumns) throws -> Void) throws {
        var ordinal = 0
        while let chunk = try FileChunks.read(session, of: number, ordinal: ordinal) {
            let repaired = chunk.withPlausibleTimes()
            try FileChunks.write(session, of: number, ordinal: ordinal, repaired.encoded())
            try body(repaired)
            ordinal += 1
        }
    }

    private mutating func repairStream(_ number: Int64) throws {
        guard let stream = try stream(number) else { return }
        let outlierRule = try OutlierRuleStore.rule(session)
        let sources = try streamSources(of: number)
        // If several imports added points, the points of each are stored as a content; otherwise one import added
        // all of them.
        let parts =
            sources.contains { $0.content != nil }
            ? sources.compactMap { source in source.content.map { (stream: -$0, origin: source.origin) } }
            : [(stream: number, origin: sources.first?.origin ?? .recorded)]
        // First, the points without time are stored as a recording: if the repair is interrupted and repeated, they are
        // duplicates.
        for part in parts {
            var untimed = UntimedPoints()
            for row in try implausibleChunks(of: part.stream) {
                untimed.add(try StreamChunks.read(session, number: row).withPlausibleTimes())
            }
            let header = stream.header
            if let rest = untimed.recording(header: header, outlierRule: outlierRule, origin: part.origin) {
                try addFile(rest)
            }
        }
        try flush()
        try session.transaction {
            var draft = ChangeLog.Draft()
            for part in Set(parts.map(\.stream)).union([number]) {
                for row in try implausibleChunks(of: part) {
                    let chunk = try StreamChunks.read(session, number: row).withPlausibleTimes()
                    try StreamChunks.delete(session, number: row)
                    let timed = chunk.times.timedIndices
                    guard !timed.isEmpty else { continue }
                    try StreamChunks.insert(session, stream: part, chunk.gathered(timed))
                }
            }
            try updateTracks(of: stream, from: .min, to: .max, measuresAll: true, &draft)
            try ChangeLog.append(draft, time: now(), session)
        }
    }

    private func implausibleChunks(of stream: Int64) throws -> [Int64] {
        try session.rows(
            "SELECT number FROM stream_chunk WHERE stream = $1 AND (first_time < $2 OR last_time >= $3) ORDER BY number",
            [.integer(stream)] + Self.bounds
        ) { $0.integer(0) }
    }
}

extension [Int64] {
    /// The indices of the points that have a time; for the times of a chunk or table.
    package var timedIndices: [Int] { indices.filter { self[$0] != PointColumns.untimed } }
}
