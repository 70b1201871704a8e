import GridStorage
internal import PrimaryStore
import Text
import TrackImport
import TrackStore

extension LayerAddCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let made = try library.database.addLayer(name: layer, condition: condition)
        guard try library.updateMap(context) else {
            context.terminal.report(
                "tileserve layers add: stopped; '\(layer)' was added and will be built when the library is next used")
            return .incomplete
        }
        let summary = try library.layerSummaries().first { $0.name == made.name }
        try context.terminal.say("\(made.name): \(DisplayText.count(summary?.tracks ?? 0, "track"))")
        return .done
    }
}

extension LayerListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let layers = try OpenedLibrary.existing(in: folder).layerSummaries()
        if isJSON {
            for layer in layers { try context.terminal.say(layer.json.text) }
            return .done
        }
        let width = (layers.map(\.name.count).max() ?? 0) + 2
        for layer in layers {
            let tracks = DisplayText.count(layer.tracks).leftPadded(to: 9)
            try context.terminal.say(
                "\(layer.name.singleLine.padded(to: width))\(tracks)  \(layer.description)\(layer.readiness)")
        }
        return .done
    }
}

extension LayerShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let known = try OpenedLibrary.existing(in: folder).layerSummaries()
        var code = ExitCode.done
        for name in layers {
            guard let layer = known.first(where: { $0.name == name }) else {
                context.terminal.report(noSuchLayer(name, among: known.map(\.name)))
                code = .noInput
                continue
            }
            try context.terminal.say(isJSON ? layer.json.text : layer.lines.joined(separator: "\n"))
        }
        return code
    }
}

extension LayerRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let own = try library.database.layers().map(\.name)
        var removed: [String] = []
        for name in layers {
            if try library.database.removeLayer(name: name) {
                removed.append(name)
            } else {
                context.terminal.report(noSuchLayer(name, among: own))
            }
        }
        guard !removed.isEmpty else { return .noInput }
        // No new pictures of the layer are drawn from here on, so delete its cached pictures, then its derived data.
        let isComplete = try library.updateMap(context) { try DiskCache.drop(layers: Set(removed), in: folder) }
        for name in removed { try context.terminal.say("\(name): removed") }
        guard isComplete else {
            context.terminal.report(
                "tileserve layers remove: stopped; the rest of its data is removed when the library is next used")
            return .incomplete
        }
        return removed.count == layers.count ? .done : .incomplete
    }
}

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

private func noSuchLayer(_ name: String, among known: [String]) -> String {
    let hint =
        SpellingSuggestion.nearest(to: name, of: known).map { "did you mean '\($0)'?" } ?? "see 'tileserve layers list'"
    return "\(name.singleLine): no such layer; \(hint)"
}

extension LayerSummary {
    /// Which tracks the layer contains, for the user.
    fileprivate var description: String {
        switch kind {
        case .all: "every track"
        case .activity: "an activity's tracks"
        case .condition: "where \((condition ?? "").singleLine)"
        }
    }

    fileprivate var readiness: String {
        progress.map { " (being built: \(Int($0 * 100)) %)" } ?? ""
    }

    /// The layer as a JSON object.
    fileprivate var json: JSONObject {
        var object = JSONObject()
        object.add("name", name)
        object.add("kind", kind.rawValue)
        object.add("where", condition)
        object.add("ready", progress == nil)
        if let progress { object.add("progress", number: (progress * 1000).rounded() / 1000) }
        object.add("tracks", tracks)
        object.add("points", points)
        object.add("metres", number: metres.rounded())
        return object
    }

    /// The layer's details, line by line.
    fileprivate var lines: [String] {
        [
            ("name", name.singleLine), ("tracks", DisplayText.count(tracks)), ("points", DisplayText.count(points)),
            ("distance", NumberText.metres(metres)), ("condition", description),
            ("ready", progress == nil ? "yes" : "no\(readiness)"),
        ].map { $0.0.padded(to: 10) + $0.1 }
    }
}
