/// A path through the graph.
struct FoundPath {
    /// How a point is reached.
    enum Way: Equatable {
        /// In a straight line, on the level of the point.
        case line
        /// By a link of the graph.
        case link(VenueGraph.Link)
        /// Outdoors along nothing that is mapped.
        case open
    }

    struct Step {
        /// The position of its level; nil outdoors.
        let level: Int?
        let point: GridPoint
        let way: Way
    }

    /// From the start to the end, both included; the way of the first means nothing.
    var steps: [Step]
    var seconds: Double
    var isApproximate = false
}
