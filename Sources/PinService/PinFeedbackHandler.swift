import HTTPCore
import OpenAPI
import Pins
import PrimaryStore
import RequestHandling
import Text
import TrackStore

/// Answers votes, reports and comments on pins, and the restoring of hidden ones.
struct PinFeedbackHandler: RequestHandler {
    let context: HandlerContext
    let access: PinAccess
    private let changes = ChangeQueue("tileserve.feedback", timeoutSeconds: Self.timeoutSeconds)

    /// A change takes milliseconds, unless another process writes.
    private static let timeoutSeconds = 30.0

    private var library: Library { context.library }

    func add(to routes: inout Routes) {
        let body = BodyPolicy.memory(limit: PinBody.byteLimit)
        routes.on(
            .put, "/v1/pins/{id}/vote", for: .contribute,
            as: Self.feedback("votes for a pin", "Each person has one vote.")
        ) { request, path in vote(request, path["id"], true) }
        routes.on(.delete, "/v1/pins/{id}/vote", for: .contribute, as: Self.feedback("retracts the vote")) {
            request, path in vote(request, path["id"], false)
        }
        routes.on(.put, "/v1/pins/{id}/report", for: .contribute, takes: body, as: Self.reportPin, report)
        routes.on(
            .delete, "/v1/pins/{id}/report", for: .contribute, as: Self.feedback("retracts the report"), retractReport)
        routes.on(.get, "/v1/pins/{id}/comments", for: .read, as: Self.pinComments, comments)
        routes.on(.post, "/v1/pins/{id}/comments", for: .contribute, takes: body, as: Self.commentPin, comment)
        routes.on(
            .put, "/v1/pins/{id}/comments/{comment}/vote", for: .contribute,
            as: Self.commentVote("votes for a comment", "Each person has one vote for each comment.")
        ) { request, path in vote(request, path, true) }
        routes.on(
            .delete, "/v1/pins/{id}/comments/{comment}/vote", for: .contribute,
            as: Self.commentVote("retracts the vote for a comment")
        ) { request, path in vote(request, path, false) }
        routes.on(
            .post, "/v1/pins/{id}/restore", for: .change,
            as: Self.feedback("shows a pin again that reports have hidden")
        ) { request, path in change(request, path["id"]) { try library.database.restorePin($0.id) } }
    }

    /// Changes something about a pin that the caller may see: `204`.
    private func change(_ request: Request, _ id: String, _ body: @escaping @Sendable (Pin) throws -> Bool)
        -> HandlerResult
    {
        let reader = PinReader(request.caller)
        return changes.answer {
            try context.checkReadiness()
            guard try body(access.pin(id, for: reader)) else { throw PinAccess.noSuchPin }
            return .response(Response(status: .noContent))
        }
    }

    private func vote(_ request: Request, _ id: String, _ isGiven: Bool) -> HandlerResult {
        let person = PinReader(request.caller).person
        return change(request, id) { try library.database.setVote(isGiven, of: person, on: $0.id) }
    }

    private func report(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let reason = try Self.text("reason", of: request.content.bytes, isRequired: false)
        let person = PinReader(request.caller).person
        return change(request, path["id"]) {
            try library.database.setReport(true, of: person, on: $0.id, reason: reason)
        }
    }

    private func retractReport(_ request: Request, _ path: PathParameters) -> HandlerResult {
        let person = PinReader(request.caller).person
        return change(request, path["id"]) { try library.database.setReport(false, of: person, on: $0.id) }
    }

    // MARK: Comments

