internal import Database
package import Digest
package import Pins
internal import Tracks

/// What origins contributed to a library.
package struct Contribution: Sendable {
    /// A recording of a file.
    package struct Track: Hashable, Sendable {
        package var id: String
        package var digest: ContentDigest
        package var points: Int
        package var metres: Double
    }

    package var tracks: Set<Track> = []
    /// The number of points in streams.
    package var streamPoints = 0
    package var pins: Set<PinID> = []

    package var points: Int { tracks.reduce(streamPoints) { $0 + $1.points } }
    package var metres: Double { tracks.reduce(0) { $0 + $1.metres } }
}

/// Replacing what an earlier version has read from a file. First, the file is imported again, as any file. What the
/// earlier import contributed is then removed, as when an import is undone; what the owner and others have added to it
/// goes to what has been read now.
///
/// A replacement that has begun is recorded with the earlier file, and completed when the library is next opened.
extension TrackDatabase {
    /// What an origin contributed.
    package func contribution(of origin: ImportOrigin) throws -> Contribution {
        try write { try $0.flush() }
        return try read { try $0.contribution(of: [origin]) }
    }

    /// Replaces what earlier origins contributed by what a new one has contributed. If it is stopped, the rest is replaced
    /// when the library is next opened. The points stay on disk until `eraseRemoved()`.
    package func replace(
        _ earlier: [ImportOrigin], by new: ImportOrigin, isStopped: () -> Bool = { false }
    ) throws {
        try write { writer in
            try writer.flush()
            try writer.session.transaction {
                for origin in earlier {
                    try writer.session.run(
                        "UPDATE file SET replacement = $1 WHERE origin = $2",
                        [.integer(new.rawValue), .integer(origin.rawValue)])
                }
            }
        }
        for origin in earlier where !isStopped() { try finishReplacement(of: origin, by: new, isStopped) }
    }

    /// Completes replacements that a killed process has begun. In an altered row, what is to replace a file may be nothing,
    /// and then nothing is removed.
    func finishReplacements() throws {
        let left = try read { snapshot in
            try snapshot.session.rows(
                """
                SELECT origin, replacement FROM file WHERE replacement <> origin
                AND EXISTS (SELECT 1 FROM file other WHERE other.origin = file.replacement) ORDER BY origin
                """
            ) { (ImportOrigin(rawValue: $0.integer(0)), ImportOrigin(rawValue: $0.integer(1))) }
        }
        for (origin, new) in left { try finishReplacement(of: origin, by: new) { false } }
    }

    private func finishReplacement(
        of origin: ImportOrigin, by new: ImportOrigin, _ isStopped: () -> Bool
    ) throws {
        // Votes and comments go to the pins of the new tracks, which have to exist.
        try updateWaypointPins()
        try write { writer in
            try writer.session.transaction { try writer.moveAttachments(fromPinsOf: origin, toPinsOf: new) }
        }
        var undo = ImportUndo(
            origins: origin.rawValue...origin.rawValue, replacement: new, stepTime: Self.undoStepTime)
        guard try undoAll(&undo, isStopped: isStopped) else { return }
        try write { writer in
            try writer.session.transaction {
                // The row stays, because the receipt of the file does.
                try writer.session.run(
                    "UPDATE file SET digest = NULL, replacement = NULL, reader = $1 WHERE origin = $2",
                    [.integer(ReadFile.noReader), .integer(origin.rawValue)])
            }
        }
        try deleteEmptyImport(origin.importNumber)
    }
}

extension TrackSnapshot {
    /// What origins contributed.
    func contribution(of origins: [ImportOrigin]) throws -> Contribution {
        try origins.reduce(into: Contribution()) { try add(contributionOf: $1, to: &$0) }
    }

    private func add(contributionOf origin: ImportOrigin, to contribution: inout Contribution) throws {
        let tracks = try session.rows(
            """
            SELECT t.id, t.digest, coalesce((SELECT b.points FROM source_beginning b WHERE b.track = s.track
            AND b.import = s.import), t.points), t.metres, s.content FROM source s JOIN track t ON t.number = s.track
            WHERE s.import = $1 AND t.state = 0
            """, [.integer(origin.rawValue)]
        ) { row in
            (
                id: row.text(0), digest: ContentDigest(bytes: row.blob(1)), points: Int(row.integer(2)),
                metres: row.real(3), content: row.integerOrNil(4)
            )
        }
        for track in tracks {
            guard let digest = track.digest else { continue }
            let points = try track.content.map { try FileChunks.pointCount(session, of: -$0) } ?? track.points
            contribution.tracks.insert(
                Contribution.Track(id: track.id, digest: digest, points: points, metres: track.metres))
        }
        let streams = try session.rows(
            "SELECT stream FROM stream_source WHERE import = $1 ORDER BY stream", [.integer(origin.rawValue)]
        ) { $0.integer(0) }
        for stream in streams { contribution.streamPoints += try points(of: origin, inStream: stream) }
        let pins = try session.rows(
            "SELECT p.id FROM pin_origin o JOIN pin p ON p.number = o.pin WHERE o.origin = $1",
            [.integer(origin.rawValue)]
        ) { PinID(bytes: $0.blob(0)) }
        contribution.pins.formUnion(pins.compactMap { $0 })
    }
}
