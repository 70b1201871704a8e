internal import Database
internal import Pins
internal import Text
internal import Tracks

/// Marked points of tracks as pins. They are derived from the tracks, as the grid is: whoever finds tracks changed reads
/// the marked points of these tracks again.
extension TrackDatabase {
    /// The tracks of one transaction.
    private static let batchTracks = 50

    /// Updates the pins to the newest revision; returns quickly if there is nothing to do.
    func catchUpMarkedPins() throws {
        let due = try read { snapshot -> (tracks: [Int64], revision: Int64)? in
            let head = try snapshot.head().revision
            let done = try Meta.integer("marked", snapshot.session)
            guard done != head else { return nil }
            guard let done else { return (try snapshot.trackNumbers(), head) }
            let changes = try snapshot.changes(since: done)
            let tracks = changes.reduce(into: Set<Int64>()) {
                $0.formUnion($1.added + $1.changed + $1.removed + $1.described)
            }
            return (tracks.sorted(), head)
        }
        guard let due else { return }
        var kept: [Int64: Set<PinID>] = [:]
        try forEachBatch(of: due.tracks) { batch in
            let found = try batch.map { number in (number, try read { try $0.markedPoints(ofTrack: number) }) }
            try write { writer in
                try writer.session.transaction {
                    for (number, points) in found { try writer.addMarkedPins(ofTrack: number, points) }
                }
            }
            for (number, points) in found { kept[number] = Set(points.map(\.id)) }
        }
        // Afterwards, so that a point that has moved to another track keeps its pin, with votes and comments.
        let ids = kept
        try forEachBatch(of: due.tracks) { batch in
            try write { writer in
                try writer.session.transaction {
                    for number in batch { try writer.removeMarkedPins(ofTrack: number, except: ids[number] ?? []) }
                }
            }
        }
        try write { writer in
            try writer.session.transaction {
                // Another process may have got further.
                guard try Meta.integer("marked", writer.session) ?? -1 < due.revision else { return }
                try Meta.set("marked", to: .integer(due.revision), writer.session)
            }
        }
    }
}

extension TrackDatabase {
    private func forEachBatch(of tracks: [Int64], _ body: (ArraySlice<Int64>) throws -> Void) throws {
        for start in stride(from: 0, to: tracks.count, by: Self.batchTracks) {
            try body(tracks[start..<min(start + Self.batchTracks, tracks.count)])
        }
    }
}

extension PointChunk {
    /// The indices of the points that their user marked.
    var markedIndices: [Int] {
        guard let column = fields.first(where: { $0.name == FieldName.mark }),
            case .numbers(_, let numbers) = column.values
        else { return [] }
        return numbers.indices.filter { numbers[$0] != FieldColumn.absent && numbers[$0] != 0 }
    }
}

extension TrackSnapshot {
    /// Fields of marked points that become notes of pins, by the names of the notes.
    private static let noted: [(field: String, note: String)] = [
        (FieldName.pointName, PinNote.name), (FieldName.elevation, PinNote.elevation), ("cmt", PinNote.comment),
        ("desc", PinNote.description), ("sym", PinNote.symbol), ("type", PinNote.type),
        (FieldName.address, FieldName.address),
    ]

    /// The marked points of a track; none if the track does not exist.
    fileprivate func markedPoints(ofTrack number: Int64) throws -> [PinContent] {
        guard let track = try track(number: number) else { return [] }
        var found: [PinContent] = []
        let fields = WantedFields.only(([FieldName.mark] + Self.noted.map(\.field)).sorted())
        try forEachChunk(ofTrack: number, fields: fields) { chunk in
            for index in chunk.markedIndices {
                if let pin = Self.pin(chunk, index, person: track.personName) { found.append(pin) }
            }
        }
        return found
    }

    private static func pin(_ chunk: PointChunk, _ index: Int, person: String?) -> PinContent? {
        let unit = E7Converter(unit: chunk.unit)
        let place = PinPlace(
            e7Longitude: Int64(unit.e7(chunk.longitudes[index])), latitude: Int64(unit.e7(chunk.latitudes[index])))
        guard let place else { return nil }
        var pin = PinContent(place, source: .mark, located: .recorded)
        pin.time = chunk.times[index] == PointChunk.untimed ? nil : chunk.times[index]
        pin.person = person
        for (field, note) in noted {
            guard let column = chunk.fields.first(where: { $0.name == field }) else { continue }
            switch column.values {
            case .numbers(let places, let numbers):
                guard numbers[index] != FieldColumn.absent else { continue }
                pin.note(note, FixedDecimal(mantissa: numbers[index], places: places).description)
            case .texts(let texts): if let text = texts[index] { pin.note(note, text) }
            }
        }
        return pin
    }
}

extension TrackWriter {
    /// Stores the marked points of a track, unless it has been removed since it was read.
    fileprivate func addMarkedPins(ofTrack number: Int64, _ points: [PinContent]) throws {
        guard !points.isEmpty, try isLive(number) else { return }
        // Marked points are not in the log: they follow from the tracks.
        var draft = ChangeLog.Draft()
        for point in points { _ = try put(point, origin: PinOrigin.track(number), &draft) }
        try countPinChange()
    }

    /// Removes what a track has brought, except these pins; everything if the track was removed.
    fileprivate func removeMarkedPins(ofTrack number: Int64, except ids: Set<PinID>) throws {
        let origin = PinOrigin.track(number)
        let stored = try session.rows(
            "SELECT o.pin, p.id FROM pin_origin o JOIN pin p ON p.number = o.pin WHERE o.origin = $1",
            [.integer(origin)]
        ) { (pin: $0.integer(0), id: PinID(bytes: $0.blob(1))) }
        guard !stored.isEmpty else { return }
        let kept = try isLive(number) ? ids : []
        var draft = ChangeLog.Draft()
        for (pin, id) in stored where id.map({ !kept.contains($0) }) ?? true {
            try removeOrigin(origin, ofPin: pin, &draft)
        }
        try countPinChange()
    }

    private func isLive(_ track: Int64) throws -> Bool {
        try session.integer("SELECT 1 FROM track WHERE number = $1 AND state = 0", [.integer(track)]) != nil
    }
}
