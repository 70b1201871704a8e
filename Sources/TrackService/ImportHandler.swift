import Foundation
import HTTPCore
import LibraryImport
import Locking
import OpenAPI
import PrimaryStore
import RequestHandling
import TrackImport
import TrackStore
import Tracks

/// Answers `POST /v1/import`: one file as the body, or a form with files.
struct ImportHandler: RequestHandler {
    let context: HandlerContext
    let queue: ChangeQueue
    /// Limit in bytes of one import.
    let byteLimit: Int
    /// Whether the server is shutting down.
    let isStopping: @Sendable () -> Bool

    private var library: Library { context.library }

    func add(to routes: inout Routes) {
        routes.on(
            .post, "/v1/import", for: .change, takes: .file(limit: byteLimit), as: Self.importFiles, answer)
    }

    /// Receipts as `import --json` writes them, one line per file and a total line with the import's number; `422` if
    /// nothing could be read.
    private func answer(_ request: Request) throws -> HandlerResult {
        try context.checkReadiness()
        guard case .file(let body) = request.content else {
            throw Problem.badRequest("there is nothing to import; send a file as the body, or a form with files")
        }
        let parameters = try ImportParameters(request.target)
        let boundary = try FormPart.boundary(of: request.headers[.contentType])
        let name = parameters.name ?? HeaderParameter.value(of: "filename", in: request.headers[.disposition] ?? "")
        return queue.answer {
            let uploads =
                if let boundary {
                    try FormFiles.all(path: body.path, boundary: boundary)
                } else {
                    [Upload(name: name ?? "", path: body.path, bytes: 0..<Int64(body.byteCount))]
                }
            guard !uploads.isEmpty else { throw Problem.badRequest("the form has no file") }
            return try withExtendedLifetime(body) { try reply(uploads, parameters) }
        }
    }

    private func reply(_ uploads: [Upload], _ parameters: ImportParameters) throws -> OutgoingResponse {
        let options = parameters.options(libraryZone: try library.calendar().zone)
        let lines = Locked<[String]>([])
        let report: @Sendable (ImportEvent) -> Void = { event in
            guard case .finished(let receipt) = event else { return }
            lines.withLock { $0.append(receipt.json) }
        }
        let result: LibraryImport.Result
        if parameters.isDryRun {
            result = try LibraryImport.dryRun(
                .uploads(uploads), into: library, options: options, readsAnew: parameters.readsAnew,
                isStopped: isStopping, report: report)
        } else {
            var files = try begin(uploads, options)
            files.readsAnew = parameters.readsAnew
            result = try files.run(isStopped: isStopping, drop: context.changes.dropPictures, report: report)
        }
        let total = result.total
        guard !result.hasFailed else { throw Self.storeProblem(result.storedBeforeFailure) }
        // Everything is stored. What fails from here on does not change that, and the answer must not deny it.
        let kept = result.receiptsError == nil || total.outcome.points > 0 ? result.number : nil
        if let error = result.receiptsError { context.report(error) }
        guard !total.stopped else { throw Self.stoppedProblem(import: kept) }
        let isUnchanged = parameters.isDryRun || total.outcome.points == 0 && !parameters.readsAnew
        let gridError = isUnchanged ? nil : context.showChange()
        if let error = gridError ?? result.receiptsError {
            throw Self.incompleteProblem(
                total.outcome, import: kept, hasReceipts: result.receiptsError == nil, isShown: gridError == nil, error)
        }
        let text = (lines.withLock { $0 } + [total.json(import: kept)]).map { $0 + "\n" }.joined()
        let hasFailed = total.failed == total.files && total.outcome.points + total.outcome.duplicatePoints == 0
        return .response(
            Response(
                status: hasFailed ? .unprocessable : .ok,
                headers: [
                    ResponseHeader(.contentType, "application/x-ndjson"), ResponseHeader(.cacheControl, "no-store"),
                    ResponseHeader(.contentTypeOptions, "nosniff"),
                ], body: .bytes(Array(text.utf8))))
    }

    /// The primary store failed; `record` is what was stored of the import before. The details of the error are only
    /// for the operator.
    private static func storeProblem(_ record: ImportRecord?) -> Problem {
        let cause = LibraryError.diskCause
        guard let record, record.recordings + record.streams + record.pins > 0 else {
            return Problem(.insufficientStorage, "\(cause), and nothing was stored; make room and send it again")
        }
        let number = record.number
        return Problem(
            .insufficientStorage,
            "\(cause): \(record.recordings) tracks and parts of \(record.streams) streams were stored as import \(number), the "
                + "rest was not; make room and send it again: what is stored already is not stored twice")
    }

