internal import Files
internal import Text

/// Why an archive cannot be read or written: *where: what; what to do*.
public struct ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
    public let path: String
    /// What is wrong.
    public let what: String
    /// What to do about it.
    public let remedy: String
    /// Whether another process is writing the archive.
    public let isInUse: Bool

    init(_ path: String, _ what: String, _ remedy: String, isInUse: Bool = false) {
        self.path = path
        self.what = what
        self.remedy = remedy
        self.isInUse = isInUse
    }

    /// A file that was an archive, or begins like one.
    static func damaged(_ path: String, _ what: String) -> ArchiveError {
        ArchiveError(path, "it is damaged: \(what)", "copy or make it again")
    }

    public var description: String { "\(FileName.shown(path)): \(DisplayText.singleLine(what)); \(remedy)" }
}
