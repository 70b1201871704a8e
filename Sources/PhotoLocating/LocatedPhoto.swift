import Text

/// When and where a photo was taken: all that is possible, the most likely first.
public struct LocatedPhoto: Sendable {
    /// From which of the sources the time of a photo is known, the most trustworthy one first.
    public enum TimeSource: String, Sendable {
        /// The user said how far the clock is ahead of UTC.
        case given
        /// The photo names the offset of its time from UTC.
        case offset
        /// The format demands UTC.
        case utc
        /// The learned clock of the camera; see `CameraClock`.
        case camera
        /// The receiver of the camera.
        case gps
        /// Local time at the place where the tracks, or the photo, say that the person was.
        case place
        /// Local time in the zone of the library.
        case library
    }

    /// One possible time and place.
    public struct Candidate: Hashable, Sendable {
        /// Milliseconds since 1970; nil if the photo has no time.
        public var instant: Int64?
        public var timeSource: TimeSource?
        /// The IANA name of the zone at the place; that of the library if the place is unknown.
        public var zone: String
        /// Milliseconds that the clocks of the zone are ahead of UTC.
        public var zoneAhead: Int64
        public var place: Result<PlaceEstimate, MissingPlace>
        /// Whose track it is; nil for the owner, or if the place is not from a track.
        public var person: String?

        /// The place; nil if it is not known.
        public var estimate: PlaceEstimate? { try? place.get() }
    }

    /// Never empty for a photo that has a time or a place.
    public var candidates: [Candidate]
    /// Milliseconds that the camera's clock is ahead of the photo's GPS time, if this is so much that one of them has to
    /// be wrong, and nothing shows which: the clock was not corrected.
    public var unconfirmedAhead: Int64?

    public init(candidates: [Candidate]) {
        self.candidates = candidates
    }

    /// The most likely candidate.
    public var best: Candidate? { candidates.first }

    /// What is doubtful, as a sentence without its full stop; nil for nothing.
    public var doubt: String? {
        guard let unconfirmedAhead else { return nil }
        let hours = Double(unconfirmedAhead.magnitude) / 3_600_000
        let amount = hours < 72 ? "\(Int(hours.rounded())) h" : "\(Int((hours / 24).rounded())) days"
        return "the GPS time is \(amount) \(unconfirmedAhead > 0 ? "before" : "after") the clock of the camera, "
            + "which no other photo confirms, so the clock was not corrected"
    }

    /// Why the place is not known, as a sentence without its full stop; nil if it is known.
    public var reason: String? {
        guard let best else { return "the photo has neither a time nor a place" }
        guard case .failure(let missing) = best.place else { return nil }
        return missing.sentence
    }
}

extension LocatedPhoto.Candidate {
    /// The time as RFC 3339 in UTC; nil if there is none.
    public var timeText: String? { instant.map { InstantFormatter.utc($0) } }
}

extension MissingPlace {
    /// What is missing, without a full stop.
    public var sentence: String {
        switch self {
        case .noTracks: "no track is near this time"
        case .before(let first): "the tracks begin later, at \(InstantFormatter.utc(first))"
        case .after(let last): "the tracks end earlier, at \(InstantFormatter.utc(last))"
        case .gap(let from, let to, let metres):
            "nothing was recorded from \(InstantFormatter.utc(from)) to \(InstantFormatter.utc(to)), "
                + "between places \(Self.distance(metres)) apart"
        }
    }

    private static func distance(_ metres: Double) -> String {
        metres < 10_000 ? "\(Int(metres.rounded())) m" : "\(Int((metres / 1000).rounded())) km"
    }
}
