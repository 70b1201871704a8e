import Statistics
import Text
import TrackStore

/// `tileserve explorer`: shows figures of the tiles that the tracks have visited.
struct ExplorerCommand: Command {
    static let name = "explorer"
    static let operands = Operands.none

    private static let zoom = Option("zoom", "14|17", "the zoom level of the tiles (default: 14)")
    private static let layer = Option("layer", "NAME", "only tracks of this layer (default: all)")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "shows figures of the tiles that the tracks have visited",
        about: """
            Shows how many tiles of the map the tracks have visited, the side of the largest square of visited tiles, \
            the number of tiles of the largest cluster (connected tiles whose four neighbours are visited, too), and \
            with --from or --to, how many tiles were visited for the first time. Flights and long steps between two \
            points do not visit the tiles on their way.
            """,
        options: [
            LibraryOption.option, LibraryOption.inbox, zoom, CommonOptions.from, CommonOptions.to, layer,
            CommonOptions.json,
        ],
        examples: [
            ("tileserve explorer", "shows the figures of all tracks"),
            ("tileserve explorer --zoom 17 --layer walk", "shows those of walks, for small tiles"),
            ("tileserve explorer --from 2025-01-01 --json", "shows what is new since that day"),
        ])

    let folder: String
    let zoom: Int
    let window: DateWindow
    let layer: String?
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        let zooms = ExplorerQuery.zooms
        let zoom = try given.value(Self.zoom, .oneOf(zooms.map { "\($0)" })) { text in
            zooms.first { "\($0)" == text }
        }
        self.zoom = zoom ?? zooms[0]
        window = try DateWindow(given)
        layer = try given.text(Self.layer)
        isJSON = given.has(CommonOptions.json)
    }
}

extension ExplorerCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        var query = ExplorerQuery()
        query.zoom = zoom
        (query.from, query.to) = try window.instants(in: calendar)
        query.tracks.layer = layer ?? query.tracks.layer
        guard try library.updateMap(context) else { return context.stopped() }
        let map = try library.explorerMap(query)
        let terminal = context.terminal
        try terminal.out(isJSON ? String(decoding: map.json, as: UTF8.self) : text(map))
        return map.tiles.tiles.isEmpty ? .incomplete : .done
    }

    private func text(_ map: ExplorerMap) -> String {
        var rows = [("tiles", "\(DisplayText.count(map.tiles.tiles.count)) of zoom level \(zoom)")]
        if let square = map.tiles.square {
            let corner = "north-western tile \(zoom)/\(square.corner.x)/\(square.corner.y)"
            rows.append(("square", "\(square.side) × \(square.side), \(corner)"))
        }
        rows.append(("cluster", DisplayText.count(map.tiles.cluster, "tile")))
        if !window.isEverything { rows.append(("new", DisplayText.count(map.newCount, "tile"))) }
        return rows.map { $0.0.padded(to: 10) + $0.1 + "\n" }.joined()
    }
}
