internal import Database
public import Digest
public import Pins

/// How a photo is stored: its rows, and its pictures cut into parts.
enum PhotoRows {
    /// Bytes of a part: small enough for short transactions, large beside the cost of a row.
    static let partBytes = 256 << 10
    /// The parts that one transaction of a removal overwrites: 4 MB.
    static let erasedParts: Int64 = 16

    /// The values of the column `size`.
    static func number(of size: PinPhoto.Size) -> Value {
        switch size {
        case .original: 0
        case .thumb: 1
        case .screen: 2
        }
    }

    /// The columns that `photo(_:)` reads, of `photo` as h and `pin_photo` as l.
    static let columns = """
        h.digest, h.type, h.bytes, h.width, h.height, h.orientation, h.camera, l.method, l.radius
        """

    /// The condition of parts, of `photo_part` as q, without those of originals that are erased while their photo stays.
    static let isUsed = "(q.size <> 0 OR q.photo NOT IN (SELECT photo FROM unused_original))"

    /// nil if a value is invalid.
    static func photo(_ row: any Row) -> PinPhoto? {
        guard let digest = ContentDigest(bytes: row.blob(0)), let method = PinPhoto.Method(rawValue: row.text(7)) else {
            return nil
        }
        var photo = PinPhoto(digest: digest, contentType: row.text(1), byteCount: row.integer(2), method: method)
        if let width = row.integerOrNil(3), let height = row.integerOrNil(4) {
            photo.pixels = (Int(width), Int(height))
        }
        photo.orientation = Int(row.integer(5))
        photo.camera = row.textOrNil(6)
        photo.radiusMetres = row.isNull(8) ? nil : row.real(8)
        return photo
    }
}

/// A pin with a photo that was to be stored.
public struct AddedPin: Sendable {
    public var pin: Pin
    /// Whether the library did not have it yet.
    public var isNew: Bool
    /// Whether the library had to keep an original that it does not have, and that was not given.
    public var lacksOriginal: Bool
}

extension TrackDatabase {
    /// Stores a pin with its photo. If the person has a pin with the same photo for which `isSame` returns true, that one
    /// is returned, and only pictures that the library does not have yet are added to it.
    ///
    /// `importNumber` is the import that adds it; nil for a pin that is made in this library, which gets a random id.
    public func addPin(
        _ content: PinContent, _ photo: PhotoContent, import importNumber: Int64? = nil,
        isSame: (Pin) -> Bool = { _ in true }
    ) throws -> AddedPin {
        try write { writer in
            try writer.session.transaction { try writer.add(content, photo, import: importNumber, isSame: isSame) }
        }
    }

    /// The pins of a person (nil for the library's owner) with the photo that has a digest, in the order in which they
    /// were stored.
    public func pins(of person: String?, photo: ContentDigest) throws -> [Pin] {
        try read { try $0.pins(of: person, photo: photo) }
    }

    /// The photo of a pin; nil if it has none.
    public func photo(ofPin id: PinID) throws -> PinPhoto? {
        try read { snapshot in
            try snapshot.session.first(
                """
                SELECT \(PhotoRows.columns) FROM pin p JOIN pin_photo l ON l.pin = p.number
                JOIN photo h ON h.number = l.photo WHERE p.id = $1 AND p.state = 0
                """, [.blob(id.bytes)]
            ) { PhotoRows.photo($0) } ?? nil
        }
    }

    /// The pictures that the library has of the photo of a pin.
    public func pictureSizes(ofPin id: PinID) throws -> Set<PinPhoto.Size> {
        try storedPictures(ofPin: id).complete
    }

    /// The pictures that the library has of the photo of a pin, and those of which parts are missing.
    public func storedPictures(
        ofPin id: PinID
    ) throws -> (complete: Set<PinPhoto.Size>, incomplete: Set<PinPhoto.Size>) {
        try read { snapshot in
            let number = try snapshot.session.integer(
                """
                SELECT l.photo FROM pin p JOIN pin_photo l ON l.pin = p.number WHERE p.id = $1 AND p.state = 0
                """, [.blob(id.bytes)])
            return try number.map { try snapshot.pictures(ofPhoto: $0) } ?? ([], [])
        }
    }

    /// A picture of the photo of a pin; nil if the library does not have it, or not as a whole.
    public func picture(ofPin id: PinID, _ size: PinPhoto.Size) throws -> [UInt8]? {
        try read { snapshot in
            let photo = try snapshot.session.integer(
                "SELECT l.photo FROM pin p JOIN pin_photo l ON l.pin = p.number WHERE p.id = $1 AND p.state = 0",
                [.blob(id.bytes)])
            return try photo.flatMap { try snapshot.picture(ofPhoto: $0, size) }
        }
    }
}

