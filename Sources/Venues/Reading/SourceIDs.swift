internal import TileMath

/// Gives the features of a venue their ids.
struct SourceIDs {
    /// What identifies the venue.
    let venue: [String]
    /// The id that each id of the source has; of features on several levels that of the first.
    private(set) var known: [String: FeatureID] = [:]
    private var used: Set<FeatureID> = []

    init(venue: [String]) { self.venue = venue }

    var venueID: FeatureID { FeatureID(of: ["venue"] + venue) }

    /// The id of a feature of the source; nil if the source has no such feature.
    subscript(sourceID: String) -> FeatureID? { known[sourceID] }

    /// Whether another feature had this id before.
    func isUsed(_ sourceID: String) -> Bool { known[sourceID] != nil }

    /// The id of a feature: from its own id, else from its kind, level, name and place. Features without an id that
    /// agree in all of it are numbered in the order in which they come.
    mutating func id(_ kind: String, _ sourceID: String, level: String, name: String, place: GeoPoint?) -> FeatureID {
        let base =
            sourceID.isEmpty
            ? ["place", kind, level, name, place.map { Self.text($0) } ?? ""] : ["source", kind, sourceID, level]
        var id = FeatureID(of: venue + base)
        var copy = 2
        while !used.insert(id).inserted {
            id = FeatureID(of: venue + base + ["\(copy)"])
            copy += 1
        }
        if !sourceID.isEmpty, known[sourceID] == nil { known[sourceID] = id }
        return id
    }

    /// A place to 1e-6°, 0.1 m.
    static func text(_ place: GeoPoint) -> String {
        "\(Int((place.longitude * 1e6).rounded())),\(Int((place.latitude * 1e6).rounded()))"
    }
}
