import HTTPCore
import OpenAPI
package import PrimaryStore
import RequestHandling
package import Text
import TrackImport
import TrackStore

/// Answers requests about imports, `/v1/imports`, and undoes imports.
///
/// Only the owner sees them, because they contain names of files and folders of this machine.
struct ImportRecordHandler: RequestHandler {
    let context: HandlerContext
    /// The queue of imports, so that no import is undone while it is received.
    let queue: ChangeQueue

    private var library: Library { context.library }

    /// Default and limit of imports in a list, and of receipts of one import.
    private static let defaultEntries = 100
    private static let entryLimit = 1000
    /// The names of outdated files that are given with an import.
    private static let outdatedNames = 100

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/imports", for: .inspect, as: Self.listImports, list)
        routes.on(.get, "/v1/imports/{number}", for: .inspect, as: Self.importRecord, show)
        routes.on(.get, "/v1/imports/{number}/outdated", for: .inspect, as: Self.outdatedFiles, outdated)
        routes.on(.delete, "/v1/imports/{number}", for: .change, as: Self.undoImport) { _, path in
            try undoImport(path["number"])
        }
    }

    /// Imports, the newest first.
    private func list(_ request: Request) throws -> HandlerResult {
        let (limit, after) = try Self.page(request.target)
        return context.queues.reading.answer {
            var imports = try library.database.imports(before: after ?? .max, limit: limit + 1)
            let hasMore = imports.count > limit
            imports = Array(imports.prefix(limit))
            var object = JSONObject()
            object.add("imports", objects: try imports.map(listed))
            if hasMore { object.add("next", imports.last.map { "\($0.number)" }) }
            return validated(JSONResponse.response(object), for: request)
        }
    }

    /// One import, with its receipts.
    private func show(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let (limit, after) = try Self.page(request.target)
        let passed = Int(after ?? 0)
        return context.queues.reading.answer {
            guard let record = try library.database.importRecord(named: path["number"]) else { throw Self.noSuchImport }
            let receipts = try library.database.receipts(ofImport: record.number, skipping: passed, limit: limit)
            var object = try listed(record)
            object.add("receipts", json: receipts)
            if passed < record.files - receipts.count { object.add("next", "\(passed + receipts.count)") }
            return validated(JSONResponse.response(object), for: request)
        }
    }

    /// The files of an import that are read differently now.
    private func outdated(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let (limit, after) = try Self.page(request.target)
        let passed = max(0, Int(after ?? 0))
        return context.queues.reading.answer {
            guard let record = try library.database.importRecord(named: path["number"]) else { throw Self.noSuchImport }
            let found = try library.database.outdatedFiles(of: record, skipping: passed, limit: limit)
            var object = JSONObject()
            object.add("count", found.count)
            object.add("files", found.names)
            if passed + found.names.count < found.count { object.add("next", "\(passed + found.names.count)") }
            return validated(JSONResponse.response(object), for: request)
        }
    }

    private func listed(_ record: ImportRecord) throws -> JSONObject {
        record.json(outdated: try library.database.outdatedFiles(of: record, limit: Self.outdatedNames))
    }

    /// Undoes an import, as `DELETE` removes a track: `204` when everything that only this import added is removed
    /// everywhere, `202` if a part of the removal is pending.
    private func undoImport(_ text: String) throws -> HandlerResult {
        try context.checkReadiness()
        return queue.answer {
            guard let record = try library.database.importRecord(named: text) else { throw Self.noSuchImport }
            let undone = try library.undoImport(importNumber: record.number, drop: context.changes.dropPictures)
            context.changes.show()
            return try undone.removal.reply(of: "\(record.number)")
        }
    }

    private static func page(_ target: RequestTarget) throws(Problem) -> (limit: Int, after: Int64?) {
        let parameters = try QueryParameters(target)
        let limit = try parameters.number("limit", in: 1...entryLimit) ?? defaultEntries
        guard let text = parameters["after"] else { return (limit, nil) }
        guard let after = Int64(canonical: text) else {
            throw Problem.badRequest("after has to be the value of next in a previous list")
        }
        return (limit, after)
    }

    private static let noSuchImport = Problem.notFound("no import has this number; /v1/imports lists them")

    private static let number = APIParameter("number", .integer(1...Int.max), "The number of an import", in: .path)
    private static let page: [APIParameter] = [
        .limit(Self.entryLimit, default: Self.defaultEntries), .after,
    ]

    private static let listImports = APIOperation(
        "a list of imports, for the owner only", .changes, detail: "The newest first.", parameters: page,
        answers: [
            APIResponse("The imports", .json(.object([("imports", .list(importRecordSchema)), ("next?", .text())])))
        ],
        traits: .hasETag)

    private static let importRecord = APIOperation(
        "an import with its receipts, for the owner only", .changes, parameters: [number] + page,
        answers: [APIResponse("The import", .json(importRecordSchema))], traits: [.canBeMissing, .hasETag])

    private static let outdatedFiles = APIOperation(
        "the files of an import that this version reads differently, for the owner only", .changes,
        detail: "In the order of their names. `POST /v1/import?again=1` reads a file again.",
        parameters: [number] + page,
        answers: [
            APIResponse(
                "The files", .json(.object([("count", .count), ("files", .list(.text())), ("next?", .text())])))
        ],
        traits: [.canBeMissing, .hasETag])

    private static let undoImport = APIOperation(
        "undoes an import", .changes, parameters: [number], answers: .removal, traits: .canBeMissing)

    private static let importRecordSchema = APISchema.object([
        ("import", .integer(1...Int.max)), ("time", .text()), ("given", .list(.text())), ("files", .count),
        ("tracks", .count), ("streams", .count), ("pins", .count), ("outdated?", .list(.text())),
        ("outdatedFiles?", .count),
        ("receipts?", .list(.object())), ("next?", .text()),
    ]).named("Import")
}

extension ImportRecord {
    /// The import as in lists, with the files whose format is read differently now.
    package func json(outdated: OutdatedFiles) -> JSONObject {
        var object = JSONObject()
        object.add("import", Int(number))
        object.add("time", InstantFormatter.utc(time))
        object.add("given", given)
        object.add("files", files)
        object.add("tracks", recordings)
        object.add("streams", streams)
        object.add("pins", pins)
        if outdated.count > 0 {
            object.add("outdated", outdated.names)
            object.add("outdatedFiles", outdated.count)
        }
        return object
    }
}

extension TrackDatabase {
    /// The files of an import that were read by an earlier version of a reader.
    package func outdatedFiles(
        of record: ImportRecord, skipping passed: Int = 0, limit: Int = .max
    ) throws -> OutdatedFiles {
        try outdatedFiles(
            ofImport: record.number, readers: TrackFormat.readerVersions, skipping: passed, limit: limit)
    }

    /// The import with a number as written in lists; nil if there is none.
    package func importRecord(named text: String) throws -> ImportRecord? {
        try Int64(canonical: text).flatMap { try importRecord($0) }
    }
}