extension TrackSnapshot {
    func pins(of person: String?, photo: ContentDigest) throws -> [Pin] {
        try session.rows(
            """
            SELECT \(Pin.columns) FROM \(Pin.tables) JOIN pin_photo l ON l.pin = p.number
            JOIN photo f ON f.number = l.photo WHERE f.digest = $1 AND p.state = 0 ORDER BY p.number
            """, [.blob(photo.bytes)]
        ) { Pin(row: $0) }.compactMap { $0 }.filter { $0.person == person }
    }

    /// A picture of a photo; nil if the library does not have it, or not as a whole.
    func picture(ofPhoto number: Int64, _ size: PinPhoto.Size) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        var isIncomplete = false
        var next: Int64 = 0
        try session.forEach(
            """
            SELECT q.ordinal, q.bytes FROM photo_part q WHERE q.photo = $1 AND q.size = $2 AND \(PhotoRows.isUsed)
            ORDER BY q.ordinal
            """, [.integer(number), PhotoRows.number(of: size)]
        ) { row in
            if row.integer(0) != next { isIncomplete = true }
            next += 1
            if !isIncomplete { bytes += row.blob(1) }
        }
        return isIncomplete || bytes.isEmpty ? nil : bytes
    }

    /// The pictures of a photo, and those of which parts are missing.
    fileprivate func pictures(
        ofPhoto number: Int64
    ) throws -> (complete: Set<PinPhoto.Size>, incomplete: Set<PinPhoto.Size>) {
        let rows = try session.rows(
            """
            SELECT q.size, count(*), max(q.ordinal) FROM photo_part q WHERE q.photo = $1 AND \(PhotoRows.isUsed)
            GROUP BY q.size
            """, [.integer(number)]
        ) { (size: $0.integer(0), isComplete: $0.integer(1) == $0.integer(2) + 1) }
        func sizes(_ isComplete: Bool) -> Set<PinPhoto.Size> {
            let numbers = rows.filter { $0.isComplete == isComplete }.map { Value.integer($0.size) }
            return Set(PinPhoto.Size.allCases.filter { numbers.contains(PhotoRows.number(of: $0)) })
        }
        return (sizes(true), sizes(false))
    }

    /// The problems of the rows of photos, one sentence each.
    func photoProblems() throws -> [String] {
        var problems = CountedProblems(session)
        try problems.count(
            "SELECT count(*) FROM pin_photo WHERE pin NOT IN (SELECT number FROM pin)", "photos have no pin")
        try problems.count(
            "SELECT count(*) FROM pin_photo WHERE photo NOT IN (SELECT number FROM photo)", "pins have lost their photo"
        )
        try problems.count(
            "SELECT count(*) FROM photo_part WHERE photo NOT IN (SELECT number FROM photo)",
            "parts of pictures have no photo")
        try problems.count(
            """
            SELECT count(*) FROM pin p WHERE p.photo IS NOT NULL
            AND p.number NOT IN (SELECT l.pin FROM pin_photo l JOIN photo_part q ON q.photo = l.photo)
            """, "pins have lost their pictures")
        try problems.count(
            """
            SELECT count(*) FROM (SELECT q.photo FROM photo_part q
            WHERE q.photo IN (SELECT photo FROM pin_photo) AND \(PhotoRows.isUsed)
            GROUP BY q.photo, q.size HAVING count(*) <> max(q.ordinal) + 1) AS incomplete
            """, "pictures are incomplete")
        return try problems.sentences + photoOriginProblems()
    }
}

extension TrackWriter {
    /// Stores a pin with its photo, as `TrackDatabase.addPin` does.
    func add(
        _ given: PinContent, _ photo: PhotoContent, import importNumber: Int64?, isSame: (Pin) -> Bool
    ) throws -> AddedPin {
        let snapshot = TrackSnapshot(session: session)
        let known = try snapshot.pins(of: given.person, photo: photo.photo.digest).first(where: isSame)
        var content = given
        content.photo = photo.pictures.isEmpty ? nil : photo.photo.digest.description
        if let known {
            content.givenID = known.id
        } else if importNumber == nil {
            var generator = SystemRandomNumberGenerator()
            content.givenID = PinID.random(using: &generator)
        } else {
            content = content.with(photo.photo)
        }
        var draft = ChangeLog.Draft()
        // An import that contains a known pin is one of its origins, so that the pin outlives the undoing of another
        // import.
        let origin = importNumber.map { ImportOrigin(import: $0).rawValue } ?? PinOrigin.made
        _ = try put(content, origin: origin, &draft)
        guard let pin = try session.integer("SELECT number FROM pin WHERE id = $1", [.blob(content.id.bytes)]) else {
            throw LibraryError.damaged(path: session.databaseName, what: "a pin that was just stored is missing")
        }
        let (number, hadOriginal, hasOriginal) = try store(photo)
        try session.run(
            "INSERT INTO pin_photo VALUES ($1, $2, $3, $4) ON CONFLICT (pin) DO NOTHING",
            [
                .integer(pin), .integer(number), .text(photo.photo.method.rawValue),
                photo.photo.radiusMetres.map { .real($0) } ?? .null,
            ])
        if session.changedRows > 0 { try recordNewPhoto(ofPin: pin) }
        if hasOriginal && !hadOriginal { try recordNewOriginal(ofPhoto: number) }
        try record(photo.keepsOriginal && hasOriginal ? .original : .photo, from: origin, ofPin: pin)
        try showPhoto(number, &draft)
        try countPinChange()
        try ChangeLog.append(draft, time: now(), session)
        guard let stored = try snapshot.pin(content.id) else {
            throw LibraryError.damaged(path: session.databaseName, what: "a pin that was just stored is missing")
        }
        return AddedPin(pin: stored, isNew: known == nil, lacksOriginal: photo.keepsOriginal && !hasOriginal)
    }

