package import RequestHandling

extension [any RequestHandler] {
    /// The handlers of names of places and addresses; `asksForAddresses` says whether a service is asked for some.
    package static func places(_ context: HandlerContext, asksForAddresses: Bool) -> [any RequestHandler] {
        [PlaceNameHandler(context: context, asksForAddresses: asksForAddresses)]
    }
}
