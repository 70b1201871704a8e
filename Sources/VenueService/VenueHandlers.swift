package import Playback
package import RequestHandling

extension [any RequestHandler] {
    /// The handlers of venues and the ways through them; `feed` tells persons that their ways are planned.
    package static func venues(
        _ context: HandlerContext, _ streams: EventStreams, _ feed: LiveFeed
    ) -> [any RequestHandler] {
        let venues = KnownVenues(of: context.library)
        let desk = DirectionsDesk(DirectionsPlanner(library: context.library, venues: venues), feed)
        return [
            VenueHandler(context, venues, desk), DirectionsHandler(context, desk, streams),
            FavouriteHandler(context, venues),
        ]
    }
}
