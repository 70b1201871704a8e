internal import Database
public import Pins
public import Tracks

extension ImportSession: PinSink {
    public func end(_ pins: [PinContent]) -> any EndedRecording {
        SessionPins(store: store, closed: ClosedPins(pins: pins, origin: ImportOrigin(import: importNumber)))
    }
}

/// The pins of a session that were read.
private struct SessionPins: EndedRecording {
    let store: TrackDatabase
    let closed: ClosedPins

    var points: Int { 0 }
    var byteCount: Int { closed.byteCount }

    func store(_ outcome: OutcomeCollector) throws {
        var pins = closed
        pins.collector = outcome
        pins.origin = ImportOrigin(import: closed.origin.importNumber, file: outcome.file)
        let stored = pins
        try store.write { try $0.add(stored) }
    }
}

extension TrackWriter {
    /// Stores the pins of a file.
    func apply(_ given: ClosedPins, _ draft: inout ChangeLog.Draft) throws -> RecordingOutcome {
        var outcome = RecordingOutcome()
        for content in given.pins {
            if try comparedLibrary?.has(content.id) == true {
                outcome.duplicatePins += 1
            } else if try put(content, origin: given.origin.rawValue, &draft) {
                outcome.pins += 1
            } else {
                outcome.duplicatePins += 1
            }
        }
        if !given.pins.isEmpty { try countPinChange() }
        return outcome
    }

    /// Stores a pin of an import or of a track; returns false if it is stored already.
    ///
    /// The attributes of all origins are merged: a value wins over none, then the smaller value, so that the order of
    /// imports makes no difference.
    func put(_ content: PinContent, origin: Int64, _ draft: inout ChangeLog.Draft) throws -> Bool {
        let known = try session.first("SELECT number, state FROM pin WHERE id = $1", [.blob(content.id.bytes)]) {
            (number: $0.integer(0), isRemoved: $0.integer(1) != 0)
        }
        guard let known else {
            let number = try insert(content)
            try putOrigin(origin, of: number, content.attributes)
            if origin >= 0 { draft.pins.insert(number) }
            return true
        }
        let before = try attributes(ofPin: known.number)
        try putOrigin(origin, of: known.number, content.attributes)
        if origin >= 0 { try recordNoPhoto(from: origin, ofPin: known.number) }
        // A waypoint that was removed from the pins stays removed while its track is its only origin.
        if known.isRemoved, origin < 0 { return false }
        let merged = try mergedAttributes(ofPin: known.number)
        if known.isRemoved || merged != before {
            try session.run(
                "UPDATE pin SET state = 0 WHERE number = $1", [.integer(known.number)])
            try setAttributes(merged, ofPin: known.number)
            if origin >= 0 { draft.pins.insert(known.number) }
        }
        return known.isRemoved
    }

    private func insert(_ content: PinContent) throws -> Int64 {
        try session.inserted(
            """
            INSERT INTO pin (id, state, person, longitude, latitude, time, category, shown, caption, source, located,
            photo, expires, visibility, created, notes)
            VALUES ($1, 0, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING number
            """,
            [
                .blob(content.id.bytes), .integer(try person(content.person.flatMap { $0.isEmpty ? nil : $0 })),
                .integer(Int64(content.place.longitude)), .integer(Int64(content.place.latitude)),
                .integer(orNull: content.time), .text(orNull: content.category),
                .text(orNull: Pin.category(own: content.category, content.attributes)), .text(orNull: content.caption),
                .text(content.source.rawValue), .text(content.located.rawValue), .text(orNull: content.photo),
                .integer(orNull: content.expires), .text(content.visibility.rawValue), .integer(now()),
                RowCoding.attributesValue(content.attributes),
            ])
    }

