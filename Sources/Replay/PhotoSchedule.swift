import Text

/// Inserts photos before the first event at, or after, their time.
///
/// A `photo` event has the id of the event before it, so a reader that resumes may receive a photo twice, but misses
/// none. Only photos between two events of the replay are played: none before its beginning, and none after its end.
struct PhotoSchedule: Sendable {
    /// Photos that are read at once.
    static let batch = 64

    private let track: ReplayTrack?
    /// The event that comes after the photos that are due.
    private var held: ReplayEvent?
    private var heldInstant: Int64 = 0
    /// The playing time left before the held event.
    private var advance: Int64 = 0
    /// Photos up to here have been passed; nil before the first event.
    private var passed: ReplayPhoto.Order?
    /// Photos after `passed` that have been read, the last one first.
    private var upcoming: [ReplayPhoto] = []
    /// There is no unread photo up to this time.
    private var readUntil: Int64 = .min
    private var lastCursor: ReplayCursor?
    /// The last event, if it was a photo.
    private var lastPhoto: ReplayPhoto?

    /// `track` is the only track that is played, nil for several; `cursor` is that of the event after which a reader
    /// resumes.
    init(track: ReplayTrack?, after cursor: ReplayCursor?) {
        self.track = track
        lastCursor = cursor
        if let cursor, cursor.kind != .start, let instant = cursor.instant { passed = .end(of: instant) }
    }

    /// Takes an event of the playback; returns what is sent now, the event itself or a photo before it.
    mutating func take(_ event: ReplayEvent, _ source: any ReplaySource) throws -> ReplayEvent {
        guard event.track != nil, let instant = event.cursor?.instant else {
            lastCursor = event.cursor ?? lastCursor
            lastPhoto = nil
            return event
        }
        // Tracks may overlap if they are played one after another: then time starts again with each.
        if let passed, passed.time > instant { forgetRead() }
        if passed == nil || passed.map({ $0.time > instant }) == true { passed = .end(of: instant &- 1) }
        // Most events have no photo before them, and are not worth a copy.
        if upcoming.last.map({ $0.order.time > instant }) ?? (readUntil >= instant) {
            passed = .end(of: instant)
            lastCursor = event.cursor
            lastPhoto = nil
            return event
        }
        held = event
        heldInstant = instant
        advance = event.advanceMilliseconds
        return try next(source) ?? event
    }

    /// The next photo, or the event that was held; nil if there is none.
    mutating func next(_ source: any ReplaySource) throws -> ReplayEvent? {
        guard let held, let passed else { return nil }
        if upcoming.isEmpty, readUntil < heldInstant {
            let read = try source.photos(after: passed, of: track, limit: Self.batch)
            // The next batch may have more photos of the time of the last one.
            readUntil = read.count < Self.batch ? .max : (read.last?.order.time ?? .max) - 1
            upcoming = read.reversed()
        }
        guard let photo = upcoming.last, photo.order.time <= heldInstant else {
            if upcoming.isEmpty, readUntil < heldInstant { return try next(source) }
            self.held = nil
            self.passed = .end(of: heldInstant)
            lastCursor = held.cursor
            lastPhoto = nil
            return held.advancing(by: advance)
        }
        upcoming.removeLast()
        let step = min(advance, max(0, photo.order.time &- passed.time))
        advance -= step
        self.passed = photo.order
        lastPhoto = photo
        return ReplayEvent(
            name: .photo, cursor: lastCursor, content: .text(Self.data(photo)), track: nil, advanceMilliseconds: step)
    }

    /// Whether the last event was a photo that is no longer shown. What was read is read again.
    mutating func isOutdated(_ source: any ReplaySource) throws -> Bool {
        forgetRead()
        guard let lastPhoto else { return false }
        let before = ReplayPhoto.Order(time: lastPhoto.order.time, number: lastPhoto.order.number - 1)
        return try source.photos(after: before, of: track, limit: 1).first?.pin != lastPhoto.pin
    }

    /// Begins anew, because the playback does.
    mutating func restart() {
        self = PhotoSchedule(track: track, after: nil)
    }

    private mutating func forgetRead() {
        upcoming = []
        readUntil = .min
    }

    private static func data(_ photo: ReplayPhoto) -> [UInt8] {
        var json = JSONWriter()
        json.raw("{\"pin\":")
        json.add(photo.pin)
        json.raw(",\"t\":")
        json.add(photo.order.time)
        json.raw(",\"p\":")
        json.add(degrees: [photo.longitude, photo.latitude])
        if let caption = photo.caption {
            json.raw(",\"caption\":")
            json.add(caption)
        }
        json.raw("}")
        return json.bytes
    }
}
