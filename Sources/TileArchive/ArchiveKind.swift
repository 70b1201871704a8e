/// A file format of archives that can be written.
public enum ArchiveKind: String, Sendable, CaseIterable {
    /// SQLite with rows counted from the south, read by QGIS, GDAL, and most map servers and apps.
    case mbtiles
    /// One file with an index, of which web servers send ranges.
    case pmtiles
    /// SQLite as OsmAnd, Locus and RMaps read it.
    case sqlitedb

    /// The format that the ending of a path names; nil for other endings.
    public init?(path: String) {
        let lowercased = path.lowercased()
        guard let kind = Self.allCases.first(where: { lowercased.hasSuffix("." + $0.rawValue) }) else { return nil }
        self = kind
    }

    /// Whether the format stores texts about its tiles, such as a name.
    public var hasMetadata: Bool { self != .sqlitedb }
}
