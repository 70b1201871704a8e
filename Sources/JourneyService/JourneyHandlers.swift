package import HTTPCore
package import Pins
package import Playback
package import RequestHandling
package import TileDrawing

extension [any RequestHandler] {
    /// The handlers of routes, journeys and the scene. `readablePins` tells which pins a caller may read, `now` the
    /// milliseconds since 1970.
    package static func journeys(
        _ context: HandlerContext, _ renderer: TileRenderer, _ streams: EventStreams,
        readablePins: @escaping @Sendable (Caller) -> @Sendable (Pin) -> Bool,
        now: @escaping @Sendable () -> Int64
    ) -> [any RequestHandler] {
        let book = JourneyBook(context, now: now)
        let journeyStreams = JourneyStreams(context: context, book: book, streams: streams)
        return [
            RouteHandler(context, book), JourneyHandler(context, book, journeyStreams), journeyStreams,
            FocusStatisticsHandler(context: context, book: book), RewardHandler(context, book),
            PersonHandler(context, book, journeyStreams), PersonFileHandler(context: context, book: book),
            JourneyPictureHandler(context, book),
            SceneHandler(context: context, renderer: renderer, readablePins: readablePins),
        ]
    }
}
