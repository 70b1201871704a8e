import Tracks

/// Identifies the recording that a row or point belongs to.
struct TrackKey: Hashable, Sendable {
    var person: String?
    var device: String?
    var track: String?
    var activity: String?
    /// Separates groups of points that have no names in the file.
    var group: Int?
}

/// The recordings of a file whose points may come mixed: all stay open until the file ends.
///
/// There may be a million of them: only those that points wait for have a builder.
struct TrackTable {
    /// A recording: 64 bytes.
    struct Track {
        fileprivate let recording: OpenRecording
        fileprivate let device: String?
        fileprivate let track: String?
        /// That of its key; `noGroup` without one.
        fileprivate let group: Int
        fileprivate var description: TrackDescription?
        fileprivate let owner: UInt32
        fileprivate var builder = BuilderPlace.none

        fileprivate static let noGroup = Int.min

        /// The name, where the file gives one besides the key.
        var name: String? {
            get { description?.name }
            set { if newValue != name { described.name = newValue } }
        }
        /// What else the file says of the recording.
        var notes: [String: String] {
            get { description?.notes ?? [:] }
            set { if newValue != notes { described.notes = newValue } }
        }
        /// The segment that the newest point belongs to.
        var segment: String? {
            get { description?.segment }
            set { if newValue != segment { described.segment = newValue } }
        }

        private var described: TrackDescription {
            mutating get {
                let known = description ?? TrackDescription()
                description = known
                return known
            }
        }
    }

    /// As many points wait in builders, in all, before every one gives a chunk: 64 full chunks.
    private static let waitingLimit = 64 * PointChunk.capacity
    /// As many builders are in use before every one gives a chunk: with a few points each takes half a KiB.
    static let builderLimit = 1 << 17

    /// In the order of their first points.
    var tracks: [Track] = []

    private let reading: FileReading
    /// What the builders of further recordings are like.
    private var prototype: ChunkBuilder
    private var builders: [ChunkBuilder] = []
    /// Whose each builder is.
    private var holders: [Int] = []
    private var index = TrackIndex()
    private var owners = TrackOwners()
    private var waiting = 0
    private var slots: [String: FieldSlot] = [:]

    /// Maximum number of different fields kept; further fields are dropped.
    private static let fieldLimit = 256

    /// Creates an empty table; `builder` is the initial state of each recording's builder.
    init(_ reading: FileReading, builder: ChunkBuilder = ChunkBuilder()) {
        self.reading = reading
        prototype = builder
    }

    /// How many recordings have a builder.
    var buildersInUse: Int { builders.count }

    /// The builder of the chunk that a recording's next points are for.
    subscript(builder number: Int) -> ChunkBuilder {
        mutating get { builders[place(ofBuilder: number)] }
        _modify {
            let place = place(ofBuilder: number)
            yield &builders[place]
        }
    }

    /// How many more points the chunk takes that a recording's next points are for.
    func room(for number: Int) -> Int {
        PointChunk.capacity - (tracks[number].builder.place.map { builders[$0].count } ?? 0)
    }

    private mutating func place(ofBuilder number: Int) -> Int {
        if let place = tracks[number].builder.place { return place }
        var builder = prototype
        builder.isSegmentPending = tracks[number].builder == .none
        tracks[number].builder = BuilderPlace(builders.count)
        builders.append(builder)
        holders.append(number)
        return builders.count - 1
    }

    /// Where in `tracks` the recording of a key stands; it is begun where it is new.
    mutating func number(of key: TrackKey) throws -> Int {
        let owner = owners.number(person: key.person, activity: key.activity)
        if let number = known(key, owner) { return number }
        tracks.append(
            Track(
                recording: try reading.beginMixed(), device: key.device, track: key.track,
                group: key.group ?? Track.noGroup, owner: owner))
        index.add(tracks.count - 1) { [tracks] in Self.hash(tracks[$0]) }
        return tracks.count - 1
    }

