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
struct TrackTable {
    /// A recording with the points that wait for a chunk.
    struct Track {
        fileprivate let key: TrackKey
        fileprivate let recording: OpenRecording
        var builder: ChunkBuilder
        /// The name, where the file gives one besides the key.
        var name: String?
        /// What else the file says of the recording.
        var notes: [String: String] = [:]
        /// The segment that the newest point belongs to.
        var segment: String?
    }

    /// As many points wait in builders, in all, before every one gives a chunk: 64 full chunks.
    private static let waitingLimit = 64 * PointChunk.capacity

    /// In the order of their first points.
    var tracks: [Track] = []

    private let reading: FileReading
    /// What the builders of further recordings are like.
    private var prototype: ChunkBuilder
    private var numbers: [TrackKey: Int] = [:]
    private var waiting = 0
    private var slots: [String: FieldSlot] = [:]

    /// Maximum number of different fields kept; further fields are dropped.
    private static let fieldLimit = 256

    /// Creates an empty table; `builder` is the initial state of each recording's builder.
    init(_ reading: FileReading, builder: ChunkBuilder = ChunkBuilder()) {
        self.reading = reading
        prototype = builder
    }

    /// Where in `tracks` the recording of a key stands; it is begun where it is new.
    mutating func number(of key: TrackKey) throws -> Int {
        if let number = numbers[key] { return number }
        tracks.append(Track(key: key, recording: try reading.begin(), builder: prototype))
        numbers[key] = tracks.count - 1
        return tracks.count - 1
    }

    /// Where in `tracks` the recording of a key stands; nil where there is none.
    func knownNumber(of key: TrackKey) -> Int? { numbers[key] }

    /// Counts points that were added to a track's builder, and gives chunks away where enough wait.
    mutating func added(_ count: Int, to number: Int) throws {
        waiting += count
        if tracks[number].builder.isFull { try flush(number) }
        guard waiting > Self.waitingLimit else { return }
        for number in tracks.indices { try flush(number) }
    }

    /// The slot of a field in all builders; nil if there are too many fields.
    mutating func slot(for name: String) -> FieldSlot? {
        if let slot = slots[name] { return slot }
        guard slots.count < Self.fieldLimit else { return nil }
        // Slots requested in the same order are equal in all builders.
        let slot = prototype.slot(for: name)
        for number in tracks.indices { _ = tracks[number].builder.slot(for: name) }
        slots[name] = slot
        return slot
    }

    /// Adds a point with its fields to the recording of a key.
    mutating func add(
        _ place: Place, _ time: Instant?, _ fields: [(name: String, value: JSONValue)], to key: TrackKey
    ) throws {
        let number = try number(of: key)
        tracks[number].builder.addPoint(longitude: place.longitude, latitude: place.latitude, time: time)
        for (name, value) in fields {
            guard let slot = slot(for: name) else { continue }
            switch value {
            case .number(let decimal): tracks[number].builder.set(slot, to: decimal)
            default: if let text = value.text { tracks[number].builder.set(slot, toText: text) }
            }
        }
        try added(1, to: number)
    }

    /// Ends all recordings.
    mutating func end() throws {
        for number in tracks.indices {
            try flush(number)
            let track = tracks[number]
            let header = RecordingHeader(
                name: track.name ?? track.key.track, activity: track.key.activity, person: track.key.person,
                device: track.key.device, source: reading.source, notes: track.notes)
            try reading.end(track.recording, header: header)
        }
        tracks = []
        numbers = [:]
    }

    private mutating func flush(_ number: Int) throws {
        waiting -= tracks[number].builder.count
        guard let chunk = tracks[number].builder.takeChunk() else { return }
        try reading.append(chunk, to: tracks[number].recording)
    }
}
