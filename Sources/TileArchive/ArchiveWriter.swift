internal import Files

/// Writes the tiles of a spool as an archive.
public enum ArchiveWriter {
    /// Creates or replaces the archive at `path`: a temporary file beside it is written and renamed, so that it is
    /// complete or not there. The same tiles and metadata give the same bytes, in whatever order the tiles were drawn.
    ///
    /// The spool has at least one tile.
    public static func write(_ spool: TileSpool, _ metadata: ArchiveMetadata, as kind: ArchiveKind, to path: String)
        throws
    {
        precondition(spool.count > 0, "an archive without tiles has no zoom levels")
        let part = path + ".part"
        // What an interrupted run has left, and what SQLite writes beside it.
        try removeAll(part)
        do {
            switch kind {
            case .mbtiles: try MBTilesWriter.write(spool, metadata, to: part)
            case .pmtiles: try PMTilesWriter.write(spool, metadata, to: part)
            case .sqlitedb: try OsmAndWriter.write(spool, metadata, to: part)
            }
            try AtomicFile.rename(part, to: path, durability: .durable)
        } catch {
            try? removeAll(part)
            throw error
        }
    }

    private static func removeAll(_ part: String) throws {
        for ending in ["", "-wal", "-shm", "-journal"] { try AtomicFile.remove(part + ending) }
    }
}
