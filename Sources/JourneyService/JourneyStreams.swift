import HTTPCore
import Journeys
import OpenAPI
import Playback
import PrimaryStore
import Replay
import RequestHandling
import TrackStore

/// Answers the event streams of journeys: replays, and how they go on.
struct JourneyStreams: RequestHandler {
    let context: HandlerContext
    let book: JourneyBook
    let streams: EventStreams

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/journeys/{id}/replay", for: .read, as: Self.replayOperation, replay)
        routes.on(.get, "/v1/journeys/{id}/live", for: .read, as: Self.liveOperation, live)
    }

    /// A journey has changed: open streams tell it at once.
    func recheck() { streams.recheck() }

    private func live(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        return context.queues.reading.answer {
            let journey = try book.journey(path["id"], for: person)
            return .response(
                .events(try streams.open(LiveJourney(book, journey.id, for: person), pace: .steady(FrameRate.realTime)))
            )
        }
    }

    private func replay(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        let person = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        let parameters = try QueryParameters(request.target)
        let cursor = try parameters.cursor(of: request)
        let asof = try parameters.date("asof")
        // Malformed parameters are refused before the journey is looked for.
        _ = try parameters.pace()
        return context.queues.reading.answer {
            let journey = try book.journey(path["id"], for: person)
            let state = try book.state(journey, at: try book.instant(asof))
            let rewards = try context.library.database.read { try $0.rewards(of: person.name, at: state.now) }
            let timeline = JourneyTimeline(state, rewards: rewards)
            let pace = try parameters.pace(defaultSpeed: Self.defaultSpeed(timeline.total))
            do {
                let sequence = try TimelineSequence(timeline, pace: pace, after: cursor)
                return .response(.events(try streams.open(sequence, pace: pace)))
            } catch ReplayError.complete {
                // A browser does not reconnect after a `204`.
                return .response(Response(status: .noContent))
            } catch ReplayError.otherQuery {
                throw Problem.badRequest("the event id belongs to another journey")
            }
        }
    }

    /// Thousandths: a replay takes half a minute, whatever the journey took.
    private static func defaultSpeed(_ total: Int64) -> Int {
        min(max(1000, Int(total / 30)), 100_000_000)
    }

    private static let replayOperation = APIOperation(
        "plays a journey", .journeys,
        detail: """
            Events `start`, `frame` (`{"dt","time","p":[lon,lat],"done"}`), `unlock`, `reward`, `done`, `end`. Only the times \
            in which it moved on are played, without a speed in half a minute.
            """,
        parameters: [
            JourneyOperations.id,
            APIParameter(
                "speed", .either([.number(0.1...100_000), .choice(["max"])]), "How fast, or `max` without a pace",
                example: "60"),
            APIParameter("fps", .integer(FrameRate.rates), "Frames a second"),
            APIParameter("lastEventId", .text(), "The event after which it goes on, as `Last-Event-ID`"),
            JourneyOperations.asof,
        ],
        answers: [
            APIResponse("The events", APIContent("text/event-stream")),
            APIResponse("It is over", nil, status: .noContent),
        ], traits: .canBeMissing)

    private static let liveOperation = APIOperation(
        "a journey as it goes on", .journeys,
        detail: """
            Events `journey` (first, and after each change), `figure` (`{"time","done","place":[lon,lat]}`, every second \
            while a session runs), `session`, `unlock`, `reward`, `done`.
            """,
        parameters: [JourneyOperations.id],
        answers: [APIResponse("The events", APIContent("text/event-stream"))], traits: .canBeMissing)
}
