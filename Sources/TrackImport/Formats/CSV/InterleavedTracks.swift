import Text
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

/// The recordings of a file whose points may be interleaved: all stay open until the end of the file.
///
/// There may be a million; only recordings with waiting points have a builder.
struct InterleavedTracks {
    /// A recording; 64 bytes.
    struct Track {
        fileprivate let recording: OpenRecording
        fileprivate let device: String?
        fileprivate let track: String?
        /// The group of its key; `noGroup` if it has none.
        fileprivate let group: Int
        fileprivate var description: TrackDescription?
        fileprivate let owner: UInt32
        fileprivate var builder = BuilderIndex.none

        fileprivate static let noGroup = Int.min

        /// The name, if the file gives one besides the key.
        var name: String? {
            get { description?.name }
            set { if newValue != name { described.name = newValue } }
        }
        /// Further properties that the file gives.
        var attributes: [String: String] {
            get { description?.attributes ?? [:] }
            set { if newValue != attributes { described.attributes = newValue } }
        }
        /// The segment of the newest point.
        var segment: String? {
            get { description?.segment }
            set { if newValue != segment { described.segment = newValue } }
        }

        /// The times of the last rows, in files with times that clocks showed twice.
        var repeatedTimes: RepeatedTimes {
            get { description?.repeatedTimes ?? RepeatedTimes() }
            set { described.repeatedTimes = newValue }
        }

        private var described: TrackDescription {
            mutating get {
                let known = description ?? TrackDescription()
                description = known
                return known
            }
        }
    }

    /// Limit of points waiting in all builders, at which each builder emits a chunk: 64 full chunks.
    private static let waitingLimit = 64 * PointChunk.capacity
    /// Limit of builders in use, at which each emits a chunk; with a few points each takes half a KiB.
    static let builderLimit = 1 << 17

    /// In the order of their first points.
    var tracks: [Track] = []

    private let reading: FileReading
    /// The initial state of further builders.
    private var prototype: ChunkBuilder
    private var builders: [ChunkBuilder] = []
    /// The recording of each builder.
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

    /// The number of recordings that have a builder.
    var buildersInUse: Int { builders.count }

    /// The builder of the current chunk of a recording.
    subscript(builder number: Int) -> ChunkBuilder {
        mutating get { builders[builderIndex(of: number)] }
        _modify {
            let position = builderIndex(of: number)
            yield &builders[position]
        }
    }

    /// The number of points that the current chunk of a recording can still take.
    func room(for number: Int) -> Int {
        PointChunk.capacity - (tracks[number].builder.index.map { builders[$0].count } ?? 0)
    }

    private mutating func builderIndex(of number: Int) -> Int {
        if let known = tracks[number].builder.index { return known }
        var builder = prototype
        builder.isSegmentPending = tracks[number].builder == .none
        tracks[number].builder = BuilderIndex(builders.count)
        builders.append(builder)
        holders.append(number)
        return builders.count - 1
    }

    /// The index in `tracks` of the recording of a key; a new recording is begun.
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

    /// The index in `tracks` of the recording of a key; nil if there is none.
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

    /// Counts points that were added to the builder of a track, and emits chunks when enough points wait.
    mutating func added(_ count: Int, to number: Int) throws {
        waiting += count
        if room(for: number) <= 0 { try flush(number) }
        guard waiting > Self.waitingLimit || builders.count >= Self.builderLimit else { return }
        // All at once: builders of recordings that have ended would otherwise stay, as nothing shows which have.
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
        for position in builders.indices { _ = builders[position].slot(for: name) }
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
            // All tracks of a device have the name of its stream: the id of one of them would be wrong for the others.
            let id = (track.device ?? reading.options.device) == nil ? track.track : nil
            let header = RecordingHeader(
                name: track.name ?? id, activity: owner.activity, person: owner.person, device: track.device,
                source: reading.source, attributes: track.attributes)
            try reading.end(track.recording, header: header)
        }
        tracks = []
        builders = []
        holders = []
        index = TrackIndex()
    }

    private mutating func flush(_ number: Int) throws {
        guard let position = tracks[number].builder.index else { return }
        waiting -= builders[position].count
        guard let chunk = builders[position].takeChunk() else { return }
        try reading.append(chunk, to: tracks[number].recording)
    }
}

/// The index of the builder of a recording, in 4 bytes.
private struct BuilderIndex: Equatable {
    private let number: UInt32

    /// No builder; the next point begins a segment.
    static let none = BuilderIndex(number: .max)
    /// No builder; the next point continues the segment.
    static let withinSegment = BuilderIndex(number: .max - 1)

    private init(number: UInt32) {
        self.number = number
    }

    init(_ index: Int) {
        number = UInt32(index)
    }

    /// nil if there is no builder.
    var index: Int? { number < Self.withinSegment.number ? Int(number) : nil }
}

/// Properties that few files give for a recording.
private final class TrackDescription {
    var name: String?
    var attributes: [String: String] = [:]
    var segment: String?
    var repeatedTimes: RepeatedTimes?
}
