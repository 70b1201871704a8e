import Foundation
public import FoundationEssentials
public import Tracks

/// What the one who imports says of the files; what a file says itself wins.
public struct ImportOptions: Sendable {
    /// Whose recordings they are; nil for the library's owner.
    public var person: String?
    /// The device whose stream the points join; nil keeps the boundaries of the files.
    public var device: String?
    /// What was done.
    public var activity: String?
    /// The zone of times that carry none; nil means UTC for GPX and the library's zone for everything else.
    public var zone: TimeZone?
    /// The library's own zone.
    public var libraryZone: TimeZone
    /// Which pauses are gaps.
    public var gap: GapRule
    /// How many files are read at once, and how many blocks of a CSV file; by default one for each core.
    public var workers: Int

    /// Options that say nothing.
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
