package import Digest
package import PrimaryStore
package import TrackQuery
package import Tracks

/// The properties of a track that the grid needs besides its points.
package struct GridTrack: Sendable, Equatable {
    /// The track's number in the primary store; never reused.
    package var number: Int64
    /// The number of the track's person.
    package var person: Int64
    /// A digest of the person's name, because content digests do not contain numbers.
    package var personDigest: ContentDigest
    /// The activity's number in grids, 1–254; 0 for none.
    package var activityNumber: UInt8 = 0
    /// The activity's name; nil for none.
    package var activity: String?
    /// The word for the activity, as recorded or edited.
    package var activityWord: String?
    /// The rule that says which pauses are gaps.
    package var gap = GapRule.standard
    /// Whether the track is part of a device's stream.
    package var isStream = false
    /// The number of points (for progress), the first instant, the segments that span more than a day, and the annotations.
    package var summary: TrackSummary
    /// A digest of times and places.
    package var digest: ContentDigest
    /// The facts that conditions of layers test.
    package var facts = TrackFacts()

    /// A track without activity, of the standard rules, and without facts.
    package init(
        number: Int64, person: Int64, personDigest: ContentDigest, summary: TrackSummary, digest: ContentDigest
    ) {
        self.number = number
        self.person = person
        self.personDigest = personDigest
        self.summary = summary
        self.digest = digest
    }

    /// The grid properties of a track, with the number of its activity.
    package init(_ track: Track, activityNumber: UInt8) {
        self.init(
            number: track.number, person: track.person,
            personDigest: ContentDigest(of: Array((track.personName ?? "").utf8)), summary: track.summary,
            digest: track.digest)
        self.activityNumber = activityNumber
        activity = track.activity?.rawValue
        activityWord = track.activityWord
        gap = track.gap
        isStream = track.isStream
        facts = track.facts
    }

    /// The number of points.
    package var points: Int { summary.points }
    /// The first instant, in milliseconds since 1970, or `PointColumns.untimed`.
    package var start: Int64 { summary.start ?? PointColumns.untimed }

    /// Classifies the points of the track.
    func detector(_ outlierRule: OutlierRule) -> OutlierDetector {
        summary.detector(gap: gap, isStream: isStream, outlierRule: outlierRule)
    }

    /// A digest of everything that determines the track's cells, lines and layers. `segmentStarts` are the indices of
    /// the points at which segments begin, `fields` is the `DrawnFieldsDigest` of the points.
    package func digest(segmentStarts: [Int], fields: UInt64) -> UInt64 {
        var digester = Digester()
        digester.update(digest)
        digester.update(personDigest)
        digester.update(activity ?? "")
        digester.update(gap.code)
        digester.update(isStream ? 1 : 0)
        for start in segmentStarts { digester.update(start) }
        if fields != 0 { digester.update(fields) }
        if summary.annotations.changesPath { digester.update(ContentDigest(of: summary.annotations.ofPath.encoded)) }
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

/// The primary store as the grid reads it. Several threads may call it at once.
package protocol GridSource: Sendable {
    /// Reads the layers and activities again and returns the layers; called first by the holder of the grid's lock.
    func prepare() throws -> [LayerDefinition]
    /// The outlier rule.
    func outlierRule() throws -> OutlierRule
    /// The newest entry of the change log.
    func head() throws -> Head
    /// The chained digest at a revision; nil if the log does not have this revision.
    func digest(at revision: Int64) throws -> ContentDigest?
    /// The numbers of all tracks that revisions after `revision` name, including removed ones.
    func tracksChanged(since revision: Int64) throws -> [Int64]
    /// The numbers of tracks of which only names, tags and the like changed after `revision`, including removed ones.
    func tracksWithChangedMetadata(since revision: Int64) throws -> [Int64]
    /// Calls `body` with the facts of each track that conditions test.
    func forEachFacts(_ body: (_ number: Int64, TrackFacts) throws -> Void) throws
    /// The numbers of all tracks, ascending.
    func trackNumbers() throws -> [Int64]
    /// A track; nil if it does not exist (any more).
    func gridTrack(_ number: Int64) throws -> GridTrack?
    /// The number of points of those of the tracks that exist, for progress; reads nothing else of them.
    func points(ofTracks numbers: [Int64]) throws -> Int
    /// Calls `body` with a track's chunks in order, decoded with `DrawnFields` only.
    func forEachChunk(ofTrack number: Int64, _ body: (PointColumns) throws -> Void) throws
}
