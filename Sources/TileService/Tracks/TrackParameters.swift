import HTTPCore
import Playback
import Replay
import Text
import TileMath
import TrackStore
import Tracks

/// The query parameters of requests about tracks, read one by one. A parameter that is malformed or sent twice is a
/// `400`; unknown ones are ignored.
struct TrackParameters {
    private let values: [String: String]

    init(_ target: RequestTarget) throws(Problem) {
        var values: [String: String] = [:]
        for parameter in try target.parameters() {
            guard values.updateValue(parameter.value, forKey: parameter.name) == nil else {
                throw Problem.badRequest("\(parameter.name) is given twice")
            }
        }
        self.values = values
    }

    /// The text of a parameter; nil if it is not given.
    subscript(name: String) -> String? { values[name] }

    /// A day or an instant.
    func date(_ name: String) throws(Problem) -> DateText? {
        guard let text = values[name] else { return nil }
        guard let date = DateText(text) else {
            throw Problem.badRequest(
                "\(name) has to be a day such as 2025-03-30, an instant such as 2025-03-30T08:00:00Z, or milliseconds "
                    + "since 1970")
        }
        return date
    }

    /// A whole number within a range.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = values[name] else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
        else {
            throw Problem.badRequest("\(name) has to be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A box `W,S,E,N` in degrees.
    func box(_ name: String) throws(Problem) -> E7Bounds? {
        guard let text = values[name] else { return nil }
        guard let box = BoundingBox(text: text) else {
            throw Problem.badRequest("\(name) has to be west,south,east,north in degrees")
        }
        return E7Bounds(box)
    }

    /// The time from `from` to `to`, as instants.
    func window(_ calendar: DayCalendar) throws(Problem) -> (from: Int64?, to: Int64?) {
        let from = try date("from")?.begin(in: calendar)
        let to = try date("to")?.end(in: calendar)
        if let from, let to, from >= to { throw Problem.badRequest("from has to be before to") }
        return (from, to)
    }

    /// The query of a replay of `track`, or of a window of a layer.
    func query(track: String? = nil, _ calendar: DayCalendar) throws(Problem) -> ReplayQuery {
        var scope = ReplayQuery.Scope.track(id: track ?? "")
        if track == nil {
            let window = try window(calendar)
            scope = .window(from: window.from, to: window.to, layer: values["layer"] ?? ReplayQuery.everyTrack)
        }
        return ReplayQuery(
            scope, pace: try pace(), gaps: try gaps(), seek: try date("seek")?.begin(in: calendar),
            isTogether: try isTogether(), tiles: try zoom("tiles"), explorer: try explorerZoom("explorer"))
    }

    /// A zoom level of explorer tiles; nil if it is not given.
    func explorerZoom(_ name: String) throws(Problem) -> Int? {
        guard let text = values[name] else { return nil }
        guard let zoom = Int(text), ExplorerQuery.zooms.contains(zoom) else {
            throw Problem.badRequest(
                "\(name) has to be \(ExplorerQuery.zooms.map { "\($0)" }.joined(separator: " or "))")
        }
        return zoom
    }

    private func pace() throws(Problem) -> ReplayQuery.Pace {
        let framesPerSecond = try number("fps", in: FrameRate.rates)
        if values["speed"] == "max" { return .max }
        let thousandths = values["speed"].map { FrameRate.speedThousandths($0) } ?? FrameRate.defaultSpeedThousandths
        let rate = thousandths.flatMap {
            FrameRate(
                speedThousandths: $0, framesPerSecond: framesPerSecond ?? FrameRate.defaultFramesPerSecond)
        }
        guard let rate else { throw Problem.badRequest("speed has to be a number from 0.1 to 100000, or max") }
        return .steady(rate)
    }

    private func gaps() throws(Problem) -> ReplayQuery.Gaps {
        guard let text = values["gap"] else { return .skip }
        guard let gaps = ReplayQuery.Gaps(rawValue: text) else {
            throw Problem.badRequest("gap has to be skip or hold")
        }
        return gaps
    }

    /// Whether live events are sent with a replay.
    func isLive() throws(Problem) -> Bool { try flag("live") }

    /// The live events to send: `device=NAME[,NAME…]`, and `tiles=Z` for the zoom level whose tiles are named,
    /// and `newest=1` for the newest point of each device.
    func live() throws(Problem) -> LiveReader.Subscription {
        var subscription = LiveReader.Subscription()
        if let text = values["device"] {
            let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
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

    private static let deviceListLimit = 100

    /// A zoom level; nil if it is not given.
    func zoom(_ name: String) throws(Problem) -> ZoomLevel? {
        try number(name, in: 0...ZoomLevel.deepest.number).flatMap { ZoomLevel($0) }
    }

    private func isTogether() throws(Problem) -> Bool { try flag("together") }

    private func flag(_ name: String) throws(Problem) -> Bool {
        switch values[name] {
        case nil, "0": return false
        case "1": return true
        default: throw Problem.badRequest("\(name) has to be 0 or 1")
        }
    }
}
