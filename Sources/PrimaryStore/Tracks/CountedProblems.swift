internal import Database

/// Counts the rows that have a problem, and says each count in a sentence.
struct CountedProblems {
    private let session: any Session
    private(set) var sentences: [String] = []

    init(_ session: any Session) {
        self.session = session
    }

    /// Adds `12 TEXT` if the statement counts 12 rows; nothing if it counts none.
    mutating func count(_ sql: String, _ values: [Value], _ text: String) throws {
        add(Int(try session.integer(sql, values) ?? 0), text)
    }

    /// The same, of a statement without values.
    mutating func count(_ sql: String, _ text: String) throws {
        try count(sql, [], text)
    }

    /// Adds `12 TEXT` for 12, nothing for 0.
    mutating func add(_ count: Int, _ text: String) {
        if count > 0 { sentences.append("\(count) \(text)") }
    }
}