    /// Where in `tracks` the recording of a key stands; nil where there is none.
    func knownNumber(of key: TrackKey) -> Int? {
        owners.known(person: key.person, activity: key.activity).flatMap { known(key, $0) }
    }

    private func known(_ key: TrackKey, _ owner: UInt32) -> Int? {
        let group = key.group ?? Track.noGroup
        let hash = Self.hash(key.device, key.track, group, owner)
        return index.first(hash) { number in
            let track = tracks[number]
            return track.group == group && track.owner == owner && track.track == key.track
                && track.device == key.device
        }
    }

    private static func hash(_ track: Track) -> Int {
        hash(track.device, track.track, track.group, track.owner)
    }

    private static func hash(_ device: String?, _ track: String?, _ group: Int, _ owner: UInt32) -> Int {
        var hasher = Hasher()
        hasher.combine(device)
        hasher.combine(track)
        hasher.combine(group)
        hasher.combine(owner)
        return hasher.finalize()
    }

    /// Counts points that were added to a track's builder, and gives chunks away where enough wait.
    mutating func added(_ count: Int, to number: Int) throws {
        waiting += count
        if room(for: number) <= 0 { try flush(number) }
        guard waiting > Self.waitingLimit || builders.count >= Self.builderLimit else { return }
        for number in holders { try flush(number) }
        for (number, builder) in zip(holders, builders) {
            tracks[number].builder = builder.isSegmentPending ? .none : .withinSegment
        }
        builders = []
        holders = []
    }

    /// The slot of a field in all builders; nil if there are too many fields.
    mutating func slot(for name: String) -> FieldSlot? {
        if let slot = slots[name] { return slot }
        guard slots.count < Self.fieldLimit else { return nil }
        // Slots requested in the same order are equal in all builders.
        let slot = prototype.slot(for: name)
        for place in builders.indices { _ = builders[place].slot(for: name) }
        slots[name] = slot
        return slot
    }

    /// Adds a point with its fields to the recording of a key.
    mutating func add(
        _ place: Place, _ time: Instant?, _ fields: [(name: String, value: JSONValue)], to key: TrackKey
    ) throws {
        let number = try number(of: key)
        self[builder: number].addPoint(longitude: place.longitude, latitude: place.latitude, time: time)
        for (name, value) in fields {
            guard let slot = slot(for: name) else { continue }
            switch value {
            case .number(let decimal): self[builder: number].set(slot, to: decimal)
            default: if let text = value.text { self[builder: number].set(slot, toText: text) }
            }
        }
        try added(1, to: number)
    }

    /// Ends all recordings.
    mutating func end() throws {
        for number in tracks.indices {
            try flush(number)
            let track = tracks[number]
            let owner = owners[track.owner]
            let header = RecordingHeader(
                name: track.name ?? track.track, activity: owner.activity, person: owner.person,
                device: track.device, source: reading.source, notes: track.notes)
            try reading.end(track.recording, header: header)
        }
        tracks = []
        builders = []
        holders = []
        index = TrackIndex()
    }

    private mutating func flush(_ number: Int) throws {
        guard let place = tracks[number].builder.place else { return }
        waiting -= builders[place].count
        guard let chunk = builders[place].takeChunk() else { return }
        try reading.append(chunk, to: tracks[number].recording)
    }
}

/// Where a recording's builder is, in 4 bytes.
private struct BuilderPlace: Equatable {
    private let number: UInt32

    /// There is none, and the next point begins a segment.
    static let none = BuilderPlace(number: .max)
    /// There is none, and the next point goes on with the segment.
    static let withinSegment = BuilderPlace(number: .max - 1)

    private init(number: UInt32) {
        self.number = number
    }

    init(_ place: Int) {
        number = UInt32(place)
    }

    /// nil where there is none.
    var place: Int? { number < Self.withinSegment.number ? Int(number) : nil }
}

/// What few files say of a recording.
private final class TrackDescription {
    var name: String?
    var notes: [String: String] = [:]
    var segment: String?
}
