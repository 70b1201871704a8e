import Text

/// What apps for Dawarich (github.com/Freika/dawarich) send to any of its paths: batches of Overland, a location of
/// Traccar without `coords`, or a message of OwnTracks.
///
/// As in Dawarich, a message of OwnTracks has its speed in km/h only if it has a topic; other apps that use this
/// format (GPSLogger, Colota) send m/s and no topic.
enum DawarichBody {
    private static let wanted = "expected {\"locations\":[FEATURE,…]}, a location of Traccar or a message of OwnTracks"

    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        let value = try FieldAliases.singleJSON(request.jsonBody, wanted: wanted)
        if value["location"] != nil { return try TraccarBody.read(value, request) }
        if value["locations"] == nil, value["_type"] != nil || value["lat"] != nil {
            return try OwnTracksBody.read([value], request) { $0["topic"] != nil }
        }
        return try OverlandBody.read(value)
    }
}
