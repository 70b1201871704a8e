import HTTPCore
import TileMath

/// A layer as it stands.
struct LayerStatus: Sendable, Equatable {
    var name: String
    var kind: Layer.Kind
    var description: String
    /// How much of it is made, 0…1; nil where all is.
    var progress: Double?

    init(_ name: String, _ layer: Layer, progress: Double?) {
        self.name = name
        kind = layer.kind
        description = layer.description
        self.progress = progress
    }
}

/// What is served now, known without a look at the disk: written by the watch, read by every handler.
struct ServerStatus: Sendable, Equatable {
    /// Whether tiles can be had.
    enum Readiness: Sendable, Equatable {
        /// They can.
        case ready
        /// They can, as they were before changes that are being applied.
        case behind
        /// The grid is being made; this much of it is, 0…1, where this process makes it.
        case rebuilding(progress: Double?)
    }

    var readiness = Readiness.rebuilding(progress: nil)
    /// What `?v=` names: another one whenever any picture may be.
    var revision = ""
    /// The layers, `all` first.
    var layers = [LayerStatus(TileRequest.defaultLayer, .everything, progress: nil)]
    /// The box round all that is drawn; nil where nothing is.
    var bounds: BoundingBox?
    var tracks = 0
    var points = 0

    /// Throws the problem to answer with while there are no tiles.
    func checkReadiness() throws(Problem) {
        guard case .rebuilding = readiness else { return }
        throw Problem.unavailable(
            "the map is being prepared; /health tells how far it is", retryAfterSeconds: Health.retryAfterSeconds)
    }
}
