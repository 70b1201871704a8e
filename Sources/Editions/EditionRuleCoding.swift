import Text
import TrackQuery

/// Rules as JSON, as they are stored.
extension EditionRule {
    private struct Content: Codable {
        var condition: String?
        var tracks: [String]?
        var zones: [PrivacyZone]
        var persons: Int
        var keepsNames: Bool
        var times: Times
    }

    private struct Times: Codable {
        var delayDays: Int
        var since: Int64?
        var from: String?
        var to: String?
        var until: String?
        /// nil for false, as rules without it were written.
        var live: Bool?
    }

    /// The rule as JSON; equal rules give equal bytes.
    public func encoded() throws -> [UInt8] {
        try JSONCoding.bytes(
            of: Content(
                condition: condition?.text, tracks: tracks, zones: zones, persons: persons, keepsNames: keepsNames,
                times: Times(
                    delayDays: delayDays, since: since, from: from.map(InstantFormatter.text),
                    to: to.map(InstantFormatter.text), until: until.map(InstantFormatter.text),
                    live: isLive ? true : nil)))
    }

    /// nil unless the text was written by `encoded`.
    public init?(decoding bytes: some Collection<UInt8>) {
        guard let content = JSONCoding.value(Content.self, from: bytes) else { return nil }
        self.init()
        let times = content.times
        for (text, day) in [
            (times.from, \EditionRule.from), (times.to, \EditionRule.to), (times.until, \EditionRule.until),
        ] {
            guard let text else { continue }
            guard let date = DateText.day(in: text) else { return nil }
            self[keyPath: day] = date
        }
        if let text = content.condition {
            guard let condition = try? TrackCondition(parsing: text) else { return nil }
            self.condition = condition
        }
        tracks = content.tracks
        zones = content.zones
        (persons, keepsNames) = (content.persons, content.keepsNames)
        (delayDays, since, isLive) = (times.delayDays, times.since, times.live ?? false)
    }
}
