import Caching
import Geography
import TileMath

/// Places names so that none covers another: for the whole world at each zoom level, so that neighbouring tiles show
/// the same names.
final class MapNames: Sendable {
    /// All names are placed at this zoom level, and stay in place at deeper ones.
    private static let deepestZoom = 12
    private static let countryZooms = 2...6

    private let geography: Geography
    /// By zoom level; all of them fit.
    private let placed = SharedCache<Int, PlacedNames>(costLimit: deepestZoom + 1)

    init(_ geography: Geography) { self.geography = geography }

    /// The names that touch a view, in an order that does not depend on the view. Those near 180° come again on the
    /// other side.
    func placed(in view: MapView) -> [MapName] {
        let zoom = min(Self.deepestZoom, max(0, Int(view.zoom.rounded())))
        return placed.value(for: zoom) { place(zoom: zoom) }.touching(view)
    }

    private func place(zoom: Int) -> PlacedNames {
        let worldPixels = Double(TileCoordinate.cellsPerSide << zoom)
        var placed = PlacedNames(worldPixels: worldPixels)
        if Self.countryZooms.contains(zoom) {
            for country in geography.countries.sorted(by: { $0.radius > $1.radius }) where !country.isDisputed {
                let radius = country.radius * worldPixels
                let letters = min(15, max(10, radius / 7))
                let name = MapName(country.name, .country, at: country.center, letters: letters)
                if name.estimatedWidth <= 2.6 * radius { placed.insert(name) }
            }
        }
        // From 0.3 zoom levels before the one that Natural Earth names: tiles have whole zoom levels only.
        for town in geography.towns where town.firstZoomTimesTen <= 10 * zoom + 3 {
            let letters = town.population >= 3_000_000 ? 12.0 : town.population >= 300_000 || zoom >= 9 ? 11 : 10.5
            var name = MapName(town.name, town.isCapital ? .capital : .town, at: town.place, letters: letters)
            name.side = .right
            if placed.insert(name) { continue }
            name.side = .left
            placed.insert(name)
        }
        return placed
    }
}

/// Names of one zoom level that do not cover each other, found by squares of the map.
private struct PlacedNames: Sendable {
    /// The side of a square, in pixels of a screen.
    private static let square = 128.0
    /// Names keep this distance, in pixels of a screen.
    private static let padding = 6.0

    private let worldPixels: Double
    private var names: [MapName] = []
    private var squares: [Int: [Int]] = [:]

    init(worldPixels: Double) { self.worldPixels = worldPixels }

    /// Adds a name unless it would cover another; returns whether it was added.
    @discardableResult
    mutating func insert(_ name: MapName) -> Bool {
        let box = name.box(worldPixels: worldPixels).grown(x: Self.padding, y: Self.padding / 2)
        let keys = keys(box)
        for key in keys {
            for index in squares[key] ?? [] {
                let other = names[index].box(worldPixels: worldPixels)
                // The shorter way round the world.
                let turns = ((box.minX - other.minX) / worldPixels).rounded()
                if other.shifted(x: turns * worldPixels).intersects(box) { return false }
            }
        }
        for key in keys { squares[key, default: []].append(names.count) }
        names.append(name)
        return true
    }

    /// The names that touch a view. Fonts differ, so a third of the width is added on both sides.
    func touching(_ view: MapView) -> [MapName] {
        let factor = worldPixels / view.worldPixels
        // Names at a deeper zoom level than they were placed at are smaller in these pixels, never larger.
        let window = NameBox(
            minX: view.originX * factor, maxX: (view.originX + view.width) * factor,
            minY: view.originY * factor, maxY: (view.originY + view.height) * factor)
        var indices: Set<Int> = []
        for key in keys(window.grown(x: Self.square, y: Self.square / 2)) { indices.formUnion(squares[key] ?? []) }
        var found: [MapName] = []
        for index in indices.sorted() {
            let box = names[index].box(worldPixels: worldPixels)
            let grown = box.grown(x: (box.maxX - box.minX) / 3, y: 4)
            for turn in [-1.0, 0, 1] where grown.shifted(x: turn * worldPixels).intersects(window) {
                var name = names[index]
                name.place.x += turn
                found.append(name)
            }
        }
        return found
    }

    /// The squares that a box touches; columns wrap round the world.
    private func keys(_ box: NameBox) -> Set<Int> {
        let columns = max(1, Int(worldPixels / Self.square))
        func square(_ value: Double) -> Int { Int((value / Self.square).rounded(.down)) }
        var keys: Set<Int> = []
        for row in square(box.minY)...square(box.maxY) {
            for column in square(box.minX)...square(box.maxX) {
                keys.insert(row * columns + ((column % columns) + columns) % columns)
            }
        }
        return keys
    }
}
