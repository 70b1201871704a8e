internal import Database
internal import Pins

/// What keeps the originals of photos: imports with `--keep-originals`, and uploads.
///
/// An original goes with the last pin or import that keeps it, even if the photo stays. Originals that were stored
/// before this was recorded have no rows, and stay as long as their photo.
extension TrackWriter {
    /// Notes that an origin of a pin keeps the original of the pin's photo. `isStored`: the library had it before.
    func keepOriginal(ofPhoto photo: Int64, pin: Int64, origin: Int64, isStored: Bool) throws {
        // Whatever stored it earlier keeps it, too, and is not known.
        if try isStored && !isOriginalKept(ofPhoto: photo) { return }
        try session.run(
            """
            INSERT INTO kept_original SELECT $1, pin, origin FROM pin_origin WHERE pin = $2 AND origin = $3
            ON CONFLICT (photo, pin, origin) DO NOTHING
            """, [.integer(photo), .integer(pin), .integer(origin)])
    }

    /// Forgets that an origin of a pin keeps an original; nil for all its origins. An original that nothing keeps is
    /// unused from then on, and overwritten by `eraseSomeOriginals()`. Before the pin is separated from its photo.
    func releaseOriginal(ofPin pin: Int64, origin: Int64?, _ draft: inout ChangeLog.Draft) throws {
        let mine: [Value] = [.integer(pin)]
        guard let photo = try session.integer("SELECT photo FROM pin_photo WHERE pin = $1", mine) else { return }
        let rows: [Value] = [.integer(photo), .integer(pin)]
        if let origin {
            try session.run(
                "DELETE FROM kept_original WHERE photo = $1 AND pin = $2 AND origin = $3", rows + [.integer(origin)])
        } else {
            try session.run("DELETE FROM kept_original WHERE photo = $1 AND pin = $2", rows)
        }
        guard session.changedRows > 0, try !isOriginalKept(ofPhoto: photo) else { return }
        try session.run(
            "INSERT INTO unused_original VALUES ($1) ON CONFLICT (photo) DO NOTHING", [.integer(photo)])
        try requestErasure()
        // Pins of a photo of which no small pictures could be made had this picture only.
        let other = try session.integer(
            "SELECT 1 FROM photo_part WHERE photo = $1 AND size <> $2 LIMIT 1",
            [.integer(photo), PhotoRows.number(of: .original)])
        guard other == nil else { return }
        let pins = try session.rows("SELECT pin FROM pin_photo WHERE photo = $1", [.integer(photo)]) { $0.integer(0) }
        for pin in pins {
            try session.run("UPDATE pin SET photo = NULL WHERE number = $1", [.integer(pin)])
            draft.pins.insert(pin)
        }
    }

    /// Deletes what an erasure has left of an unused original, so that it can be stored again.
    func deleteUnusedOriginal(ofPhoto photo: Int64) throws {
        try session.run("DELETE FROM unused_original WHERE photo = $1", [.integer(photo)])
        guard session.changedRows > 0 else { return }
        try session.run(
            "DELETE FROM photo_part WHERE photo = $1 AND size = $2",
            [.integer(photo), PhotoRows.number(of: .original)])
    }

    /// Overwrites a part of the unused originals, in a short transaction; returns false if nothing was left.
    func eraseSomeOriginals() throws -> Bool {
        try session.transaction {
            guard let photo = try unusedOriginal() else { return false }
            try session.run(
                """
                DELETE FROM photo_part WHERE number IN
                (SELECT number FROM photo_part WHERE photo = $1 AND size = $2 ORDER BY ordinal LIMIT $3)
                """, [.integer(photo), PhotoRows.number(of: .original), .integer(PhotoRows.erasedParts)])
            if session.changedRows == 0 {
                try session.run("DELETE FROM unused_original WHERE photo = $1", [.integer(photo)])
            }
            return true
        }
    }

    /// A photo with an unused original; nil if there is none.
    func unusedOriginal() throws -> Int64? {
        try session.integer("SELECT min(photo) FROM unused_original")
    }

    private func isOriginalKept(ofPhoto photo: Int64) throws -> Bool {
        try session.integer("SELECT 1 FROM kept_original WHERE photo = $1 LIMIT 1", [.integer(photo)]) != nil
    }
}

extension TrackSnapshot {
    /// The problems of the rows of kept originals, one sentence each.
    func originalProblems() throws -> [String] {
        let lost = try session.integer(
            """
            SELECT count(*) FROM kept_original k WHERE NOT EXISTS
            (SELECT 1 FROM pin_photo l JOIN pin_origin o ON o.pin = l.pin
            WHERE l.pin = k.pin AND l.photo = k.photo AND o.origin = k.origin)
            """)
        let unused = try session.integer(
            """
            SELECT count(*) FROM unused_original
            WHERE photo IN (SELECT photo FROM kept_original) OR photo NOT IN (SELECT number FROM photo)
            """)
        return [(lost, "kept originals have no pin"), (unused, "unused originals are kept, or have no photo")]
            .compactMap { count, text in count.flatMap { $0 > 0 ? "\($0) \(text)" : nil } }
    }
}
