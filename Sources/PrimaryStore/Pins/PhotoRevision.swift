internal import Database
public import Pins
import Text

/// What reading a photo again changes in its pin.
public struct PhotoRevision: Sendable, Equatable {
    /// The pin as it was; nil if the photo had none.
    public var before: Pin?
    /// The pin as it is then.
    public var after: Pin
    /// The pins of other files of the same photo, which are joined with it.
    public var joined: [PinID] = []
    /// Whether the place of the pin was set by somebody, and stays.
    public var keepsPlace = false
    /// Whether the time of the pin was set by somebody, and stays.
    public var keepsTime = false
    /// Whether the pictures, or what is known about the photo itself, are others than before.
    public var changesPhoto = false

    /// Whether nothing changes.
    public var isEmpty: Bool {
        joined.isEmpty && !changesPhoto && before?.place == after.place && before?.time == after.time
            && before?.located == after.located
    }
}

/// Photos that an earlier version has misread, or stored as several pins, are read again in place: the pin keeps its id,
/// votes, comments and reports, and what somebody has set.
extension TrackDatabase {
    /// Stores what was read again of a photo: in the pin that its author has of it, else in a new one. The pins of other
    /// files of the same photo are joined with it.
    ///
    /// A place or time that somebody has set stays, unless `content` has a place given by hand. The time was set if it is
    /// not the one in the newest receipt of the pin; if there is none, as for uploads, any time counts as set.
    public func readAgain(
        _ content: PinContent, _ photo: PhotoContent, joining others: [PinID] = [], import importNumber: Int64
    ) throws -> PhotoRevision {
        try write { writer in
            try writer.session.transaction {
                try writer.readAgain(content, photo, joining: others, import: importNumber)
            }
        }
    }

    /// What `readAgain` would change.
    public func revision(
        of content: PinContent, _ photo: PhotoContent, joining others: [PinID] = []
    ) throws -> PhotoRevision {
        try read { try $0.revision(of: content, photo, joining: others) }
    }
}

/// What is needed of a receipt of a photo.
private struct PhotoReading: Decodable {
    var result: String
    var time: String?

    /// The results of photos that were read into a pin.
    static let results: Set<String> = ["stored", "again"]
}

extension TrackSnapshot {
    fileprivate func revision(
        of content: PinContent, _ photo: PhotoContent, joining others: [PinID]
    ) throws -> PhotoRevision {
        let known = try pins(of: content.person, photo: photo.photo.digest).first
        let joined = try others.filter { $0 != known?.id }.compactMap { try pin($0) }
        let pins = [known].compactMap(\.self) + joined
        let after = known ?? Pin(id: content.with(photo.photo).id, content: content, created: 0)
        var revision = PhotoRevision(before: known, after: after, joined: joined.map(\.id))
        (revision.after.place, revision.after.located) = (content.place, content.located)
        if content.located != .hand, let set = pins.first(where: { $0.located == .hand }) {
            (revision.after.place, revision.after.located) = (set.place, .hand)
            revision.keepsPlace = true
        }
        revision.after.time = content.time
        if let set = try pins.first(where: { try isTimeSet(of: $0) }) {
            revision.after.time = set.time
            revision.keepsTime = true
        }
        if let known { revision.changesPhoto = try changes(photo, ofPin: known.id) }
        return revision
    }

    /// Whether the time of a pin is not the one that was read from its photo.
    private func isTimeSet(of pin: Pin) throws -> Bool {
        let receipts = try session.rows(
            """
            SELECT f.receipt FROM pin p JOIN pin_origin o ON o.pin = p.number
            JOIN import_file f ON f.import = o.origin >> \(LibraryTables.originFileBits)
            WHERE p.id = $1 AND o.origin > 0 AND f.receipt LIKE $2 ORDER BY f.import DESC, f.ordinal DESC
            """, [.blob(pin.id.bytes), .text("%\"pin\":\"\(pin.id)\"%")]
        ) { $0.text(0) }
        let readings = receipts.lazy.compactMap { JSONCoding.value(PhotoReading.self, from: $0.utf8) }
        guard let last = readings.first(where: { PhotoReading.results.contains($0.result) }) else {
            return pin.time != nil
        }
        return last.time != pin.time.map { InstantFormatter.utc($0) }
    }

    /// Whether the pictures of a photo, or what its file says about it, are others than those that are stored.
    private func changes(_ photo: PhotoContent, ofPin id: PinID) throws -> Bool {
        let stored = try session.first(
            """
            SELECT \(PhotoRows.columns), h.number FROM pin p JOIN pin_photo l ON l.pin = p.number
            JOIN photo h ON h.number = l.photo WHERE p.id = $1
            """, [.blob(id.bytes)]
        ) { (photo: PhotoRows.photo($0), number: $0.integer(9)) }
        guard let stored, var known = stored.photo else { return true }
        // How the place was found is no part of the photo.
        (known.method, known.radiusMetres) = (photo.photo.method, photo.photo.radiusMetres)
        return try known != photo.photo || !changedSizes(of: photo, inPhoto: stored.number).isEmpty
    }