    /// The comments on a pin; they are part of its content.
    private func comments(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target, ["sort"])
        let order: CommentOrder = try parameters.choice("sort") ?? .time
        let reader = PinReader(request.caller)
        return context.queues.reading.answer {
            let pin = try access.pin(path["id"], for: reader)
            guard try access.mayRead(pin, reader) else { throw PinAccess.noSuchPin }
            let comments = order.sorted(try library.database.read { try $0.comments(on: pin.id) })
            var object = JSONObject()
            object.add("comments", objects: comments.map(\.json))
            return validated(JSONResponse.response(object), for: request)
        }
    }

    /// Votes for a comment, which is part of the content of its pin.
    private func vote(_ request: Request, _ path: PathParameters, _ isGiven: Bool) -> HandlerResult {
        let reader = PinReader(request.caller)
        return changes.answer {
            try context.checkReadiness()
            let pin = try access.pin(path["id"], for: reader)
            guard try access.mayRead(pin, reader) else { throw PinAccess.noSuchPin }
            guard let comment = Int64(canonical: path["comment"]),
                try library.database.setVote(isGiven, of: reader.person, onComment: comment, of: pin.id)
            else { throw Problem.notFound("no comment on this pin has this number") }
            return .response(Response(status: .noContent))
        }
    }

    private func comment(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let text = try Self.text("text", of: request.content.bytes, isRequired: true) ?? ""
        let reader = PinReader(request.caller)
        return changes.answer {
            try context.checkReadiness()
            let pin = try access.pin(path["id"], for: reader)
            guard try access.mayRead(pin, reader),
                let comment = try library.database.addComment(text, of: reader.person, on: pin.id)
            else { throw PinAccess.noSuchPin }
            var response = JSONResponse.response(comment.json)
            response.status = .created
            response.forbidStoring()
            return .response(response)
        }
    }

    /// The only member of a body; an empty body has none.
    private static func text(_ name: String, of bytes: [UInt8], isRequired: Bool) throws(Problem) -> String? {
        if bytes.isEmpty, !isRequired { return nil }
        var members = try BodyMembers(bytes)
        let rule = "a text of 1 to \(PinText.captionLimit) characters"
        let text: String?
        if isRequired {
            text = members.value(name, rule, isRequired: true) { value in
                if case .text(let text) = value { PinText.givenCaption(text) } else { nil }
            }
        } else {
            text = members.text(name, rule, PinText.givenCaption).newValue
        }
        try members.check()
        return text
    }

    /// A change of a pin that is answered with `204`.
    private static func feedback(
        _ summary: String, _ detail: String? = nil, body: [APIContent] = []
    ) -> APIOperation {
        APIOperation(
            summary, .pins, detail: detail, parameters: [.id], body: body,
            answers: [APIResponse("Done", nil, status: .noContent)], traits: [.canBeMissing, .hasOptionalBody])
    }

    private static func commentVote(_ summary: String, _ detail: String? = nil) -> APIOperation {
        APIOperation(
            summary, .pins, detail: detail,
            parameters: [.id, APIParameter("comment", .integer(1...Int.max), "The `id` of a comment", in: .path)],
            answers: [APIResponse("Done", nil, status: .noContent)], traits: .canBeMissing)
    }

    private static let reportPin = feedback(
        "reports a pin", "The reports of three persons hide it.",
        body: [.json(.object([("reason?", .text(maxLength: PinText.captionLimit).orNull)], isClosed: true))])

    private static let pinComments = APIOperation(
        "the comments on a pin", .pins,
        parameters: [
            .id,
            APIParameter(
                "sort", .choice(CommentOrder.allCases.map(\.rawValue), default: CommentOrder.time.rawValue),
                "The oldest first, or those with the most votes first and then the oldest"),
        ],
        answers: [APIResponse("The comments", .json(.object([("comments", .list(comment))])))],
        traits: [.canBeMissing, .hasETag])

    private static let commentPin = APIOperation(
        "comments on a pin", .pins, parameters: [.id],
        body: [.json(.object([("text", .text(pattern: #"\S"#, maxLength: PinText.captionLimit))], isClosed: true))],
        answers: [APIResponse("The comment", .json(comment), status: .created)], traits: .canBeMissing)

    private static let comment = APISchema.object([
        ("id", .integer(1...Int.max)), ("person", .text().orNull), ("time", .text()),
        ("text", .text(maxLength: PinText.captionLimit)), ("score", .count),
    ]).named("Comment")
}

/// The order of comments.
private enum CommentOrder: String, CaseIterable {
    /// The oldest first.
    case time
    /// The most votes first; of equal ones the oldest.
    case score

    /// `comments` are in the order of time.
    func sorted(_ comments: [PinComment]) -> [PinComment] {
        switch self {
        case .time: comments
        case .score: comments.sorted { ($1.score, $0.number) < ($0.score, $1.number) }
        }
    }
}

extension PinComment {
    fileprivate var json: JSONObject {
        var object = JSONObject()
        object.add("id", Int(number))
        object.add("person", person)
        object.add("time", InstantFormatter.utc(time))
        object.add("text", text)
        object.add("score", score)
        return object
    }
}
