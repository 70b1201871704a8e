import Foundation
public import FoundationEssentials
public import Tracks

/// Options of an import; data in a file takes precedence.
public struct ImportOptions: Sendable {
    /// The person of the recordings; nil for the library's owner.
    public var person: String?
    /// The device whose stream the points join; nil keeps the recordings of the files.
    public var device: String?
    /// The activity of the recordings.
    public var activity: String?
    /// The zone of times without one.
    ///
    /// nil means UTC for GPX, TCX, KML and Google; otherwise the offset of other points of the import on that day, or
    /// the library's zone.
    public var zone: TimeZone?
    /// The library's zone.
    public var libraryZone: TimeZone
    /// The rule for pauses that are gaps.
    public var gap: GapRule
    /// Number of files read concurrently, and of blocks of a CSV file; by default the number of cores.
    public var workers: Int

    /// Creates options; without arguments, files are imported as they are.
    public init(
        person: String? = nil, device: String? = nil, activity: String? = nil, zone: TimeZone? = nil,
        libraryZone: TimeZone = .gmt, gap: GapRule = .standard,
        workers: Int = ProcessInfo.processInfo.activeProcessorCount
    ) {
        self.person = person
        self.device = device
        self.activity = activity
        self.zone = zone
        self.libraryZone = libraryZone
        self.gap = gap
        self.workers = max(1, workers)
    }
}
