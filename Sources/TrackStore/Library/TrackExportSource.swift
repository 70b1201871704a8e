public import Pins
public import PrimaryStore
public import Replay
public import TrackExport
import Tracks

/// The tracks of a library for an export: oldest first, those without times last. Each chunk is read in a snapshot of
/// its own, so that a slow reader blocks nobody.
public struct TrackExportSource: ExportSource {
    private let database: TrackDatabase
    private let numbers: [Int64]
    private var current: ReplayTrack?
    /// The pins to export; nil for none.
    private var pinFilter: PinFilter?
    private var nextPin: String?
    /// When readers other than the owner ask; nil for the owner.
    private var pinTime: Int64?
    /// The first pins, which were read to find whether there are any.
    private var firstPins: [Pin]?
    public private(set) var hasPins = false
    /// The pins whose content the reader may have: waypoints of others are exported without names and notes. nil for all.
    public var admitsContent: (@Sendable (Pin) -> Bool)?

    /// Number of tracks read from a list at once.
    private static let pageTracks = 500

    /// Creates a source of the tracks that pass all filters.
    public init(_ library: Library, _ filters: [TrackFilter]) throws {
        var timed: [Int64] = []
        var untimed: [Int64] = []
        var after: String?
        repeat {
            let page = try library.database.tracks(
                filters.first ?? TrackFilter(), limit: Self.pageTracks, after: after)
            for track in page?.tracks ?? [] where filters.allSatisfy({ $0.admits(track) }) {
                if track.start == nil { untimed.append(track.number) } else { timed.append(track.number) }
            }
            after = page?.next
        } while after != nil
        try self.init(library, numbers: timed.reversed() + untimed.reversed())
    }

    /// Creates a source of pins only.
    public init(_ library: Library, pins filter: PinFilter) throws {
        try self.init(library, numbers: [])
        try add(filter)
    }

    /// Also exports the pins that pass a filter; for readers other than the owner, only those that everybody may read
    /// at `now`, in milliseconds since 1970.
    public mutating func add(_ filter: PinFilter, forOthersAt now: Int64? = nil) throws {
        pinFilter = filter
        pinTime = now
        repeat {
            firstPins = try readPins()
        } while firstPins?.isEmpty == true && pinFilter != nil
        hasPins = firstPins?.isEmpty == false
    }

    private mutating func readPins() throws -> [Pin] {
        guard let filter = pinFilter else { return [] }
        let (after, now) = (nextPin, pinTime)
        let page = try database.read { snapshot in
            try snapshot.pins(filter, limit: Self.pageTracks, after: after, now: now) { now == nil || !$0.isHidden }
        }
        nextPin = page?.next
        if nextPin == nil { pinFilter = nil }
        return page?.pins.filter { now == nil || $0.visibility == .open } ?? []
    }

    public mutating func nextPins() throws -> [Pin] {
        if let first = firstPins.take(), !first.isEmpty { return first }
        var pins: [Pin] = []
        while pins.isEmpty, pinFilter != nil { pins = try readPins() }
        return pins
    }

    /// Creates a source of the given tracks, in this order.
    public init(_ library: Library, _ tracks: [Track]) throws {
        try self.init(library, numbers: tracks.map(\.number))
    }

    private init(_ library: Library, numbers: [Int64]) throws {
        database = library.database
        self.numbers = numbers
    }

    public var count: Int { numbers.count }

    public mutating func track(at index: Int) throws -> ExportTrack? {
        let track = try database.track(number: numbers[index])
        current = track.map { ReplayTrack($0) }
        return track.map { ExportTrack($0) }
    }

    public mutating func points(of track: ExportTrack, at position: ReadingPosition) throws -> PointReading {
        guard let current, current.number == track.number else { return .changed }
        return try database.read { snapshot in
            guard let now = try snapshot.track(number: current.number), ReplayTrack(now).version == current.version
            else { return .changed }
            let most = PointChunk.capacity
            let chunk =
                try current.isStream
                ? snapshot.wholeStreamPoints(of: current, at: position, most: most)
                : snapshot.filePoints(of: current, at: position, fields: .all, most: most)
            guard let chunk else { return .end }
            guard let admitsContent else { return .points(chunk) }
            return .points(try snapshot.withoutContent(chunk, of: now, admits: admitsContent))
        }
    }
}

extension ExportTrack {
    init(_ track: Track) {
        self.init(number: track.number, id: track.id, name: track.name, summary: track.summary)
        activity = track.activityWord
        person = track.personName
        device = track.device
        tags = track.tags
        attributes = track.attributes
    }
}