    /// The small pictures of a photo that are others than those that are stored, or that are missing.
    fileprivate func changedSizes(of content: PhotoContent, inPhoto number: Int64) throws -> [PinPhoto.Size] {
        try [PinPhoto.Size.thumb, .screen].filter { size in
            guard let bytes = content.pictures[size] else { return false }
            return try picture(ofPhoto: number, size) != bytes
        }
    }
}

extension TrackWriter {
    fileprivate func readAgain(
        _ content: PinContent, _ photo: PhotoContent, joining others: [PinID], import importNumber: Int64
    ) throws -> PhotoRevision {
        let snapshot = TrackSnapshot(session: session)
        var revision = try snapshot.revision(of: content, photo, joining: others)
        var draft = ChangeLog.Draft()
        let added = try add(content, photo, import: importNumber) { _ in true }
        guard let pin = try number(ofPin: added.pin.id), let stored = try self.photo(ofPin: pin) else {
            throw LibraryError.damaged(path: session.databaseName, what: "a pin that was just stored is missing")
        }
        for other in revision.joined {
            if let other = try number(ofPin: other) { try join(other, with: pin, &draft) }
        }
        let after = revision.after
        try session.run(
            "UPDATE pin SET longitude = $1, latitude = $2, time = $3, located = $4 WHERE number = $5",
            [
                .integer(Int64(after.place.longitude)), .integer(Int64(after.place.latitude)),
                .integer(orNull: after.time), .text(after.located.rawValue), .integer(pin),
            ])
        if !revision.keepsPlace { try setPlacing(photo.photo, ofPin: pin) }
        try replace(photo, inPhoto: stored)
        draft.pins.insert(pin)
        try countPinChange()
        try ChangeLog.append(draft, time: now(), session)
        if let now = try snapshot.pin(added.pin.id) { revision.after = now }
        return revision
    }

    private func number(ofPin id: PinID) throws -> Int64? {
        try session.integer("SELECT number FROM pin WHERE id = $1 AND state = 0", [.blob(id.bytes)])
    }

    /// Stores how the place of a photo was found.
    private func setPlacing(_ photo: PinPhoto, ofPin pin: Int64) throws {
        try session.run(
            "UPDATE pin_photo SET method = $1, radius = $2 WHERE pin = $3",
            [.text(photo.method.rawValue), photo.radiusMetres.map { .real($0) } ?? .null, .integer(pin)])
    }

    /// Stores what was read of a photo in place of what is stored of it.
    private func replace(_ content: PhotoContent, inPhoto number: Int64) throws {
        let photo = content.photo
        try session.run(
            """
            UPDATE photo SET type = $1, width = $2, height = $3, orientation = $4, camera = $5 WHERE number = $6
            """,
            [
                .text(photo.contentType), .integer(orNull: photo.pixels.map { Int64($0.width) }),
                .integer(orNull: photo.pixels.map { Int64($0.height) }), .integer(photo.orientation),
                .text(orNull: photo.camera), .integer(number),
            ])
        for size in try TrackSnapshot(session: session).changedSizes(of: content, inPhoto: number) {
            try put(content.pictures[size] ?? [], as: size, ofPhoto: number)
        }
    }

    /// Joins a pin with another one of the same photo, which gets what belongs to it.
    private func join(_ other: Int64, with pin: Int64, _ draft: inout ChangeLog.Draft) throws {
        try moveAttachments(from: other, to: pin)
        let photo = try self.photo(ofPin: other)
        // The origins keep the pin, but they did not contribute this photo.
        try session.run(
            """
            INSERT INTO photo_origin SELECT $1, origin, $2 FROM pin_origin WHERE pin = $3 AND origin >= 0
            AND origin NOT IN (SELECT origin FROM pin_origin WHERE pin = $1) ON CONFLICT (pin, origin) DO NOTHING
            """, [.integer(pin), PhotoContribution.none.value, .integer(other)])
        try session.run(
            """
            INSERT INTO pin_origin SELECT $1, origin, notes FROM pin_origin WHERE pin = $2 AND origin >= 0
            ON CONFLICT (pin, origin) DO NOTHING
            """, [.integer(pin), .integer(other)])
        try deleteOrigins(ofPin: other)
        try deletePin(other)
        if let photo { try releasePhoto(photo, ofPin: other, &draft) }
        try requestErasure()
        draft.pins.insert(other)
    }
}
