internal import Database
internal import Pins

/// Pins that replace those that an earlier version has read from the same file.
extension TrackWriter {
    /// Moves votes, comments and reports, and what the owner set, from the pins that only an origin contributed to
    /// those that another one contributed instead.
    func moveAttachments(fromPinsOf origin: ImportOrigin, toPinsOf new: ImportOrigin) throws {
        let old = try pinOrigins(of: origin)
        let now = try pinOrigins(of: new)
        let vanishing = try pins(of: old).filter { pin in !pin.origins.contains { !old.contains($0) } }
        var candidates = try pins(of: now).filter { pin in !pin.origins.contains { old.contains($0) } }
        guard !vanishing.isEmpty, !candidates.isEmpty else { return }
        let isOneToOne = vanishing.count == candidates.count
        for (index, pin) in vanishing.enumerated() {
            let scores = candidates.map { pin.likeness(to: $0) }
            guard let best = scores.max(), let place = scores.firstIndex(of: best) else { return }
            // Nothing in common, but as many pins as before: in the order of the file.
            guard best > 0 || isOneToOne && candidates.count == vanishing.count - index else { continue }
            try moveAttachments(from: pin.number, to: candidates.remove(at: place).number)
        }
    }

    /// The values of `pin_origin` that stand for an origin: its own, and those of the tracks that only it contributed.
    private func pinOrigins(of origin: ImportOrigin) throws -> Set<Int64> {
        let tracks = try session.rows(
            """
            SELECT track FROM source WHERE import = $1
            AND NOT EXISTS (SELECT 1 FROM source o WHERE o.track = source.track AND o.import < $1)
            """, [.integer(origin.rawValue)]
        ) { PinOrigin.track($0.integer(0)) }
        return Set(tracks + [origin.rawValue])
    }

    private struct ComparedPin {
        var number: Int64
        var origins: Set<Int64> = []
        var name: String?
        var time: Int64?
        var place: [Int64]

        /// How much two pins have in common; 0 if nothing.
        func likeness(to other: ComparedPin) -> Int {
            var points = 0
            if let name, name == other.name { points += 4 }
            if let time, time == other.time { points += 2 }
            if place == other.place { points += 1 }
            return points
        }
    }

    private func pins(of origins: Set<Int64>) throws -> [ComparedPin] {
        var pins: [Int64: ComparedPin] = [:]
        for origin in origins.sorted() {
            let found = try session.rows(
                """
                SELECT p.number, p.notes, p.time, p.longitude, p.latitude FROM pin_origin o JOIN pin p ON p.number = o.pin
                WHERE o.origin = $1
                """, [.integer(origin)]
            ) { row in
                ComparedPin(
                    number: row.integer(0), name: RowCoding.attributes(row.textOrNil(1))[PinAttribute.name],
                    time: row.integerOrNil(2), place: [row.integer(3), row.integer(4)])
            }
            for pin in found where pins[pin.number] == nil {
                var pin = pin
                pin.origins = Set(
                    try session.rows("SELECT origin FROM pin_origin WHERE pin = $1", [.integer(pin.number)]) {
                        $0.integer(0)
                    })
                pins[pin.number] = pin
            }
        }
        return pins.values.sorted { $0.number < $1.number }
    }

    /// Moves votes, comments and reports, and what the owner set, from a pin to another one.
    func moveAttachments(from pin: Int64, to other: Int64) throws {
        let pins: [Value] = [.integer(other), .integer(pin)]
        try session.run(
            """
            UPDATE pin_vote SET pin = $1 WHERE pin = $2 AND person NOT IN (SELECT person FROM pin_vote WHERE pin = $1)
            """, pins)
        try session.run(
            """
            UPDATE pin_report SET pin = $1 WHERE pin = $2
            AND person NOT IN (SELECT person FROM pin_report WHERE pin = $1)
            """, pins)
        try session.run("UPDATE pin_comment SET pin = $1 WHERE pin = $2", pins)
        try session.run(
            "UPDATE pin_hidden SET pin = $1 WHERE pin = $2 AND NOT EXISTS (SELECT 1 FROM pin_hidden WHERE pin = $1)",
            pins)
        var draft = ChangeLog.Draft()
        draft.pins.insert(other)
        try session.run(
            """
            UPDATE pin SET caption = coalesce(caption, (SELECT caption FROM pin WHERE number = $1)),
            category = coalesce(category, (SELECT category FROM pin WHERE number = $1)),
            expires = coalesce(expires, (SELECT expires FROM pin WHERE number = $1)),
            visibility = CASE visibility WHEN $2 THEN (SELECT visibility FROM pin WHERE number = $1) ELSE visibility END
            WHERE number = $3
            """, [.integer(pin), .text(PinVisibility.open.rawValue), .integer(other)])
        try hideIfReported(other)
        try setAttributes(mergedAttributes(ofPin: other), ofPin: other)
        try countPinChange()
        try ChangeLog.append(draft, time: now(), session)
    }
}
