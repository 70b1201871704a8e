/// An event of a running import.
public enum ImportEvent: Sendable {
    /// A file is finished; the events come in the order of the files.
    case finished(FileReceipt)
    /// The import has progressed.
    case progress(ImportProgress)
}

/// Progress of an import.
public struct ImportProgress: Sendable, Equatable {
    /// Number of finished files.
    public var files = 0
    /// Number of all files.
    public var totalFiles = 0
    /// Bytes read, before decompression.
    public var bytes: Int64 = 0
    /// Bytes of all files; standard input is not counted, because its size is unknown.
    public var totalBytes: Int64 = 0
    /// Number of points stored.
    public var points = 0
}
