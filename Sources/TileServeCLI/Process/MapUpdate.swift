import GridStorage
import PrimaryStore
import TrackStore

extension Library {
    /// Updates the map to the newest revision, calls `work`, and builds incomplete layers, showing progress. False if
    /// it was stopped before the end.
    func updateMap(_ context: CommandEnvironment, then work: () throws -> Void = {}) throws -> Bool {
        let progress = Progress(context.terminal)
        defer { progress.end() }
        let stop = context.stop
        try catchUp { progress.update($0) }
        for damage in grid.takeRepairs() {
            context.terminal.report("\(LibraryError.gridDamaged(path: grid.path, what: damage))")
        }
        try work()
        let building = Progress(context.terminal)
        defer { building.end() }
        try finishLayers(isStopped: { stop.isRequested }) { building.update($0) }
        return !stop.isRequested
    }
}

extension Progress {
    /// Shows the progress of building a layer.
    func update(_ layer: GridLayer) {
        guard case .building(_, let share) = layer.progress else { return }
        update(fraction: share) { _ in "building the layer '\(layer.name)'" }
    }
}
