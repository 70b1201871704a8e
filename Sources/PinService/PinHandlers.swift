package import RequestHandling

extension [any RequestHandler] {
    /// The handlers of pins: lists, edits, photos, feedback, tiles.
    package static func pins(_ context: HandlerContext) -> [any RequestHandler] {
        let index = PinIndexCache(context.library)
        context.changes.beforePublishing(index.dropIfChanged)
        let layers = PinLayers(context.library)
        context.changes.beforePublishing(layers.dropOutdated)
        let access = PinAccess(context.library)
        let photos = PinPhotoHandler(context: context, access: access)
        return [
            PinHandler(context: context, access: access, photos: photos, layers: layers), photos,
            PinFeedbackHandler(context: context, access: access),
            PinTileHandler(context: context, overlay: PinOverlay(cache: index, layers: layers)),
        ]
    }
}
