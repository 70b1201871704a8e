internal import Digest
internal import GridStorage
internal import Locking
internal import PrimaryStore
internal import TrackQuery
internal import Tracks

/// The primary store as the source of the grid.
struct TrackGridSource: GridSource {
    private let database: TrackDatabase
    /// Layers may use numbers of activities: they are read under the grid's lock.
    private let activityNumbers = Locked<[Activity: UInt8]>([:])

    init(_ database: TrackDatabase) {
        self.database = database
    }

    func prepare() throws -> [LayerDefinition] {
        let numbers = try database.activityNumbers()
        activityNumbers.withLock { $0 = numbers }
        return try database.layers()
    }

    func outlierRule() throws -> OutlierRule {
        try database.outlierRule()
    }

    func head() throws -> Head {
        try database.head()
    }

    func digest(at revision: Int64) throws -> ContentDigest? {
        try database.digest(at: revision)
    }

    func tracksChanged(since revision: Int64) throws -> [Int64] {
        let changes = try database.changes(since: revision)
        return Set(changes.flatMap { $0.added + $0.changed + $0.removed }).sorted()
    }

    func tracksWithChangedMetadata(since revision: Int64) throws -> [Int64] {
        Set(try database.changes(since: revision).flatMap(\.metadataChanged)).sorted()
    }

    func trackNumbers() throws -> [Int64] {
        try database.trackNumbers()
    }

    func forEachFacts(_ body: (_ number: Int64, TrackFacts) throws -> Void) throws {
        try database.read { try $0.forEachFacts(body) }
    }

    func gridTrack(_ number: Int64) throws -> GridTrack? {
        guard let track = try database.track(number: number) else { return nil }
        let number = track.activity.flatMap { activity in activityNumbers.withLock { $0[activity] } }
        return GridTrack(track, activityNumber: number ?? 0)
    }

    func points(ofTracks numbers: [Int64]) throws -> Int {
        try database.read { try $0.points(ofTracks: numbers) }
    }

    func forEachChunk(ofTrack number: Int64, _ body: (PointColumns) throws -> Void) throws {
        try database.forEachChunk(ofTrack: number, fields: DrawnFields.wanted, body)
    }
}
