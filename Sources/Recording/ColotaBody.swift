import Text

/// What Colota (colota.app) sends: its own JSON with names that its user may change, a batch of Overland, or a location
/// of Traccar. In all of them speed is in m/s.
enum ColotaBody {
    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        guard request.bodyKind == .json else { return try UserNamedPoint.read(request) }
        let value = try FieldAliases.singleJSON(
            request.jsonBody, wanted: "expected {\"lat\":…,\"lon\":…,\"tst\":…}, or a batch of Overland")
        if value["locations"] != nil { return try OverlandBody.read(value) }
        if case .object? = value["location"] { return try TraccarBody.read(value, request) }
        return try UserNamedPoint.read(value, request)
    }
}
