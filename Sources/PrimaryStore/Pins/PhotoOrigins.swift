internal import Database
internal import Digest
import Pins

/// What an origin of a pin contributed to the pin's photo: the values of the column `brought` of `photo_origin`.
enum PhotoContribution: Int64 {
    /// Only the pin: a file of pins.
    case none = 0
    /// The photo, of which the library makes small pictures.
    case photo = 1
    /// Also the original: an upload, or an import with `--keep-originals`.
    case original = 2

    var value: Value { .integer(rawValue) }
}

/// A photo, and its original, are removed with the last origin that contributed them, even if other origins keep the
/// pin.
///
/// An origin without a row is one of an earlier version, which may have contributed everything.
extension TrackWriter {
    /// Records that the photo of a pin is new to the pin: the origins that the pin has did not contribute it.
    func recordNewPhoto(ofPin pin: Int64) throws {
        try session.run(
            """
            INSERT INTO photo_origin SELECT pin, origin, $1 FROM pin_origin WHERE pin = $2
            ON CONFLICT (pin, origin) DO NOTHING
            """, [PhotoContribution.none.value, .integer(pin)])
    }

    /// Records that the original of a photo is new to the library: the origins of its pins did not contribute it.
    func recordNewOriginal(ofPhoto photo: Int64) throws {
        try session.run(
            """
            INSERT INTO photo_origin SELECT o.pin, o.origin, $1 FROM pin_photo l JOIN pin_origin o ON o.pin = l.pin
            WHERE l.photo = $2 ON CONFLICT (pin, origin) DO NOTHING
            """, [PhotoContribution.photo.value, .integer(photo)])
    }

    /// Records what an origin of a pin contributed to its photo. An import may contain a photo twice.
    func record(_ contribution: PhotoContribution, from origin: Int64, ofPin pin: Int64) throws {
        try session.run(
            """
            INSERT INTO photo_origin VALUES ($1, $2, $3)
            ON CONFLICT (pin, origin) DO UPDATE SET brought = excluded.brought
            WHERE photo_origin.brought < excluded.brought
            """, [.integer(pin), .integer(origin), contribution.value])
    }

    /// Records that an origin contributed a pin without its photo, if the pin has one and nothing is known of the
    /// origin.
    func recordNoPhoto(from origin: Int64, ofPin pin: Int64) throws {
        try session.run(
            """
            INSERT INTO photo_origin SELECT pin, $1, $2 FROM pin_photo WHERE pin = $3
            ON CONFLICT (pin, origin) DO NOTHING
            """, [.integer(origin), PhotoContribution.none.value, .integer(pin)])
    }

    /// Deletes an origin of a pin. Afterwards the pin has to be deleted if it has no origin, and `releasePhoto` called.
    func deleteOrigin(_ origin: Int64, ofPin pin: Int64) throws {
        let mine: [Value] = [.integer(pin), .integer(origin)]
        try session.run("DELETE FROM pin_origin WHERE pin = $1 AND origin = $2", mine)
        try session.run("DELETE FROM photo_origin WHERE pin = $1 AND origin = $2", mine)
    }

    /// Deletes all origins of a pin but its track; otherwise as `deleteOrigin`.
    func deleteOrigins(ofPin pin: Int64) throws {
        try session.run("DELETE FROM pin_origin WHERE pin = $1 AND origin >= 0", [.integer(pin)])
        try session.run("DELETE FROM photo_origin WHERE pin = $1 AND origin >= 0", [.integer(pin)])
    }

    /// The photo of a pin; nil if it has none.
    func photo(ofPin pin: Int64) throws -> Int64? {
        try session.integer("SELECT photo FROM pin_photo WHERE pin = $1", [.integer(pin)])
    }

