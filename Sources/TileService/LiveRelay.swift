import Editions
import Playback
import PrimaryStore
import Tracks

/// Passes points on to the readers of an edition while they are recorded: those that the edition will show when they are
/// stored, without what tells of the device.
final class LiveRelay: Sendable {
    private let edition: Edition
    private let calendar: DayCalendar
    private let source: LiveFeed
    private let target: LiveFeed
    private let now: @Sendable () -> Int64

    /// nil for an edition that is not live. `now` is in milliseconds since 1970.
    init?(
        _ edition: Edition, from source: LiveFeed, to target: LiveFeed, _ calendar: DayCalendar,
        now: @escaping @Sendable () -> Int64
    ) {
        guard edition.rule.isLive, edition.rule.delayDays == 0 else { return nil }
        self.edition = edition
        self.calendar = calendar
        self.source = source
        self.target = target
        self.now = now
    }

    func start() {
        source.follow(for: self) { [weak self] points in
            guard let self else { return }
            target.publish(points: visible(points))
        } forget: { [target] in
            target.forgetNewest()
        }
    }

    func stop() { source.stopFollowing(for: self) }

    private func visible(_ points: [LivePoint]) -> [LivePoint] {
        let rule = edition.rule
        let cutter = PointCutter(
            zones: rule.zones, times: rule.times(at: now(), in: calendar), showsUntimed: false)
        return points.compactMap { point in
            guard rule.selects(device: point.device, person: point.person),
                cutter.isVisible(time: point.time, longitude: point.longitude, latitude: point.latitude)
            else { return nil }
            var published = LivePoint(
                device: edition.pseudonym(ofDevice: point.device, of: point.person),
                person: point.person.map(edition.pseudonym), time: point.time, longitude: point.longitude,
                latitude: point.latitude)
            (published.elevation, published.speed, published.course) = (point.elevation, point.speed, point.course)
            return published
        }
    }
}
