import HTTPCore
import Journeys
import OpenAPI
import PrimaryStore
import RequestHandling

/// What the routes of `JourneyHandler` do.
enum JourneyOperations {
    static let id = APIParameter("id", .text(), "The id of a journey", in: .path)
    private static let session = APIParameter("session", .text(), "The id of a session", in: .path)
    static let asof = APIParameter(
        "asof", .date, "The instant at which it is shown, or the end of a day; now without it",
        example: "2026-06-01T18:30:00Z")
    private static let done = [APIResponse("Done", nil, status: .noContent)]
    private static let condition = APISchema.text(maxLength: 4000)

    static let sessionSchema = APISchema.object([
        ("id", .text()), ("journey", .text()), ("person", .text()), ("start", .text()), ("end", .text()),
        ("seconds", RouteOperations.secondsSchema), ("place", .text().orNull),
        ("state", .choice(["running", "committed", "done", "cancelled"])), ("cancelUntil", .text()),
    ]).named("FocusSession")

    static let rewardSchema = APISchema.object([
        ("id", .text()), ("hours", .integer(StoredReward.hours)), ("name", .text()), ("picture", .text()),
        ("granted", .text().orNull), ("seen", .boolean),
    ]).named("PersonReward")

    private static let factor = APISchema.object(
        [("where", condition), ("factor", .number(JourneyFactor.factors))], isClosed: true)

    static let journeySchema = APISchema.object([
        ("id", .text()), ("route", .text()), ("name", .text()), ("by", .choice(["focus", "metres"])),
        ("where?", .text().orNull), ("factors?", .list(factor)), ("since", .text().orNull), ("until", .text().orNull),
        ("active", .boolean), ("metres", .amount), ("done", .amount), ("place", .tuple([.longitude, .latitude])),
        ("unlocked", .list(.text())), ("next", .text().orNull), ("finished", .boolean),
        ("rewards", .list(rewardSchema)), ("session", .either([sessionSchema, .null])),
        ("ahead", .either([.number(-1e12...1e12), .null])),
        (
            "members",
            .list(
                .object([
                    ("person", .text()), ("displayName", .text()), ("picture", .text()), ("done", .amount),
                    ("seconds?", .amount),
                ]))
        ),
    ]).named("Journey")

    private static let shown = [APIResponse("The journey", .json(journeySchema))]

    static let list = APIOperation(
        "the journeys of the caller, the newest first", .journeys,
        answers: [APIResponse("The journeys", .json(.object([("journeys", .list(journeySchema))])))])

    static let show = APIOperation(
        "a journey and how far it is", .journeys,
        detail:
            "`done` and `metres` are metres on the ellipsoid WGS 84; `ahead` compares with an even pace until `until`.",
        parameters: [id, asof], answers: shown, traits: .canBeMissing)

    private static let date = APISchema.date.orEmpty
    private static let byMetres: [(String, APISchema)] = [
        ("where?", condition.orEmpty), ("factors?", .list(factor, limit: JourneyFactor.limit)), ("since?", date),
    ]

    private static func newJourney(_ by: String, _ drive: String, _ more: [(String, APISchema)]) -> APISchema {
        let persons = APISchema.set(
            .text(minLength: 1, maxLength: JourneyLimits.name), limit: StoredJourney.memberLimit)
        return .object(
            [("route", .text()), (by, .choice([drive])), ("until?", date), ("persons?", persons)] + more, isClosed: true
        )
    }

    static let post = APIOperation(
        "begins a journey along a route", .journeys,
        detail: """
            By focus, each stage takes the seconds of its place, or those of the route. By metres, recorded metres of tracks \
            that satisfy `where` count, times the first factor whose condition the track satisfies. Only the owner of the \
            library can name `persons`.
            """,
        body: [.json(.either([newJourney("by?", "focus", []), newJourney("by", "metres", byMetres)]))],
        answers: [APIResponse("The new journey", .json(journeySchema), status: .created)], traits: .canBeMissing)

    static let patch = APIOperation(
        "changes a journey, makes it the active one, or marks rewards as seen", .journeys, parameters: [id],
        body: [
            .json(
                .object(
                    [
                        ("seen?", .list(.integer(StoredReward.hours))), ("active?", .boolean), ("until?", date),
                    ], isClosed: true))
        ], answers: shown, traits: .canBeMissing)

    static let remove = APIOperation(
        "removes a journey with its sessions", .journeys, detail: "Rewards that they have brought are kept.",
        parameters: [id], answers: done, traits: .canBeMissing)

    static let sessions = APIOperation(
        "the caller's sessions of a journey, the newest first", .journeys,
        detail: "The owner of the library gets those of all members.", parameters: [id],
        answers: [APIResponse("The sessions", .json(.object([("sessions", .list(sessionSchema))])))],
        traits: .canBeMissing)

    static let start = APIOperation(
        "begins a focus session", .journeys,
        detail: """
            It leads to a place that is not reached, or to the next one. It can be cancelled for ten seconds; then it runs to \
            its end. 409 while another session of the person runs.
            """,
        parameters: [id],
        body: [
            .json(.object([("seconds", RouteOperations.secondsSchema), ("place?", .text().orNull)], isClosed: true))
        ], answers: [APIResponse("The session", .json(sessionSchema), status: .created)], traits: .canBeMissing)

    static let cancel = APIOperation(
        "cancels a focus session", .journeys,
        detail: "Up to 10.000 seconds after its start, by the time at which the request arrives; later 409.",
        parameters: [id, session], answers: done, traits: .canBeMissing)
}
