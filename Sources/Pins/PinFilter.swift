public import Tracks

/// The condition that the pins of a list fulfil.
public struct PinFilter: Sendable, Equatable {
    /// Pins of this time or later, in milliseconds since 1970; pins without a time do not match.
    public var from: Int64?
    /// Pins before this time.
    public var to: Int64?
    /// Pins in this box.
    public var bounds: E7Bounds?
    public var category: String?
    /// Pins of this person; an empty name is the owner.
    public var person: String?
    public var source: PinSource?
    /// Hours of the day, as bits 0–23; nil for all.
    public var hours: UInt32?
    /// Months, as bits 0–11 from January; nil for all.
    public var months: UInt16?
    /// Pins of times in which their person recorded one of these tracks.
    public var during: TrackTimes?

    /// Every pin.
    public init() {}

    /// Whether only pins with a time can match.
    public var needsTime: Bool { from != nil || to != nil || hours != nil || months != nil || during != nil }

    /// Whether every pin matches.
    public var isEmpty: Bool { self == PinFilter() }

    /// Whether a pin fulfils the condition; `local` gives the hour and the month (from 0) of an instant in the
    /// library's zone.
    public func admits(_ pin: PinFacts, local: (Int64) -> (hour: Int, month: Int)) -> Bool {
        if let time = pin.time {
            guard admits(time: time, local: local) else { return false }
            if let during, !during.contains(time, of: pin.person) { return false }
        } else if needsTime {
            return false
        }
        if let bounds, !bounds.contains(pin.place) { return false }
        if let category, pin.category != category { return false }
        if let source, pin.source != source { return false }
        if let person, (pin.person ?? "") != person { return false }
        return true
    }

    private func admits(time: Int64, local: (Int64) -> (hour: Int, month: Int)) -> Bool {
        if let from, time < from { return false }
        if let to, time >= to { return false }
        guard hours != nil || months != nil else { return true }
        let parts = local(time)
        if let hours, hours & (1 << UInt32(parts.hour)) == 0 { return false }
        if let months, months & (1 << UInt16(parts.month)) == 0 { return false }
        return true
    }
}

extension E7Bounds {
    /// Whether a place is in the box or on its edge.
    public func contains(_ place: PinPlace) -> Bool {
        contains(longitude: place.longitude, latitude: place.latitude)
    }
}
