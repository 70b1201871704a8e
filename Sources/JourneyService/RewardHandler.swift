import HTTPCore
import Journeys
import OpenAPI
import PrimaryStore
import RequestHandling
import Text
import TrackStore

/// Answers `/v1/rewards`: what persons get for hours of focus; the owner of the library adds and changes them.
struct RewardHandler: RequestHandler {
    let context: HandlerContext
    let book: JourneyBook
    private let changes = ChangeQueue("tileserve.rewards", timeoutSeconds: Self.timeoutSeconds)

    /// A change takes milliseconds, unless another process writes.
    private static let timeoutSeconds = 30.0
    /// Limit in bytes of a body: a name and a number.
    private static let byteLimit = 4 * 1024

    init(_ context: HandlerContext, _ book: JourneyBook) {
        self.context = context
        self.book = book
    }

    private var database: TrackDatabase { context.library.database }

    func add(to routes: inout Routes) {
        let body = BodyPolicy.memory(limit: Self.byteLimit)
        routes.on(.get, "/v1/rewards", for: .read, as: Self.list) { request, _ in
            context.queues.reading.answer {
                var object = JSONObject()
                object.add("rewards", objects: try database.read { try $0.rewards() }.map(\.json))
                return validated(JSONResponse.response(object), for: request)
            }
        }
        routes.on(.post, "/v1/rewards", for: .change, takes: body, as: Self.post, post)
        routes.on(.patch, "/v1/rewards/{id}", for: .change, takes: body, as: Self.patch, patch)
        routes.on(.delete, "/v1/rewards/{id}", for: .change, as: Self.remove) { _, path in
            changes.answer {
                guard try database.removeReward(path["id"], at: book.now()) else { throw Self.noReward }
                return .response(Response(status: .noContent))
            }
        }
    }

    static let noReward = Problem.notFound("there is no reward with this id")

    private struct Body: Sendable {
        let name: String?
        let hours: Int?

        init(_ bytes: [UInt8], isNew: Bool) throws(Problem) {
            var members = try BodyMembers(bytes)
            name = members.value("name", RouteHandler.nameText, isRequired: isNew, RouteHandler.name)
            let range = StoredReward.hours
            hours = members.value(
                "hours", "a number from \(range.lowerBound) to \(range.upperBound)", isRequired: isNew
            ) { RouteHandler.integer($0, in: range) }
            try members.check()
        }
    }

    private func post(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let body = try Body(request.content.bytes, isNew: true)
        return changes.answer {
            guard let added = try database.add(FocusReward(hours: body.hours ?? 0, name: body.name ?? "")) else {
                throw Problem(.conflict, "there are \(StoredReward.limit) rewards already; remove some first")
            }
            var response = JSONResponse.response(added.json)
            response.status = .created
            response.set(.location, "/v1/rewards/\(added.id)")
            return .response(response)
        }
    }

    private func patch(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let body = try Body(request.content.bytes, isNew: false)
        return changes.answer {
            let changed = try database.changeReward(path["id"], at: book.now()) {
                FocusReward(hours: body.hours ?? $0.hours, name: body.name ?? $0.name)
            }
            guard let changed else { throw Self.noReward }
            return .response(JSONResponse.response(changed.json))
        }
    }
}

extension RewardHandler {
    static let id = APIParameter("id", .text(), "The id of a reward", in: .path)
    private static let reward = APISchema.object([
        ("id", .text()), ("hours", .integer(StoredReward.hours)), ("name", .text()), ("picture", .text()),
    ]).named("Reward")
    private static let name = APISchema.visible(maxLength: JourneyLimits.name)

    private static let list = APIOperation(
        "the rewards that there are, by hours of focus", .journeys,
        answers: [APIResponse("The rewards", .json(.object([("rewards", .list(reward))])))], traits: .hasETag)

    private static let post = APIOperation(
        "adds a reward", .journeys, detail: "Who has the hours already has it at once.",
        body: [.json(.object([("name", name), ("hours", .integer(StoredReward.hours))], isClosed: true))],
        answers: [APIResponse("The new reward", .json(reward), status: .created)])

    private static let patch = APIOperation(
        "changes a reward", .journeys, detail: "Who has it keeps it.", parameters: [id],
        body: [.json(.object([("name?", name), ("hours?", .integer(StoredReward.hours))], isClosed: true))],
        answers: [APIResponse("The reward", .json(reward))], traits: .canBeMissing)

    private static let remove = APIOperation(
        "removes a reward", .journeys, detail: "Who has it keeps it.", parameters: [id],
        answers: [APIResponse("Done", nil, status: .noContent)], traits: .canBeMissing)
}
