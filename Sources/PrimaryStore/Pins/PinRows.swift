package import Database
public import Pins

extension Pin {
    /// The columns that `init(row:)` reads, of the tables in `tables`.
    package static let columns = """
        p.number, p.id, p.longitude, p.latitude, p.time, o.name, p.category, p.caption, p.source, p.located, p.photo,
        p.expires, p.visibility, p.created, p.notes, p.shown, h.pin,
        (SELECT count(*) FROM pin_vote WHERE pin = p.number),
        (SELECT count(*) FROM pin_comment WHERE pin = p.number)
        """

    /// The first of `columns`, all that `facts(of:)` reads: without subqueries.
    static let factColumns = """
        p.number, p.id, p.longitude, p.latitude, p.time, o.name, p.category, p.caption, p.source, p.located, p.photo,
        p.expires, p.visibility, p.created, p.notes, p.shown, h.pin
        """

    /// The tables of `columns`; rows that are not live have to be excluded.
    package static let tables = "pin p JOIN person o ON o.number = p.person LEFT JOIN pin_hidden h ON h.pin = p.number"

    /// The values that a filter reads, without the texts; nil if a value is invalid.
    static func facts(of row: any Row) -> PinFacts? {
        guard let id = PinID(bytes: row.blob(1)),
            let place = PinPlace(e7Longitude: row.integer(2), latitude: row.integer(3)),
            let source = PinSource(rawValue: row.text(8))
        else { return nil }
        var facts = PinFacts(
            id, place, time: row.integerOrNil(4), category: row.textOrNil(15), person: row.textOrNil(5),
            source: source, expires: row.integerOrNil(11))
        facts.isHidden = !row.isNull(16)
        return facts
    }

    /// nil if a value is invalid, which `verify` reports.
    package init?(row: any Row) {
        guard let id = PinID(bytes: row.blob(1)),
            let place = PinPlace(e7Longitude: row.integer(2), latitude: row.integer(3)),
            let source = PinSource(rawValue: row.text(8)), let located = PinLocating(rawValue: row.text(9)),
            let visibility = PinVisibility(rawValue: row.text(12))
        else { return nil }
        var content = PinContent(place, source: source, located: located)
        content.time = row.integerOrNil(4)
        content.person = row.textOrNil(5)
        content.category = row.textOrNil(6)
        content.caption = row.textOrNil(7)
        content.photo = row.textOrNil(10)
        content.expires = row.integerOrNil(11)
        content.visibility = visibility
        self.init(id: id, content: content, created: row.integer(13))
        attributes = RowCoding.attributes(row.textOrNil(14))
        isHidden = !row.isNull(16)
        score = Int(row.integer(17))
        comments = Int(row.integer(18))
    }
}

/// The values of the column `origin` of `pin_origin`.
enum PinOrigin {
    /// A pin that was made in this library.
    static let made: Int64 = 0

    /// A waypoint of a track.
    static func track(_ number: Int64) -> Int64 { -number }
}

extension TrackSnapshot {
    /// A pin; nil if it does not exist.
    public func pin(_ id: PinID) throws -> Pin? {
        try session.first(
            "SELECT \(Pin.columns) FROM \(Pin.tables) WHERE p.id = $1 AND p.state = 0", [.blob(id.bytes)]
        ) { Pin(row: $0) } ?? nil
    }

    /// The number of all pins.
    public func pinCount() throws -> Int {
        Int(try session.integer("SELECT count(*) FROM pin WHERE state = 0") ?? 0)
    }

    /// Calls `body` with the values that filters read of all pins, in the order in which they were stored.
    public func forEachPinFacts(_ body: (PinFacts) throws -> Void) throws {
        try session.forEach("SELECT \(Pin.factColumns) FROM \(Pin.tables) WHERE p.state = 0 ORDER BY p.number") { row in
            if let facts = Pin.facts(of: row) { try body(facts) }
        }
    }

    /// A number that changes whenever pins change; 0 before the first one.
    public func pinChanges() throws -> Int64 {
        try Meta.integer("pins", session) ?? 0
    }

    /// The problems of the rows of pins, one sentence each.
    func pinProblems() throws -> [String] {
        var problems = CountedProblems(session)
        try problems.count(
            "SELECT count(*) FROM pin WHERE number NOT IN (SELECT pin FROM pin_origin)", "pins have no origin")
        try problems.count(
            "SELECT count(*) FROM pin_origin WHERE pin NOT IN (SELECT number FROM pin)", "origins have no pin")
        try problems.count(
            "SELECT count(*) FROM pin WHERE person NOT IN (SELECT number FROM person)", "pins have no person")
        try problems.count(
            """
            SELECT count(*) FROM pin_origin
            WHERE origin > 0 AND origin >> \(LibraryTables.originFileBits) NOT IN (SELECT number FROM import)
            """, "pins belong to an import that is missing")
        try problems.count(
            "SELECT count(*) FROM pin_vote WHERE pin NOT IN (SELECT number FROM pin)", "votes have no pin")
        try problems.count(
            "SELECT count(*) FROM pin_report WHERE pin NOT IN (SELECT number FROM pin)", "reports have no pin")
        try problems.count(
            "SELECT count(*) FROM pin_comment WHERE pin NOT IN (SELECT number FROM pin)", "comments have no pin")
        var unreadable = 0
        try session.forEach("SELECT \(Pin.columns) FROM \(Pin.tables)") { if Pin(row: $0) == nil { unreadable += 1 } }
        try session.forEach("SELECT \(Pin.columns) FROM \(Pin.tables) WHERE p.state = 0") { row in
            if Pin(row: row)?.category != row.textOrNil(15) { unreadable += 1 }
        }
        problems.add(unreadable, "pins cannot be read")
        return problems.sentences
    }
}
