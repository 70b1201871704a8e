import Editions
import HTTPCore
package import OpenAPI
import PrimaryStore
package import RequestHandling
import Text
import TrackQuery
import TrackStore

/// Answers `/v1/editions`: what the owner may share besides single tracks and layers.
package struct EditionHandler: RequestHandler {
    private let context: HandlerContext

    package init(_ context: HandlerContext) {
        self.context = context
    }

    package func add(to routes: inout Routes) {
        routes.on(.get, "/v1/editions", for: .inspect, as: Self.listOperation, list)
    }

    private func list(_ request: Request, _ path: PathParameters) -> HandlerResult {
        context.queues.reading.answer {
            let (editions, places) = try context.library.database.read {
                (try $0.editions(), try $0.hiddenPlaceCount())
            }
            var object = JSONObject()
            // Those of links are not for anything else.
            object.add("editions", objects: editions.filter { !$0.isOfLink }.map(\.json))
            object.add("places", places)
            return validated(JSONResponse.response(object), for: request)
        }
    }

    private static let listOperation = APIOperation(
        "the editions of the library, and how many places were ever hidden by a zone", .links,
        answers: [
            APIResponse(
                "The editions",
                .json(
                    .object([
                        (
                            "editions",
                            .list(
                                .object([
                                    ("name", .text()), ("where", .text().orNull), ("zones", .count),
                                    ("delayDays", .count), ("live", .boolean), ("from", .day.orNull),
                                    ("to", .day.orNull),
                                    ("until", .day.orNull),
                                ]).named("Edition"))
                        ), ("places", .count),
                    ])))
        ], traits: .hasETag)
}

extension Edition {
    /// The rule for its owner, without the places of zones.
    fileprivate var json: JSONObject {
        var object = JSONObject()
        object.add("name", name)
        object.add("where", rule.condition?.text)
        object.add("zones", rule.zones.count)
        object.add(timesOf: rule)
        return object
    }
}
