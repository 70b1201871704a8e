package import HTTPCore
package import Replay

/// The parameters that all replays have.
extension QueryParameters {
    /// The pace of a replay; `defaultSpeed` is in thousandths.
    package func pace(defaultSpeed: Int = FrameRate.defaultSpeedThousandths) throws(Problem) -> ReplayQuery.Pace {
        let framesPerSecond = try number("fps", in: FrameRate.rates) ?? FrameRate.defaultFramesPerSecond
        if self["speed"] == "max" { return .max }
        let thousandths = self["speed"].map { FrameRate.speedThousandths($0) } ?? defaultSpeed
        let rate = thousandths.flatMap { FrameRate(speedThousandths: $0, framesPerSecond: framesPerSecond) }
        guard let rate else { throw Problem.badRequest("speed has to be a number from 0.1 to 100000, or max") }
        return .steady(rate)
    }

    /// The event after which a replay goes on: `Last-Event-ID`, or the parameter `lastEventId`; nil for the beginning.
    package func cursor(of request: Request) throws(Problem) -> ReplayCursor? {
        let header = request.headers.single(.lastEventID).map { String(decoding: $0, as: UTF8.self) }
        guard let text = header ?? self["lastEventId"], !text.isEmpty else { return nil }
        guard let cursor = ReplayCursor(text) else { throw Problem.badRequest("the event id is malformed") }
        return cursor
    }
}

extension Response {
    /// The events of a channel, as `text/event-stream`.
    package static func events(_ channel: EventChannel) -> Response {
        Response(
            status: .ok,
            headers: [
                ResponseHeader(.contentType, "text/event-stream"), ResponseHeader(.cacheControl, "no-store"),
                // nginx would hold events back until its buffer is full.
                ResponseHeader(HeaderName("X-Accel-Buffering"), "no"), ResponseHeader(.contentTypeOptions, "nosniff"),
            ],
            body: .events(channel))
    }
}
