internal import Locking

/// The result of storing a recording.
public struct RecordingOutcome: Sendable, Equatable {
    /// Number of new tracks.
    public var newTracks = 0
    /// Number of tracks (file recordings) that were already stored.
    public var duplicateTracks = 0
    /// Number of stored tracks to which points were added, because a recording begins with all points of the track.
    public var continuedTracks = 0
    /// Number of new points.
    public var points = 0
    /// Number of points that were already stored.
    public var duplicatePoints = 0
    /// Number of new pins: waypoints of the file and of its recordings.
    public var pins = 0
    /// Number of pins that were already stored.
    public var duplicatePins = 0
    /// Number of outliers by reason: points that are kept, but excluded from heat, lines and replay.
    public var outliers: [OutlierReason: Int] = [:]
    /// Number of points without a time.
    public var untimed = 0
    /// Ids of tracks of other files that seem to be the same outing (same person, overlapping times and places).
    public var similarTracks: Set<String> = []
    /// Whether the ids are unknown, because the library does not exist yet.
    public var hasProvisionalIDs = false

    /// An empty result.
    public init() {}

    /// Adds another result to this one.
    public mutating func add(_ other: RecordingOutcome) {
        newTracks += other.newTracks
        duplicateTracks += other.duplicateTracks
        continuedTracks += other.continuedTracks
        points += other.points
        duplicatePoints += other.duplicatePoints
        pins += other.pins
        duplicatePins += other.duplicatePins
        outliers.merge(other.outliers, uniquingKeysWith: +)
        untimed += other.untimed
        similarTracks.formUnion(other.similarTracks)
        hasProvisionalIDs = hasProvisionalIDs || other.hasProvisionalIDs
    }
}

/// Why a point is an outlier, excluded from heat, lines and replay.
public enum OutlierReason: String, Hashable, Sendable, CaseIterable {
    /// Longitude and latitude are 0 and the neighbours are far away: a receiver without a fix.
    case zeroZero = "at 0,0"
    /// Faster than the `OutlierRule` allows over more than 2 km, both from the point before and to the next.
    case impossibleSpeed = "impossible speed"
    /// Far from both neighbours, which are near each other, and too fast in both directions.
    case jump = "jumped away and back"
    /// The accuracy recorded with the point is worse than the `OutlierRule` allows.
    case inaccurate = "inaccurate"
    /// The receiver believed again and again, for a point or two, to be at one place far away.
    case bounce = "bounced away and back"
    /// Time and place are those of an earlier point, in a segment that repeats the time of an earlier one.
    case repeated = "recorded twice"
}

/// Collects the outcomes of the recordings of one file; they are known when the recordings are durable.
public final class OutcomeCollector: Sendable {
    private struct Collected {
        var outcome = RecordingOutcome()
        var tracks: Set<Int64> = []
        var knownTracks: Set<Int64> = []
    }

    /// The number of the file in its import, from 1; 0 if it has none.
    public let file: Int
    private let collected = Locked(Collected())

    /// Creates a collector without outcomes.
    public init(file: Int = 0) {
        self.file = file
    }

    /// The sum of the outcomes so far.
    public var outcome: RecordingOutcome { collected.withLock { $0.outcome } }

    /// Adds an outcome.
    public func add(_ outcome: RecordingOutcome) {
        collected.withLock { $0.outcome.add(outcome) }
    }

    /// The numbers of the tracks that were stored for the file.
    public var tracks: Set<Int64> { collected.withLock { $0.tracks } }

    /// The numbers of the tracks that had the points of the file, or some of them, before.
    public var knownTracks: Set<Int64> { collected.withLock { $0.knownTracks } }

    /// Adds a track that had points of the file before.
    public func add(knownTrack number: Int64) {
        collected.withLock { collected in _ = collected.knownTracks.insert(number) }
    }

    /// Adds a track that was stored for the file.
    public func add(track number: Int64) {
        collected.withLock { collected in _ = collected.tracks.insert(number) }
    }
}

extension OutcomeCollector: Equatable {
    /// Whether both collect for the same file.
    public static func == (one: OutcomeCollector, other: OutcomeCollector) -> Bool { one === other }
}
