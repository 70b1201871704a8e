package import Digest
package import TrackQuery
package import Tracks

/// What the grid must know of a track besides its points.
package struct GridTrack: Sendable, Equatable {
    /// The track's number in the truth; never given twice.
    package var number: Int64
    /// The number of the person whose it is.
    package var person: Int64
    /// A digest of the person's name: numbers are no part of any content.
    package var personDigest: ContentDigest
    /// The activity's number in the truth, 1–254; 0 for none.
    package var activityNumber: UInt8
    /// The activity's name; nil for none.
    package var activity: String?
    /// Which pauses are gaps.
    package var gap: GapRule
    /// Whether it was cut from a device's stream.
    package var isStream: Bool
    /// Segments that span more than a day.
    package var longSegments: [Int]
    /// A digest of times and places.
    package var digest: ContentDigest
    /// How many points: what progress is counted in.
    package var points: Int
    /// The first instant, in milliseconds since 1970, or `PointChunk.untimed`.
    package var start: Int64
    /// What conditions of layers ask of it.
    package var facts: TrackFacts

    package init(
        number: Int64, person: Int64, personDigest: ContentDigest, activityNumber: UInt8, activity: String?,
        gap: GapRule,
        isStream: Bool, longSegments: [Int], digest: ContentDigest, points: Int,
        start: Int64, facts: TrackFacts = TrackFacts()
    ) {
        self.number = number
        self.person = person
        self.personDigest = personDigest
        self.activityNumber = activityNumber
        self.activity = activity
        self.gap = gap
        self.isStream = isStream
        self.longSegments = longSegments
        self.digest = digest
        self.points = points
        self.start = start
        self.facts = facts
    }

    /// What the grid must know of a track whose activity has this number.
    init(_ track: Track, activityNumber: UInt8) {
        self.init(
            number: track.number, person: track.person,
            personDigest: ContentDigest(of: Array((track.personName ?? "").utf8)), activityNumber: activityNumber,
            activity: track.activity, gap: track.gap, isStream: track.isStream, longSegments: track.longSegments,
            digest: track.digest, points: track.points, start: track.start ?? PointChunk.untimed, facts: track.facts)
    }

    /// A digest of all that the track's cells, lines and layers follow from; segments begin at the points `segmentStarts`.
    /// `fields` is the `DrawnFieldsDigest` of the points.
    func seed(segmentStarts: [Int], fields: UInt64) -> UInt64 {
        var digester = Digester()
        digester.update(digest)
        digester.update(personDigest)
        digester.update(activity ?? "")
        digester.update(gap.code)
        digester.update(isStream ? 1 : 0)
        for start in segmentStarts { digester.update(start) }
        if fields != 0 { digester.update(fields) }
        return digester.finish().first64
    }
}

extension GapRule {
    /// The rule as one number: −1 standard, −2 none, else the longest pause in milliseconds.
    var code: Int64 {
        switch self {
        case .standard: -1
        case .none: -2
        case .pause(let milliseconds): milliseconds
        }
    }
}

/// What the grid asks of the truth; several threads ask at once.
package protocol GridSource: Sendable {
    /// Looks afresh at what layers and activities there are, and gives the layers; asked before all else by whoever holds the
    /// grid's lock.
    func prepare() throws -> [LayerDefinition]
    /// Which points take no part.
    func cleaning() throws -> CleaningRule
    /// The newest entry of the change log.
    func head() throws -> Head
    /// The chained digest at a revision; nil where the log has no such entry.
    func digest(at revision: Int64) throws -> ContentDigest?
    /// The numbers of all tracks that entries after `revision` speak of, there or not.
    func tracksChanged(since revision: Int64) throws -> [Int64]
    /// The numbers of tracks of which only names, tags and the like are others since `revision`, there or not.
    func tracksDescribed(since revision: Int64) throws -> [Int64]
    /// Hands what conditions ask of each track to `body`.
    func forEachFacts(_ body: (_ number: Int64, TrackFacts) throws -> Void) throws
    /// The numbers of all tracks, ascending.
    func trackNumbers() throws -> [Int64]
    /// A track; nil where it is not (or no longer) there.
    func gridTrack(_ number: Int64) throws -> GridTrack?
    /// Hands a track's chunks to `body` in order, with the points' `DrawnFields` and without others.
    func forEachChunk(ofTrack number: Int64, _ body: (PointChunk) throws -> Void) throws
}
