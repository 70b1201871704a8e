import HTTPCore

extension APIOperations {
    private static let removed = [
        APIResponse("It is removed everywhere", nil, status: .noContent),
        APIResponse("A part of the removal is pending", json, status: .accepted),
    ]

    private static let ifMatch = APIParameter(
        "If-Match", .text(), "The ETag of the track: 412 if it has changed since", in: .header)

    private static func line(_ name: String, _ detail: String) -> APIParameter {
        APIParameter(name, .text(maxLength: ImportParameters.nameCharacters), detail)
    }

    /// Imports, edits and removals.
    static let changes: Table = [
        Route(.patch, "/v1/tracks/{id}"): APIOperation(
            summary: "edits name, activity and tags", tag: .changes, detail: "A JSON merge patch (RFC 7396).",
            parameters: [ifMatch],
            body: [.json(.named("TrackPatch")), APIContent("application/merge-patch+json", .named("TrackPatch"))],
            answers: [APIResponse("The track", .json(.named("Track")))], traits: .canBeMissing),
        Route(.delete, "/v1/tracks/{id}"): APIOperation(
            summary: "removes a track", tag: .changes, parameters: [ifMatch], answers: removed, traits: .canBeMissing),
        Route(.post, "/v1/import"): APIOperation(
            summary: "imports files", tag: .changes,
            detail: "One file as the body, or a form with files. The formats are recognised by content.",
            parameters: [
                line("name", "The name of a file that is the body"), line("person", "Whose tracks they are"),
                line("device", "The device that recorded them"), line("activity", "Their activity"),
                APIParameter("zone", .text(), "The time zone of times without one", example: "Europe/Zurich"),
                APIParameter("gap", .text(), "The pause that cuts a track: a duration, or `none`", example: "30m"),
                APIParameter("dry-run", .choice(["0", "1"], default: "0"), "1 to report only what would be stored"),
            ], body: [APIContent("application/octet-stream"), APIContent("multipart/form-data", .object())],
            answers: [
                APIResponse("The receipts, one line a file, and the total", APIContent("application/x-ndjson")),
                APIResponse(
                    "The same, where no file could be read", APIContent("application/x-ndjson"), status: .unprocessable),
            ]),
        Route(.get, "/v1/imports"): APIOperation(
            summary: "a list of imports, for the owner only", tag: .changes, detail: "The newest first.",
            parameters: [limit(ImportRecords.entryLimit, default: ImportRecords.defaultEntries), after],
            answers: [
                APIResponse("The imports", .json(.object([("imports", .list(.named("Import"))), ("next?", .text())])))
            ], traits: .hasETag),
        Route(.get, "/v1/imports/{number}"): APIOperation(
            summary: "an import with its receipts, for the owner only", tag: .changes,
            parameters: [limit(ImportRecords.entryLimit, default: ImportRecords.defaultEntries), after],
            answers: [APIResponse("The import", .json(.named("Import")))], traits: [.canBeMissing, .hasETag]),
        Route(.delete, "/v1/imports/{number}"): APIOperation(
            summary: "undoes an import", tag: .changes, answers: removed, traits: .canBeMissing),
    ]
}
