/// A stay near a border, and the area that its town shows.
struct DecidedStay: Sendable {
    /// The drafts of the stay.
    var drafts: Range<Int>
    var area: Area
}

/// The stay of the track that is under way near a border. It begins and ends with a draft, so that its area can differ
/// from that of the sections before and after it.
struct BorderStay: Sendable {
    /// The first draft of the stay; nil while the track is not near a border, or in flight.
    var first: Int?
    /// Whether a point of the stay was accurate enough to tell countries apart.
    var isAccurate = false
    /// The stays of the track that are over.
    var decided: [DecidedStay] = []
}