    private func putOrigin(_ origin: Int64, of pin: Int64, _ attributes: [String: String]) throws {
        let mine: [Value] = [.integer(pin), .integer(origin)]
        let known = try session.first("SELECT notes FROM pin_origin WHERE pin = $1 AND origin = $2", mine) {
            RowCoding.attributes($0.textOrNil(0))
        }
        guard let known else {
            try session.run(
                "INSERT INTO pin_origin VALUES ($1, $2, $3)", mine + [RowCoding.attributesValue(attributes)])
            return
        }
        // An import may contain a pin twice; a track is read as a whole.
        let all = origin < 0 ? attributes : known.merging(attributes) { min($0, $1) }
        guard all != known else { return }
        try session.run(
            "UPDATE pin_origin SET notes = $1 WHERE pin = $2 AND origin = $3", [RowCoding.attributesValue(all)] + mine)
    }

    private func attributes(ofPin number: Int64) throws -> [String: String] {
        RowCoding.attributes(
            try session.first("SELECT notes FROM pin WHERE number = $1", [.integer(number)]) { $0.textOrNil(0) } ?? nil)
    }

    func mergedAttributes(ofPin number: Int64) throws -> [String: String] {
        try session.rows("SELECT notes FROM pin_origin WHERE pin = $1 ORDER BY origin", [.integer(number)]) {
            RowCoding.attributes($0.textOrNil(0))
        }.reduce(into: [:]) { $0.merge($1) { min($0, $1) } }
    }

    func setAttributes(_ attributes: [String: String], ofPin number: Int64) throws {
        let own = try session.first("SELECT category FROM pin WHERE number = $1", [.integer(number)]) {
            $0.textOrNil(0)
        }
        try session.run(
            "UPDATE pin SET notes = $1, shown = $2 WHERE number = $3 AND state = 0",
            [
                RowCoding.attributesValue(attributes), .text(orNull: Pin.category(own: own ?? nil, attributes)),
                .integer(number),
            ])
    }

    /// Counts a change of pins, so that others notice it without reading them. In the transaction of the change.
    func countPinChange() throws {
        try Meta.set("pins", to: .integer((Meta.integer("pins", session) ?? 0) + 1), session)
    }

    // MARK: Removing what an origin added

    /// The number of pins that a transaction removes: some milliseconds.
    private static let removedPins = 200

    /// Removes some pins that only the origins added; returns false if nothing is left.
    func removeSomePins(of undo: inout ImportUndo) throws -> Bool {
        try session.transaction {
            var draft = ChangeLog.Draft()
            let pins = try session.rows(
                "SELECT pin, origin FROM pin_origin WHERE origin BETWEEN $1 AND $2 ORDER BY pin, origin LIMIT $3",
                undo.bounds + [.integer(Int64(Self.removedPins))]
            ) { (number: $0.integer(0), origin: $0.integer(1)) }
            for pin in pins { try removeOrigin(pin.origin, ofPin: pin.number, &draft) }
            undo.pins.formUnion(pins.map(\.number))
            if !pins.isEmpty {
                try requestErasure()
                try countPinChange()
            }
            try ChangeLog.append(draft, time: now(), session)
            return !pins.isEmpty
        }
    }

    /// Deletes the pins of a removed track.
    func deletePinOrigins(ofTrack number: Int64) throws {
        var draft = ChangeLog.Draft()
        let origin = PinOrigin.track(number)
        let pins = try session.rows("SELECT pin FROM pin_origin WHERE origin = $1", [.integer(origin)]) {
            $0.integer(0)
        }
        for pin in pins { try removeOrigin(origin, ofPin: pin, &draft) }
        if !pins.isEmpty { try countPinChange() }
    }

    /// Removes an origin of a pin, and the pin if this was the last one.
    func removeOrigin(_ origin: Int64, ofPin pin: Int64, _ draft: inout ChangeLog.Draft) throws {
        let photo = try photo(ofPin: pin)
        try deleteOrigin(origin, ofPin: pin)
        if try session.integer("SELECT 1 FROM pin_origin WHERE pin = $1 LIMIT 1", [.integer(pin)]) == nil {
            try deletePin(pin)
        } else {
            try setAttributes(mergedAttributes(ofPin: pin), ofPin: pin)
        }
        if let photo { try releasePhoto(photo, ofPin: pin, &draft) }
        if origin >= 0 { draft.pins.insert(pin) }
    }
}