    /// Separates a pin from its photo, and a photo from its original, if no remaining origin contributed them.
    func releasePhoto(_ photo: Int64, ofPin pin: Int64, _ draft: inout ChangeLog.Draft) throws {
        let contribution = try session.integer(
            """
            SELECT 1 FROM pin_origin o LEFT JOIN photo_origin q ON q.pin = o.pin AND q.origin = o.origin
            WHERE o.pin = $1 AND o.origin >= 0 AND (q.brought IS NULL OR q.brought <> $2) LIMIT 1
            """, [.integer(pin), PhotoContribution.none.value])
        if try contribution == nil && self.photo(ofPin: pin) == photo {
            try unlinkPhoto(ofPin: pin)
            try session.run("DELETE FROM photo_origin WHERE pin = $1", [.integer(pin)])
            try session.run("UPDATE pin SET photo = NULL WHERE number = $1", [.integer(pin)])
            draft.pins.insert(pin)
        }
        try releaseOriginal(ofPhoto: photo, &draft)
    }

    private func releaseOriginal(ofPhoto photo: Int64, _ draft: inout ChangeLog.Draft) throws {
        let mine: [Value] = [.integer(photo), PhotoRows.number(of: .original)]
        // A photo of no pin is erased as a whole.
        guard try session.integer("SELECT 1 FROM pin_photo WHERE photo = $1 LIMIT 1", [.integer(photo)]) != nil,
            try session.integer("SELECT 1 FROM photo_part WHERE photo = $1 AND size = $2 LIMIT 1", mine) != nil
        else { return }
        let isKept = try session.integer(
            """
            SELECT 1 FROM pin_photo l JOIN pin_origin o ON o.pin = l.pin
            LEFT JOIN photo_origin q ON q.pin = o.pin AND q.origin = o.origin
            WHERE l.photo = $1 AND o.origin >= 0 AND (q.brought IS NULL OR q.brought = $2) LIMIT 1
            """, [.integer(photo), PhotoContribution.original.value])
        if isKept != nil { return }
        try session.run(
            "INSERT INTO unused_original VALUES ($1) ON CONFLICT (photo) DO NOTHING", [.integer(photo)])
        try requestErasure()
        try showPhoto(photo, &draft)
    }

    /// Names a photo in the rows of its pins if the library has any picture of it, and otherwise removes the name: of
    /// some photos no small pictures can be made.
    func showPhoto(_ photo: Int64, _ draft: inout ChangeLog.Draft) throws {
        let hasPicture = try session.integer(
            "SELECT 1 FROM photo_part q WHERE q.photo = $1 AND \(PhotoRows.isUsed) LIMIT 1", [.integer(photo)])
        let pins = try session.rows(
            """
            SELECT p.number, p.photo, h.digest FROM pin_photo l JOIN pin p ON p.number = l.pin
            JOIN photo h ON h.number = l.photo WHERE l.photo = $1
            """, [.integer(photo)]
        ) { (number: $0.integer(0), name: $0.textOrNil(1), digest: ContentDigest(bytes: $0.blob(2))) }
        for pin in pins {
            let name = hasPicture == nil ? nil : pin.digest?.description
            guard name != pin.name else { continue }
            try session.run("UPDATE pin SET photo = $1 WHERE number = $2", [.text(orNull: name), .integer(pin.number)])
            draft.pins.insert(pin.number)
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

    /// Deletes rows of origins that are gone, which a process of an earlier version left.
    func deleteUnusedPhotoOrigins() throws {
        try session.run(
            """
            DELETE FROM photo_origin WHERE NOT EXISTS
            (SELECT 1 FROM pin_origin o WHERE o.pin = photo_origin.pin AND o.origin = photo_origin.origin)
            """)
    }
}

extension TrackSnapshot {
    /// The problems of the rows that record the origins of photos, one sentence each.
    func photoOriginProblems() throws -> [String] {
        var problems = CountedProblems(session)
        try problems.count(
            """
            SELECT count(DISTINCT q.pin) FROM photo_origin q JOIN pin_origin o ON o.pin = q.pin AND o.origin = q.origin
            WHERE q.brought <> $1 AND q.pin NOT IN (SELECT pin FROM pin_photo)
            """, [PhotoContribution.none.value], "pins have lost the photo that an import added")
        try problems.count(
            """
            SELECT count(DISTINCT u.photo) FROM unused_original u JOIN pin_photo l ON l.photo = u.photo
            JOIN photo_origin q ON q.pin = l.pin WHERE q.brought = $1
            """, [PhotoContribution.original.value], "originals are kept and to be erased")
        return problems.sentences
    }
}
