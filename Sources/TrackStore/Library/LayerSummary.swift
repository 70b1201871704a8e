internal import Database
internal import GridStorage
internal import PrimaryStore
internal import TrackQuery
internal import Tracks

/// A layer as shown in lists.
package struct LayerSummary: Sendable, Equatable {
    /// What defines the layer.
    package enum Kind: String, Sendable {
        case all
        case activity
        /// A condition of the operator.
        case condition = "where"
    }

    /// The name of the layer.
    package var name: String
    package var kind: Kind
    /// The condition, of layers that have one.
    package var condition: String?
    /// The number of tracks.
    package var tracks = 0
    /// The number of points.
    package var points = 0
    /// The length of their lines in metres.
    package var metres = 0.0
    /// The fraction that is built, 0…1; nil if the layer is ready.
    package var progress: Double?
}

extension Library {
    /// All layers: `all`, then the others by name; one pass over the rows of tracks.
    package func layerSummaries() throws -> [LayerSummary] {
        let calendar = try calendar()
        let gridLayers = try grid.read { try $0.layers() }
        return try database.read { snapshot in
            let own = try snapshot.layers()
            var all = LayerSummary(name: LayerDefinition.everything, kind: .all)
            var conditions = own.map { layer in
                LayerSummary(
                    name: layer.name, kind: .condition, condition: layer.condition.text,
                    progress: Self.progress(of: layer, gridLayers))
            }
            var activities: [String: LayerSummary] = [:]
            try snapshot.forEachTrack { track in
                all.add(track)
                if let activity = track.activity?.rawValue {
                    activities[activity, default: LayerSummary(name: activity, kind: .activity)].add(track)
                }
                for index in own.indices where own[index].condition.admits(track.facts, in: calendar) {
                    conditions[index].add(track)
                }
            }
            // A layer of the operator hides an activity of the same name, and `all` hides both.
            for name in [all.name] + own.map(\.name) { activities[name] = nil }
            return [all] + (conditions + activities.values).sorted { $0.name < $1.name }
        }
    }

    private static func progress(of layer: LayerDefinition, _ gridLayers: [GridLayer]) -> Double? {
        guard let found = gridLayers.first(where: { $0.isBuilt(by: layer) }) else { return 0 }
        guard case .building(_, let share) = found.progress else { return nil }
        return share
    }
}

extension LayerSummary {
    fileprivate mutating func add(_ track: Track) {
        tracks += 1
        points += track.points
        metres += track.metres
    }
}
