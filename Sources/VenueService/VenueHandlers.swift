package import RequestHandling

extension [any RequestHandler] {
    /// The handlers of venues and the ways through them.
    package static func venues(_ context: HandlerContext) -> [any RequestHandler] {
        let venues = KnownVenues(of: context.library)
        return [VenueHandler(context, venues), DirectionsHandler(context: context, venues: venues)]
    }
}
