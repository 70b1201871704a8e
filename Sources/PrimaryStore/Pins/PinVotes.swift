internal import Database
public import Pins

/// A comment on a pin.
public struct PinComment: Sendable, Equatable {
    /// Ascending, never reused.
    public var number: Int64
    /// nil for the library's owner.
    public var person: String?
    /// Milliseconds since 1970.
    public var time: Int64
    public var text: String
    /// The number of persons who voted for it.
    public var score = 0
}

/// Votes, reports and comments of persons. Each function returns false, or nil, if the pin does not exist.
extension TrackDatabase {
    /// The number of persons whose reports hide a pin.
    static let hidingReports: Int64 = 3

    /// Adds or retracts the vote of a person, who has one for each pin.
    public func setVote(_ isGiven: Bool, of person: String?, on id: PinID) throws -> Bool {
        try changePin(id) { (writer, pin) -> Void in
            let mine: [Value] = [.integer(pin), .integer(try writer.person(person))]
            if isGiven {
                try writer.session.run(
                    "INSERT INTO pin_vote VALUES ($1, $2, $3) ON CONFLICT (pin, person) DO NOTHING",
                    mine + [.integer(writer.now())])
            } else {
                try writer.session.run("DELETE FROM pin_vote WHERE pin = $1 AND person = $2", mine)
            }
        } != nil
    }

    /// Adds or retracts the report of a person, who has one for each pin. The third one hides the pin, until the owner
    /// restores or removes it; reports from before a pin was restored do not count.
    public func setReport(_ isGiven: Bool, of person: String?, on id: PinID, reason: String? = nil) throws -> Bool {
        try changePin(id) { (writer, pin) -> Void in
            let mine: [Value] = [.integer(pin), .integer(try writer.person(person))]
            if isGiven {
                try writer.session.run(
                    "INSERT INTO pin_report VALUES ($1, $2, $3, $4, 0) ON CONFLICT (pin, person) DO NOTHING",
                    mine + [.integer(writer.now()), .text(orNull: reason.flatMap(PinText.caption))])
            } else {
                try writer.session.run(
                    "DELETE FROM pin_report WHERE pin = $1 AND person = $2 AND handled = 0", mine)
            }
            // A retracted report does not show the pin again: that is for the owner to decide.
            try writer.hideIfReported(pin)
        } != nil
    }

    /// Shows a pin again that reports have hidden.
    public func restorePin(_ id: PinID) throws -> Bool {
        try changePin(id) { (writer, pin) -> Void in
            try writer.session.run("UPDATE pin_report SET handled = 1 WHERE pin = $1", [.integer(pin)])
            try writer.setHidden(false, pin)
        } != nil
    }

    /// Adds a comment; the text is normalized and cut as captions are.
    public func addComment(_ text: String, of person: String?, on id: PinID) throws -> PinComment? {
        try changePin(id) { writer, pin in
            let time = writer.now()
            let text = PinText.caption(text) ?? ""
            let number = try writer.session.inserted(
                "INSERT INTO pin_comment (pin, person, time, text) VALUES ($1, $2, $3, $4) RETURNING number",
                [.integer(pin), .integer(try writer.person(person)), .integer(time), .text(text)])
            return PinComment(number: number, person: person, time: time, text: text)
        }
    }

    /// Adds or retracts the vote of a person for a comment, who has one for each comment. Also false if the comment does
    /// not exist, or is on another pin.
    public func setVote(_ isGiven: Bool, of person: String?, onComment comment: Int64, of id: PinID) throws -> Bool {
        try changePin(id) { writer, pin in
            let found = try writer.session.integer(
                "SELECT number FROM pin_comment WHERE number = $1 AND pin = $2", [.integer(comment), .integer(pin)])
            guard found != nil else { return false }
            let mine: [Value] = [.integer(comment), .integer(try writer.person(person))]
            if isGiven {
                try writer.session.run(
                    "INSERT INTO pin_comment_vote VALUES ($1, $2, $3) ON CONFLICT (comment, person) DO NOTHING",
                    mine + [.integer(writer.now())])
            } else {
                try writer.session.run("DELETE FROM pin_comment_vote WHERE comment = $1 AND person = $2", mine)
            }
            return true
        } ?? false
    }

