import HTTPCore
import Playback
import Replay
import RequestHandling
import TrackStore
import Tracks

/// The parameters of replays and of live events.
extension QueryParameters {
    /// The query of a replay of `track`, or of a window of a layer.
    func query(track: String? = nil, _ calendar: DayCalendar) throws(Problem) -> ReplayQuery {
        var scope = ReplayQuery.Scope.track(id: track ?? "")
        if track == nil {
            let window = try window(calendar)
            scope = .window(from: window.from, to: window.to, layer: try layer() ?? ReplayQuery.everyTrack)
        }
        return ReplayQuery(
            scope, pace: try pace(), gaps: try choice("gap") ?? .skip, seek: try date("seek")?.begin(in: calendar),
            isTogether: try flag("together"), tiles: try zoom("tiles"), explorer: try explorerZoom("explorer"))
    }

    /// Whether live events are sent with a replay.
    func isLive() throws(Problem) -> Bool { try flag("live") }

    /// The live events to send: `device=NAME[,NAME…]`, and `tiles=Z` for the zoom level whose tiles are named,
    /// and `newest=1` for the newest point of each device.
    func live(of request: Request) throws(Problem) -> LiveReader.Subscription {
        var subscription = LiveReader.Subscription()
        subscription.reader = request.caller.person
        if let text = self["device"] {
            let names = Self.elements(of: text)
            guard names.count <= Self.deviceListLimit, names.allSatisfy({ !$0.isEmpty }) else {
                throw Problem.badRequest(
                    "device has to be one name, or several separated by commas, \(Self.deviceListLimit) at most")
            }
            subscription.devices = Set(names)
        }
        if let zoom = try zoom("tiles") { subscription.zoom = zoom }
        subscription.beginsWithNewest = try flag("newest")
        return subscription
    }

    /// Names of devices in one request.
    static let deviceListLimit = 100
}

extension Library {
    /// The tracks of a layer that replays, calendars and positions read; throws a `404` for one that does not exist.
    func replaySource(
        _ parameters: QueryParameters, _ isDisconnected: @escaping WorkQueue.DisconnectCheck
    ) throws -> TrackReplaySource {
        let source = try TrackReplaySource(
            self, layer: try parameters.layer() ?? ReplayQuery.everyTrack, isCancelled: isDisconnected)
        guard let source else { throw Problem.noSuchLayer }
        return source
    }
}
