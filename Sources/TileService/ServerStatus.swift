import HTTPCore
import TileDrawing
import TileMath

/// The state of a layer.
struct LayerStatus: Sendable, Equatable {
    var name: String
    var kind: Layer.Kind
    var description: String
    /// How much of it is built, 0…1; nil if all.
    var progress: Double?

    init(_ name: String, _ layer: Layer, progress: Double?) {
        self.name = name
        kind = layer.kind
        description = layer.description
        self.progress = progress
    }
}

/// What is served now, in memory: written by `LibraryWatch`, read by every handler.
struct ServerStatus: Sendable, Equatable {
    /// Whether tiles can be served.
    enum Readiness: Sendable, Equatable {
        /// They can.
        case ready
        /// They can, but do not show changes that are being applied.
        case behind
        /// The grid is being built; `progress` is 0…1 if this process builds it.
        case rebuilding(progress: Double?)
    }

    var readiness = Readiness.rebuilding(progress: nil)
    /// The revision that `?v=` names; it changes whenever any picture may change.
    var revision = ""
    /// The layers, `all` first.
    var layers = [LayerStatus(TileRequest.defaultLayer, .everything, progress: nil)]
    /// The bounding box of all tracks; nil if there is nothing.
    var bounds: BoundingBox?
    var tracks = 0
    var points = 0

    /// A progress as it is shown: a bar needs nothing finer than thousandths, and rounding avoids values such as
    /// 0.30000000000000004.
    static func shown(_ progress: Double) -> Double { (min(max(progress, 0), 1) * 1000).rounded() / 1000 }

    /// Throws a `503` while there are no tiles.
    func checkReadiness() throws(Problem) {
        guard case .rebuilding = readiness else { return }
        throw Problem.unavailable(
            "the map is being built; /health shows the progress", retryAfterSeconds: TileError.buildingRetrySeconds)
    }
}
