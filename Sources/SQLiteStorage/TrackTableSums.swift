internal import Database
internal import SQLite

extension TrackTables {
    /// All tables, with the size of the blocks in which an altered row is located: each track with its rows separately,
    /// other rows in blocks of some hundreds.
    static let summed = [
        ChecksummedTable("meta", .one), ChecksummedTable("person", .rowID(bits: 0)),
        ChecksummedTable("stream", .rowID(bits: 0)),
        ChecksummedTable("track", .rowID(bits: 0)), ChecksummedTable("activity", .rowID(bits: 0)),
        // A block of chunks never contains chunks of two recordings.
        ChecksummedTable("chunk", .rowID(bits: LibraryTables.chunkBlockBits)),
        ChecksummedTable("stream_chunk", .rowID(bits: 6)),
        ChecksummedTable("alias", .one),
        ChecksummedTable("change", .rowID(bits: 8)), ChecksummedTable("layer", .rowID(bits: 0)),
        ChecksummedTable("edit", .rowID(bits: 0)), ChecksummedTable("tag", .column("track")),
        ChecksummedTable("import", .rowID(bits: 0)), ChecksummedTable("import_file", .column("import")),
        ChecksummedTable("content", .rowID(bits: 10)), ChecksummedTable("source", .column("track")),
        ChecksummedTable("source_beginning", .column("track")), ChecksummedTable("stream_source", .column("stream")),
        ChecksummedTable("stream_source_range", .column("stream")),
        // A block for each import.
        ChecksummedTable("file", .rowID(bits: LibraryTables.originFileBits)),
        ChecksummedTable("heading", .column("stream")),
        ChecksummedTable("pin", .rowID(bits: 6)), ChecksummedTable("pin_origin", .column("pin")),
        ChecksummedTable("pin_vote", .column("pin")), ChecksummedTable("pin_report", .column("pin")),
        ChecksummedTable("pin_comment", .rowID(bits: 6)), ChecksummedTable("pin_comment_vote", .column("comment")),
        ChecksummedTable("pin_hidden", .rowID(bits: 6)),
        ChecksummedTable("photo", .rowID(bits: 6)), ChecksummedTable("photo_part", .rowID(bits: 3)),
        ChecksummedTable("pin_photo", .rowID(bits: 6)), ChecksummedTable("address", .rowID(bits: 6)),
        ChecksummedTable("stay_name", .column("person")),
        ChecksummedTable("track_annotation", .rowID(bits: 0)), ChecksummedTable("photo_origin", .column("pin")),
        ChecksummedTable("unused_original", .rowID(bits: 6)),
        ChecksummedTable("venue", .rowID(bits: 0)), ChecksummedTable("venue_closure", .column("venue")),
        ChecksummedTable("favourite", .column("person")), ChecksummedTable("direction", .rowID(bits: 6)),
        ChecksummedTable("route", .rowID(bits: 0)), ChecksummedTable("route_place", .rowID(bits: 6)),
        ChecksummedTable("journey", .rowID(bits: 6)), ChecksummedTable("journey_member", .column("journey")),
        ChecksummedTable("focus_session", .rowID(bits: 6)), ChecksummedTable("profile", .rowID(bits: 6)),
        ChecksummedTable("reward", .rowID(bits: 6)), ChecksummedTable("reward_grant", .column("person")),
        ChecksummedTable("journey_picture", .column("thing")),
        ChecksummedTable("edition", .rowID(bits: 0)), ChecksummedTable("privacy_zone", .rowID(bits: 0)),
        ChecksummedTable("edition_source", .rowID(bits: 8)), ChecksummedTable("retention_rule", .rowID(bits: 0)),
        ChecksummedTable("sqlite_sequence", .one),
    ]
}
