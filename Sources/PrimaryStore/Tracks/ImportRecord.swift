/// A run of an import: what was given, the time, and what it added.
public struct ImportRecord: Sendable, Equatable {
    /// The number 0 stands for tracks from before imports were recorded, and for points recorded by this program.
    public static let none: Int64 = 0

    /// Ascending, never reused.
    public var number: Int64
    /// The start time, in milliseconds since 1970.
    public var time: Int64
    /// The files and folders as given.
    public var given: [String]
    /// The number of files with a receipt.
    public var files: Int
    /// The number of file recordings to which it contributed.
    public var recordings: Int
    /// The number of streams to which it contributed.
    public var streams: Int
    /// The number of pins that it added, besides waypoints of recordings.
    public var pins: Int
}
