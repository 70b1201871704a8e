package import Playback
package import RequestHandling

extension [any RequestHandler] {
    /// The handlers of tracks: lists, files, edits, imports, replays and live events. An import has at most
    /// `importBytes`, and ends early when the server `isStopping`.
    package static func tracks(
        _ context: HandlerContext, _ streams: EventStreams, replayedPhotos: @escaping ReplayedPhotos,
        importBytes: Int, isStopping: @escaping @Sendable () -> Bool
    ) -> [any RequestHandler] {
        // An import may take minutes: a client should rather retry than wait for another import.
        let imports = ChangeQueue("tileserve.imports", timeoutSeconds: 10)
        return [
            TrackHandler(context: context), ExportHandler(context: context, readablePins: replayedPhotos),
            PhotoHandler(context: context),
            ReplayHandler(context: context, streams: streams, replayedPhotos: replayedPhotos),
            TrackChangeHandler(context: context),
            ImportHandler(context: context, queue: imports, byteLimit: importBytes, isStopping: isStopping),
            ImportRecordHandler(context: context, queue: imports),
        ]
    }
}
