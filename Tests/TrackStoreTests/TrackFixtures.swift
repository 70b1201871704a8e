import Database
import Digest
import Files
import HeatGrid
import Pins
import TestLibrary
import Tracks

@testable import GridStorage
@testable import PrimaryStore
@testable import RecordingStore
@testable import TrackStore

/// Points of a recording: one a second, from a start second on, going east from a place.
func outing(
    start: Int64, count: Int, longitude: Int64 = 134_000_000, latitude: Int64 = 525_000_000,
    elevation: [Int64]? = nil, segments: [Int] = [0]
) -> [PointColumns] {
    let table = PointColumns(
        unit: .decimal(places: 7), longitudes: (0..<Int64(count)).map { longitude + $0 * 1001 },
        latitudes: (0..<Int64(count)).map { latitude + ($0 % 7) * 100 },
        times: (0..<Int64(count)).map { (start + $0) * 1000 }, segmentStarts: segments,
        fields: elevation.map { [FieldColumn(name: "ele", values: .numbers(places: 1, $0))] } ?? [])
    return stride(from: 0, to: count, by: PointChunk.capacity).map {
        table.slice($0..<min($0 + PointChunk.capacity, count))
    }
}

/// One point at each of these seconds, each at another place.
func trickle(_ seconds: [Int64]) -> PointColumns {
    PointColumns(
        unit: .decimal(places: 6), longitudes: seconds.map { 13_400_000 + $0 % 1000 },
        latitudes: seconds.map { 52_500_000 + $0 % 977 }, times: seconds.map { $0 * 1000 }, segmentStarts: [])
}

extension RecordingBuffer {
    /// A buffer with a log of its own, like that of another process of the library.
    convenience init(database: TrackDatabase, samplingMilliseconds: Int64? = nil) {
        self.init(
            database: database,
            log: LibraryCoordination.shared(by: database.storage, folder: database.folder).recordingLog,
            samplingMilliseconds: samplingMilliseconds)
    }
}

extension Library {
    /// The result of a removal that nothing has delayed.
    var completeRemoval: Removal { overwritesRemoved ? .complete : .deleted }
}

extension TrackDatabase {
    /// Whether everything that was recorded has been moved into the library.
    func hasMovedEverything() throws -> Bool {
        if let shared = storage.shared { return try shared.logs().isEmpty }
        return try Folder.entries(of: folder + "/recording").isEmpty
    }

    /// The database of the library in a folder.
    convenience init(
        folder: String, zoneIfNew: String = "UTC", isReadOnly: Bool? = nil,
        now: @escaping @Sendable () -> Int64 = TrackDatabase.systemClock
    ) throws {
        try self.init(Library.storage(in: folder), zoneIfNew: zoneIfNew, isReadOnly: isReadOnly, now: now)
    }

    /// The folder that the library was opened in.
    var folder: String { folderOfTest(storage) }

    /// A database with a constant clock.
    static func fresh(_ folder: TemporaryFolder, _ name: String = "library") throws -> TrackDatabase {
        try TrackDatabase(folder: folder.path + "/" + name, zoneIfNew: "Europe/Berlin", now: { 1000 })
    }

    @discardableResult
    func add(_ chunks: [PointColumns], source: String = "a.gpx", device: String? = nil) throws -> RecordingOutcome {
        try add([(chunks, RecordingHeader(device: device, source: source))])
    }

    func allTracks() throws -> [Track] {
        try tracks(limit: .max)?.tracks ?? []
    }

    func points(of track: Track) throws -> PointColumns {
        var table = PointColumns()
        try forEachChunk(ofTrack: track.number) { table.append($0) }
        return table
    }

    /// Everything that is stored, except ids and numbers.
    func content() throws -> [TrackContent] {
        try allTracks().map { track in
            let table = try points(of: track)
            var plain = track
            plain.number = 0
            plain.id = ""
            plain.person = 0
            return TrackContent(
                track: plain, points: table.gathered(0..<table.count))
        }.sorted { ($0.track.start ?? 0, $0.track.digest) < ($1.track.start ?? 0, $1.track.digest) }
    }
}

struct TrackContent: Equatable {
    var track: Track
    var points: PointColumns
}

extension GridStore {
    /// The grid of the library in a folder.
    convenience init(folder: String, rule: SumRule = SumRule()) throws {
        try self.init(Library.storage(in: folder), rule: rule)
    }
}

extension TrackSnapshot {
    /// Calls `body` with all pins, in the order in which they were stored.
    func forEachPin(_ body: (Pin) throws -> Void) throws {
        try session.forEach("SELECT \(Pin.columns) FROM \(Pin.tables) WHERE p.state = 0 ORDER BY p.number") { row in
            if let pin = Pin(row: row) { try body(pin) }
        }
    }
}
