internal import Database
public import Pins

/// Changes to a pin; nil leaves a value as it is.
public struct PinEdit: Sendable, Equatable {
    public var place: PinPlace?
    public var time = EditedValue<Int64>.keep
    /// None restores the category of the pin's file.
    public var category = EditedValue<String>.keep
    /// None restores the caption of the pin's file.
    public var caption = EditedValue<String>.keep
    public var expires = EditedValue<Int64>.keep
    public var visibility: PinVisibility?

    /// An edit that changes nothing.
    public init() {}
}

extension TrackDatabase {
    /// A pin; nil if it does not exist.
    public func pin(_ id: PinID) throws -> Pin? { try read { try $0.pin(id) } }

    /// Stores a new pin with a random id.
    public func addPin(_ content: PinContent) throws -> Pin {
        var generator = SystemRandomNumberGenerator()
        var content = content
        content.givenID = PinID.random(using: &generator)
        let stored = content
        return try write { writer in
            try writer.session.transaction {
                var draft = ChangeLog.Draft()
                _ = try writer.put(stored, origin: PinOrigin.made, &draft)
                try writer.countPinChange()
                try ChangeLog.append(draft, time: writer.now(), writer.session)
                guard let pin = try TrackSnapshot(session: writer.session).pin(stored.id) else {
                    throw LibraryError.damaged(path: path, what: "a pin that was just stored is missing")
                }
                return pin
            }
        }
    }

    /// Changes a pin; nil if it does not exist. What its file says is kept.
    public func editPin(_ id: PinID, _ edit: PinEdit) throws -> Pin? {
        try write { writer in
            try writer.session.transaction {
                guard let before = try TrackSnapshot(session: writer.session).pin(id) else { return nil }
                var pin = before
                pin.apply(edit)
                guard pin != before else { return pin }
                try writer.update(pin)
                return pin
            }
        }
    }

    /// Hides pins from all lists; ids that name no pin are skipped. Returns the revision that records it.
    ///
    /// A waypoint stays in its track.
    public func markRemoved(pins ids: [PinID]) throws -> Int64 {
        try write { writer in
            try writer.session.transaction {
                var draft = ChangeLog.Draft()
                for id in ids { try writer.remove(id, &draft) }
                if !draft.isEmpty { try writer.requestErasure() }
                return try ChangeLog.append(draft, time: writer.now(), writer.session)
            }
        }
    }
}

extension Pin {
    fileprivate mutating func apply(_ edit: PinEdit) {
        if let place = edit.place, place != self.place {
            self.place = place
            located = .hand
        }
        if case .set(let value) = edit.time { time = value }
        if case .set(let value) = edit.category { ownCategory = value.flatMap(PinText.category) }
        if case .set(let value) = edit.caption { ownCaption = value.flatMap(PinText.caption) }
        if case .set(let value) = edit.expires { expires = value }
        if let visibility = edit.visibility { self.visibility = visibility }
    }
}

extension TrackWriter {
    fileprivate func update(_ pin: Pin) throws {
        let number = try session.integer("SELECT number FROM pin WHERE id = $1", [.blob(pin.id.bytes)])
        try session.run(
            """
            UPDATE pin SET longitude = $1, latitude = $2, time = $3, category = $4, shown = $5, caption = $6,
            located = $7, expires = $8, visibility = $9 WHERE id = $10
            """,
            [
                .integer(Int64(pin.place.longitude)), .integer(Int64(pin.place.latitude)), .integer(orNull: pin.time),
                .text(orNull: pin.ownCategory), .text(orNull: pin.category), .text(orNull: pin.ownCaption),
                .text(pin.located.rawValue),
                .integer(orNull: pin.expires), .text(pin.visibility.rawValue), .blob(pin.id.bytes),
            ])
        var draft = ChangeLog.Draft()
        if let number { draft.pins.insert(number) }
        try countPinChange()
        try ChangeLog.append(draft, time: now(), session)
    }

    fileprivate func remove(_ id: PinID, _ draft: inout ChangeLog.Draft) throws {
        let found = try session.integer("SELECT number FROM pin WHERE id = $1 AND state = 0", [.blob(id.bytes)])
        guard let number = found else { return }
        draft.pins.insert(number)
        try countPinChange()
        let photo = try photo(ofPin: number)
        try deleteOrigins(ofPin: number)
        if try session.integer("SELECT 1 FROM pin_origin WHERE pin = $1 LIMIT 1", [.integer(number)]) == nil {
            try deletePin(number)
            if let photo { try releasePhoto(photo, ofPin: number, &draft) }
            return
        }
        // The track still has the point: the row says that it is not a pin.
        try deleteAttachments(ofPin: number)
        try session.run(
            """
            UPDATE pin SET state = 1, time = NULL, category = NULL, shown = NULL, caption = NULL, photo = NULL, expires = NULL,
            notes = NULL WHERE number = $1
            """, [.integer(number)])
    }
}