    /// The server is shutting down; `number` is the import of what was stored before, nil if nothing was.
    private static func stoppedProblem(import number: Int64?) -> Problem {
        let stored = number.map { "a part was stored as import \($0)" } ?? "nothing was stored"
        return .unavailable(
            "the server is shutting down: \(stored); send it again, and what is stored already is not stored twice",
            retryAfterSeconds: 1)
    }

    /// Everything was stored, except the receipts, or the grid cannot be updated.
    private static func incompleteProblem(
        _ outcome: RecordingOutcome, import number: Int64?, hasReceipts: Bool, isShown: Bool, _ error: any Error
    ) -> Problem {
        var text =
            outcome.points > 0
            ? "\(outcome.points) points were stored" + (number.map { " as import \($0)" } ?? "")
            : "nothing new was stored"
        if !hasReceipts { text += ", but not the receipts of the files" }
        if !isShown { text += (hasReceipts ? ", but" : ", and") + " the map does not show them yet" }
        text += ": \(LibraryError.cause(of: error))"
        guard (error as? LibraryError)?.isDiskError == true else { return Problem(.internalServerError, text) }
        return Problem(.insufficientStorage, "\(text); make room" + (isShown ? "" : ", and it will"))
    }

    private func begin(_ uploads: [Upload], _ options: ImportOptions) throws(Problem) -> LibraryImport {
        do { return try LibraryImport(.uploads(uploads), into: library, options: options) } catch {
            guard (error as? LibraryError)?.isDiskError == true else { throw Problem.problem(of: error) }
            throw Self.storeProblem(nil)
        }
    }

    private static let importFiles = APIOperation(
        "imports files", .changes,
        detail: "One file as the body, or a form with files. The formats are recognised by content.",
        parameters: [
            .line("name", "The name of a file that is the body"), .line("person", "Whose tracks they are"),
            .line("device", "The device that recorded them"), .line("activity", "Their activity"),
            APIParameter("zone", .zone, "The time zone of times without one", example: "Europe/Zurich"),
            APIParameter(
                "gap", .duration(orWord: "none"),
                "The pause that cuts a track: a duration, or `none`", example: "30m"),
            APIParameter("again", .flag, "1 to replace what earlier imports have read from the same files"),
            APIParameter("dry-run", .flag, "1 to report only what would be stored"),
        ],
        body: [
            APIContent("application/octet-stream"), APIContent("multipart/form-data", .object([("file", .text())])),
        ],
        answers: [
            APIResponse("The receipts, one line a file, and the total", APIContent("application/x-ndjson")),
            APIResponse(
                "The same, where no file could be read", APIContent("application/x-ndjson"), status: .unprocessable),
        ])
}

/// The query parameters of an import, which correspond to the command's options.
struct ImportParameters {
    /// The name of a file that is the body.
    private(set) var name: String?
    private(set) var isDryRun = false
    /// Whether what earlier imports have read from the same files is replaced.
    private(set) var readsAnew = false
    private var person: String?
    private var device: String?
    private var activity: String?
    private var zone: TimeZone?
    private var gap = GapRule.standard

    /// Limit of a name, in Unicode scalars: one character can have any number of them.
    fileprivate static let nameCharacters = 200

    /// Reads the parameters; one that is malformed or sent twice is a `400`, unknown ones are ignored.
    init(_ target: RequestTarget) throws(Problem) {
        let parameters = try QueryParameters(target, Self.names)
        name = try Self.line("name", parameters)
        person = try Self.line("person", parameters)
        device = try Self.line("device", parameters)
        activity = try Self.line("activity", parameters)?.lowercased()
        zone = try parameters.value("zone", "a time zone such as Europe/Zurich") { text in
            DayCalendar(zone: text).flatMap { _ in TimeZone(identifier: text) }
        }
        gap = try parameters.value("gap", "a duration such as 30m, or none") { GapRule(text: $0) } ?? gap
        isDryRun = try parameters.flag("dry-run")
        readsAnew = try parameters.flag("again")
    }

    private static let names: Set<String> = ["name", "person", "device", "activity", "zone", "gap", "again", "dry-run"]

    private static func line(_ name: String, _ parameters: QueryParameters) throws(Problem) -> String? {
        try parameters.value(name, "a text of up to \(nameCharacters) characters") { text in
            (1...nameCharacters).contains(text.unicodeScalars.count) ? text : nil
        }
    }

    func options(libraryZone: String) -> ImportOptions {
        ImportOptions(
            person: person, device: device, activity: activity, zone: zone,
            libraryZone: TimeZone(identifier: libraryZone) ?? .gmt, gap: gap)
    }
}

extension APIParameter {
    fileprivate static func line(_ name: String, _ detail: String) -> APIParameter {
        APIParameter(name, .text(minLength: 1, maxLength: ImportParameters.nameCharacters), detail)
    }
}