    /// Stores a photo and its pictures, unless they are stored already; returns its number, and whether the library had
    /// its original before and has it now. An original that is not to be kept only repairs one that is incomplete.
    private func store(
        _ content: PhotoContent
    ) throws -> (number: Int64, hadOriginal: Bool, hasOriginal: Bool) {
        let photo = content.photo
        let known = try session.integer("SELECT number FROM photo WHERE digest = $1", [.blob(photo.digest.bytes)])
        let number =
            try known
            ?? session.inserted(
                """
                INSERT INTO photo (digest, type, bytes, width, height, orientation, camera)
                VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING number
                """,
                [
                    .blob(photo.digest.bytes), .text(photo.contentType), .integer(photo.byteCount),
                    .integer(orNull: photo.pixels.map { Int64($0.width) }),
                    .integer(orNull: photo.pixels.map { Int64($0.height) }), .integer(photo.orientation),
                    .text(orNull: photo.camera),
                ])
        if known != nil { try deletePartsOfUnused(number) }
        var pictures = content.pictures.filter { !$0.value.isEmpty }
        if content.keepsOriginal, pictures[.original] != nil { try deleteUnusedOriginal(ofPhoto: number) }
        let stored = try TrackSnapshot(session: session).pictures(ofPhoto: number)
        if !content.keepsOriginal, !stored.incomplete.contains(.original) { pictures[.original] = nil }
        for (size, bytes) in pictures where !stored.complete.contains(size) {
            try put(bytes, as: size, ofPhoto: number)
        }
        let hadOriginal = stored.complete.union(stored.incomplete).contains(.original)
        return (number, hadOriginal, hadOriginal || pictures[.original] != nil)
    }

    /// Stores a picture of a photo in place of what is stored of it.
    func put(_ bytes: [UInt8], as size: PinPhoto.Size, ofPhoto number: Int64) throws {
        let mine: [Value] = [.integer(number), PhotoRows.number(of: size)]
        try session.run("DELETE FROM photo_part WHERE photo = $1 AND size = $2", mine)
        for (ordinal, start) in stride(from: 0, to: bytes.count, by: PhotoRows.partBytes).enumerated() {
            let part = Array(bytes[start..<min(bytes.count, start + PhotoRows.partBytes)])
            try session.run(
                "INSERT INTO photo_part (photo, size, ordinal, bytes) VALUES ($1, $2, $3, $4)",
                mine + [.integer(ordinal), .blob(part)])
        }
    }

    /// Deletes what an erasure has left of the pictures of a photo, if no pin shows it: it may be any part of them.
    private func deletePartsOfUnused(_ number: Int64) throws {
        let mine: [Value] = [.integer(number)]
        guard try session.integer("SELECT 1 FROM pin_photo WHERE photo = $1 LIMIT 1", mine) == nil else { return }
        try session.run("DELETE FROM photo_part WHERE photo = $1", mine)
    }

    /// Separates a pin from its photo. A photo of no pin is overwritten by `eraseSomePhotos()`.
    func unlinkPhoto(ofPin number: Int64) throws {
        try session.run("DELETE FROM pin_photo WHERE pin = $1", [.integer(number)])
        if session.changedRows > 0 { try requestErasure() }
    }

    /// A photo of no pin; nil if there is none.
    func unusedPhoto() throws -> Int64? {
        try session.integer("SELECT min(number) FROM photo WHERE number NOT IN (SELECT photo FROM pin_photo)")
    }

    /// Overwrites a part of the photos of no pin, in a short transaction; returns false if nothing was left.
    func eraseSomePhotos() throws -> Bool {
        try session.transaction {
            guard let number = try unusedPhoto() else { return false }
            try session.run(
                """
                DELETE FROM photo_part WHERE number IN
                (SELECT number FROM photo_part WHERE photo = $1 ORDER BY size, ordinal LIMIT $2)
                """, [.integer(number), .integer(PhotoRows.erasedParts)])
            if session.changedRows == 0 {
                try session.run("DELETE FROM unused_original WHERE photo = $1", [.integer(number)])
                try session.run("DELETE FROM photo WHERE number = $1", [.integer(number)])
            }
            return true
        }
    }
}