    /// Removes all votes, reports and comments of a person, nil for the owner; returns their number. Pins that were
    /// hidden stay hidden. They are overwritten by `eraseRemoved()`.
    public func removeFeedback(of person: String?) throws -> Int {
        try write { writer in
            try writer.session.transaction {
                let mine: [Value] = [.text(person ?? "")]
                var removed = 0
                func run(_ sql: String) throws {
                    try writer.session.run(sql, mine)
                    removed += writer.session.changedRows
                }
                try run(
                    "DELETE FROM pin_vote WHERE person IN (SELECT number FROM person WHERE coalesce(name, '') = $1)")
                try run(
                    "DELETE FROM pin_report WHERE person IN (SELECT number FROM person WHERE coalesce(name, '') = $1)")
                try run(
                    """
                    DELETE FROM pin_comment_vote
                    WHERE person IN (SELECT number FROM person WHERE coalesce(name, '') = $1)
                    """)
                // The votes of others for comments that are removed are not counted.
                try writer.session.run(
                    """
                    DELETE FROM pin_comment_vote WHERE comment IN (SELECT number FROM pin_comment
                    WHERE person IN (SELECT number FROM person WHERE coalesce(name, '') = $1))
                    """, mine)
                try run(
                    "DELETE FROM pin_comment WHERE person IN (SELECT number FROM person WHERE coalesce(name, '') = $1)")
                if removed > 0 { try writer.requestErasure() }
                return removed
            }
        }
    }

    private func changePin<Result: Sendable>(
        _ id: PinID, _ body: (inout TrackWriter, Int64) throws -> Result
    ) throws -> Result? {
        try write { writer in
            try writer.session.transaction {
                let pin = try writer.session.integer(
                    "SELECT number FROM pin WHERE id = $1 AND state = 0", [.blob(id.bytes)])
                return try pin.map { try body(&writer, $0) }
            }
        }
    }
}

extension TrackWriter {
    /// Hides a pin that enough persons have reported.
    func hideIfReported(_ pin: Int64) throws {
        let reports = try session.integer(
            "SELECT count(*) FROM pin_report WHERE pin = $1 AND handled = 0", [.integer(pin)])
        if reports ?? 0 >= TrackDatabase.hidingReports { try setHidden(true, pin) }
    }

    fileprivate func setHidden(_ isHidden: Bool, _ pin: Int64) throws {
        if isHidden {
            try session.run("INSERT INTO pin_hidden VALUES ($1) ON CONFLICT (pin) DO NOTHING", [.integer(pin)])
        } else {
            try session.run("DELETE FROM pin_hidden WHERE pin = $1", [.integer(pin)])
        }
        guard session.changedRows > 0 else { return }
        var draft = ChangeLog.Draft()
        draft.pins.insert(pin)
        try countPinChange()
        try ChangeLog.append(draft, time: now(), session)
    }

    /// Deletes a pin with everything that belongs to it.
    func deletePin(_ number: Int64) throws {
        try deleteAttachments(ofPin: number)
        try session.run("DELETE FROM pin WHERE number = $1", [.integer(number)])
    }

    /// Deletes the votes, reports and comments of a pin, and its photo if no other pin has it.
    func deleteAttachments(ofPin number: Int64) throws {
        try unlinkPhoto(ofPin: number)
        try session.run("DELETE FROM pin_vote WHERE pin = $1", [.integer(number)])
        try session.run("DELETE FROM pin_report WHERE pin = $1", [.integer(number)])
        try session.run(
            "DELETE FROM pin_comment_vote WHERE comment IN (SELECT number FROM pin_comment WHERE pin = $1)",
            [.integer(number)])
        try session.run("DELETE FROM pin_comment WHERE pin = $1", [.integer(number)])
        try session.run("DELETE FROM pin_hidden WHERE pin = $1", [.integer(number)])
    }
}

extension TrackSnapshot {
    /// The comments on a pin, oldest first; empty if it does not exist.
    public func comments(on id: PinID) throws -> [PinComment] {
        try session.rows(
            """
            SELECT c.number, o.name, c.time, c.text, (SELECT count(*) FROM pin_comment_vote WHERE comment = c.number)
            FROM pin_comment c JOIN person o ON o.number = c.person
            WHERE c.pin = (SELECT number FROM pin WHERE id = $1 AND state = 0) ORDER BY c.number
            """, [.blob(id.bytes)]
        ) {
            PinComment(
                number: $0.integer(0), person: $0.textOrNil(1), time: $0.integer(2), text: $0.text(3),
                score: Int($0.integer(4)))
        }
    }
}
