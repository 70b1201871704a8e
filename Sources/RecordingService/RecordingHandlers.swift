package import HTTPCore
import PrimaryStore
package import RequestHandling

extension [any RequestHandler] {
    /// The handlers of points from devices, in our own protocol and in those of apps; `access` knows the tokens with
    /// which apps log in.
    package static func recording(
        _ context: HandlerContext, _ recorder: Recorder, _ access: AccessControl
    ) -> [any RequestHandler] {
        let recording = RecordingHandler(recorder: recorder, now: TrackDatabase.systemClock)
        return [
            recording, AppRecordingHandler(recording: recording), PhoneTrackHandler(recording: recording),
            ULoggerHandler(recording: recording, access: access), DawarichHandler(context: context),
        ]
    }
}
