import Foundation
import HTTPCore
import Locking
import TrackImport
import TrackStore
import Tracks

/// Answers `POST /v1/import`: one file as the body, or a form with files.
struct ImportHandler: Sendable {
    private let context: HandlerContext
    private let queue: ChangeQueue
    /// Whether the server is shutting down.
    private let isStopping: @Sendable () -> Bool

    init(_ context: HandlerContext, _ imports: ChangeQueue, isStopping: @escaping @Sendable () -> Bool) {
        self.context = context
        queue = imports
        self.isStopping = isStopping
    }

    /// The queue of imports and of undoing them. An import may take minutes: a client should rather retry than wait
    /// for another import.
    static func queue() -> ChangeQueue { ChangeQueue("tileserve.imports", timeoutSeconds: 10) }

    private var library: Library { context.library }

    /// Adds the route.
    func add(to routes: inout RouterBuilder) {
        routes.on(
            .post, "/v1/import", for: .change, takes: .file(limit: context.configuration.importBytes)
        ) { request, _ in try answer(request) }
    }

    /// Receipts as `import --json` writes them, one line per file and a total line with the import's number; `422` if
    /// nothing could be read.
    private func answer(_ request: Request) throws -> HandlerResult {
        try context.checkReadiness()
        guard case .file(let body) = request.content else {
            throw Problem.badRequest("there is nothing to import; send a file as the body, or a form with files")
        }
        let parameters = try ImportParameters(request.target)
        let boundary = try FormFiles.boundary(of: request.headers[.contentType])
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
        let database = library.database
        let options = parameters.options(libraryZone: try library.calendar().zone)
        let number = parameters.isDryRun ? nil : try stored { try database.beginImportRun(uploads.map(\.name)) }
        let target = parameters.isDryRun ? try TrackDatabase.dryRun(of: database) : database
        let importer = Importer(options: options) { try target.beginImport(of: number ?? ImportRecord.none) }
        let lines = Locked<[String]>([])
        let storeFailed = Locked(false)
        let total = importer.run(uploads, isStopped: isStopping) { event in
            guard case .finished(let receipt) = event else { return }
            if case .store? = receipt.failure { storeFailed.withLock { $0 = true } }
            lines.withLock { $0.append(receipt.json) }
        }
        guard !storeFailed.withLock({ $0 }) else {
            throw Self.storeProblem(number.flatMap { try? database.endFailedImport($0) })
        }
        let kept = try number.flatMap { number in
            try stored { try storeReceipts(lines.withLock { $0 }, ofImport: number) }
        }
        guard !total.stopped else { throw Self.stoppedProblem(import: kept) }
        if !parameters.isDryRun, total.outcome.points > 0 {
            do { try library.catchUp() } catch {
                context.watch.note(error)
                throw Self.gridProblem(total.outcome, import: kept)
            }
            context.watch.pollNow()
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
        let cause = "the library's disk is full or failing"
        guard let record else {
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

    /// Everything was stored, but the grid cannot be updated.
    private static func gridProblem(_ outcome: RecordingOutcome, import number: Int64?) -> Problem {
        let stored = "\(outcome.points) points were stored" + (number.map { " as import \($0)" } ?? "")
        return Problem(
            .insufficientStorage,
            "\(stored), but the map does not show them yet: the library's disk is full or failing; make room, and it will"
        )
    }

    private func stored<Result>(_ body: () throws -> Result) throws(Problem) -> Result {
        do { return try body() } catch {
            guard (error as? LibraryError)?.isDiskError == true else { throw Problem.problem(of: error) }
            throw Self.storeProblem(nil)
        }
    }

    /// Stores an import's receipts; an import that brought nothing is dropped, and nil returned.
    private func storeReceipts(_ receipts: [String], ofImport number: Int64) throws -> Int64? {
        guard try !library.database.deleteEmptyImport(number) else { return nil }
        try library.database.storeReceipts(receipts, ofImport: number)
        return number
    }
}

/// The query parameters of an import, which correspond to the command's options.
struct ImportParameters {
    /// The name of a file that is the body.
    private(set) var name: String?
    private(set) var isDryRun = false
    private var person: String?
    private var device: String?
    private var activity: String?
    private var zone: TimeZone?
    private var gap = GapRule.standard

    /// Limit of characters of a name.
    static let nameCharacters = 200

    /// Reads the parameters; one that is malformed or sent twice is a `400`, unknown ones are ignored.
    init(_ target: RequestTarget) throws(Problem) {
        var seen: Set<String> = []
        for parameter in try target.parameters() {
            let (name, value) = (parameter.name, parameter.value)
            switch name {
            case "name": self.name = try Self.line(name, value)
            case "person": person = try Self.line(name, value)
            case "device": device = try Self.line(name, value)
            case "activity": activity = try Self.line(name, value).lowercased()
            case "zone":
                guard DayCalendar(zone: value) != nil, let zone = TimeZone(identifier: value) else {
                    throw Problem.badRequest("zone has to be a time zone such as Europe/Zurich")
                }
                self.zone = zone
            case "gap":
                guard let gap = DurationText.gap(value) else {
                    throw Problem.badRequest("gap has to be a duration such as 30m, or none")
                }
                self.gap = gap
            case "dry-run":
                guard value == "1" || value == "0" else { throw Problem.badRequest("dry-run has to be 0 or 1") }
                isDryRun = value == "1"
            default: continue
            }
            guard seen.insert(name).inserted else { throw Problem.badRequest("\(name) is given twice") }
        }
    }

    private static func line(_ name: String, _ value: String) throws(Problem) -> String {
        guard (1...nameCharacters).contains(value.count) else {
            throw Problem.badRequest("\(name) has to be a text of up to \(nameCharacters) characters")
        }
        return value
    }

    func options(libraryZone: String) -> ImportOptions {
        ImportOptions(
            person: person, device: device, activity: activity, zone: zone,
            libraryZone: TimeZone(identifier: libraryZone) ?? .gmt, gap: gap)
    }
}
