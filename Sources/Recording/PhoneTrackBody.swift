import Text

/// What PhoneTrack's app (github.com/julien-nc/phonetrack) sends to Nextcloud: one point in parameters, or
/// `{"points":[[lat,lon,timestamp,…],…]}`.
enum PhoneTrackBody {
    /// The values of a point in a list, in this order.
    private static let columns = [
        "lat", "lon", "timestamp", "alt", "acc", "bat", "sat", "useragent", "speed", "bearing",
    ]
    private static let wanted = "expected {\"points\":[[lat,lon,timestamp,…],…]}"

    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        guard request.bodyKind == .json else { return try UserNamedPoint.read(request) }
        let value = try FieldAliases.singleJSON(request.jsonBody, wanted: wanted)
        guard let points = value["points"] else { return try UserNamedPoint.read(value, request) }
        guard case .list(let rows) = points else {
            throw RecordingError(.shape, "\"points\" is \(points.kindName) but must be a list; \(wanted)")
        }
        return try UserNamedPoint.read(.list(rows.map(object)), request)
    }

    private static func object(_ row: JSONValue) -> JSONValue {
        guard case .list(let values) = row else { return row }
        return .object(zip(columns, values).map { ($0, $1) })
    }
}
