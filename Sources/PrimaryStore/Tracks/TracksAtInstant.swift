import Database

/// The tracks around an instant.
extension TrackSnapshot {
    /// The accepted tracks that have a part in a range of time, ordered by start and number.
    public func tracks(touching range: ClosedRange<Int64>) throws -> [Track] {
        try session.rows(
            """
            SELECT \(Track.columns(session)) FROM \(Track.tables) WHERE t.state = 0 AND t.start IS NOT NULL
            AND t.finish >= $1 AND t.start <= $2 ORDER BY t.start, t.number
            """, [.integer(range.lowerBound), .integer(range.upperBound)]
        ) { Track(row: $0) }
    }

    /// Of the accepted tracks of a person that end before an instant, the one that ends last.
    public func lastTrack(ofPerson person: Int64, endingBefore instant: Int64) throws -> Track? {
        try session.first(
            """
            SELECT \(Track.columns(session)) FROM \(Track.tables) WHERE t.state = 0 AND t.person = $1
            AND t.finish < $2 ORDER BY t.finish DESC, t.number DESC LIMIT 1
            """, [.integer(person), .integer(instant)]
        ) { Track(row: $0) }
    }

    /// Of the accepted tracks of a person that start after an instant, the one that starts first.
    public func firstTrack(ofPerson person: Int64, startingAfter instant: Int64) throws -> Track? {
        try session.first(
            """
            SELECT \(Track.columns(session)) FROM \(Track.tables) WHERE t.state = 0 AND t.person = $1
            AND t.start > $2 ORDER BY t.start, t.number LIMIT 1
            """, [.integer(person), .integer(instant)]
        ) { Track(row: $0) }
    }
}
