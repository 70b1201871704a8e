package import HTTPCore
package import TileDrawing
package import TileMath

/// The state of a layer.
package struct LayerStatus: Sendable, Equatable {
    package var name: String
    package var kind: Layer.Kind
    package var description: String
    /// How much of it is built, 0…1; nil if all.
    package var progress: Double?

    package init(_ name: String, _ layer: Layer, progress: Double?) {
        self.name = name
        kind = layer.kind
        description = layer.description
        self.progress = progress
    }
}

/// What is served now, in memory: written by `LibraryWatch`, read by every handler.
package struct ServerStatus: Sendable, Equatable {
    /// Whether tiles can be served.
    package enum Readiness: Sendable, Equatable {
        /// They can.
        case ready
        /// They can, but do not show changes that are being applied.
        case behind
        /// The grid is being built; `progress` is 0…1 if this process builds it.
        case rebuilding(progress: Double?)
    }

    package var readiness = Readiness.rebuilding(progress: nil)
    /// The revision that `?v=` names; it changes whenever any picture may change.
    package var revision = ""
    /// The layers, `all` first.
    package var layers = [LayerStatus(TileRequest.defaultLayer, .everything, progress: nil)]
    /// The bounding box of all tracks; nil if there is nothing.
    package var bounds: BoundingBox?
    package var tracks = 0
    package var points = 0

    /// An empty library whose grid is being built.
    package init() {}

    /// A progress as it is shown: a bar needs nothing finer than thousandths, and rounding avoids values such as
    /// 0.30000000000000004.
    package static func shown(_ progress: Double) -> Double { (min(max(progress, 0), 1) * 1000).rounded() / 1000 }

    /// Throws a `503` while there are no tiles.
    package func checkReadiness() throws(Problem) {
        guard case .rebuilding = readiness else { return }
        throw Problem.unavailable(
            "the map is being built; /health shows the progress", retryAfterSeconds: TileError.buildingRetrySeconds)
    }
}
