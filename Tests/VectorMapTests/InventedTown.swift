import Foundation
import Text
import TileMath
import VectorTiles

@testable import TileArchive
@testable import VectorMap

/// A town that does not exist, as tiles of an archive in one of the schemas: a grid of streets with names, a motorway with a
/// number, a lake, a wood, buildings and places.
struct InventedTown: TileArchiveReader {
    let schema: MapSchema
    let zooms: ClosedRange<Int>
    /// Tiles that cannot be read.
    var isDamaged = false
    private let bounds: BoundingBox?

    /// Its middle, in parts of the world's width: in Poland, far from the coast.
    static let middle = (x: 0.5546875 + 1.0 / 4096, y: 0.3291015625 + 1.0 / 8192)
    /// Half of its width and height.
    static let half = 1.0 / 4096

    init(_ schema: MapSchema, zooms: ClosedRange<Int> = 0...14) {
        self.schema = schema
        self.zooms = zooms
        let (west, north) = (Self.middle.x - Self.half, Self.middle.y - Self.half)
        func latitude(_ y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi }
        bounds = BoundingBox(
            west: west * 360 - 180, south: latitude(north + 2 * Self.half),
            east: (west + 2 * Self.half) * 360 - 180, north: latitude(north))
    }

    var description: ArchiveDescription {
        var about = ArchiveDescription(format: .mvt, zooms: zooms)
        about.bounds = bounds
        about.attribution = "© Nobody"
        let names =
            schema == .openMapTiles
            ? ["transportation", "transportation_name", "water", "landcover", "building", "place"]
            : ["roads", "earth", "water", "landuse", "buildings", "places"]
        about.vectorLayers = names.compactMap { try? JSONReader.value(Array("{\"id\":\"\($0)\"}".utf8)) }
        return about
    }

    func tile(_ tile: TileCoordinate) throws -> StoredTile? {
        guard zooms.contains(tile.zoom.number) else { return nil }
        let side = 1 / Double(tile.zoom.tilesPerSide)
        let box = MapBox(
            minX: Double(tile.x) * side, minY: Double(tile.y) * side, maxX: Double(tile.x + 1) * side,
            maxY: Double(tile.y + 1) * side)
        let town = MapBox(
            around: MapPoint(x: Self.middle.x, y: Self.middle.y), width: 2 * Self.half, height: 2 * Self.half)
        guard box.intersects(town) else { return nil }
        if isDamaged { return StoredTile(bytes: [26, 90, 1, 2, 3], isGzipped: false) }
        return StoredTile(bytes: Content(schema, box).bytes, isGzipped: false)
    }

    // MARK: Content

    /// Streets as lines between places in parts of the town's width.
    private static let streets: [(name: String, kind: String, line: [(Double, Double)])] = {
        let names = ["Birch", "Cedar", "Elm", "Fir", "Hazel", "Linden", "Maple", "Oak", "Poplar", "Willow"]
        let across = names.enumerated().map { index, name in
            let y = (Double(index) + 0.5) / 10
            return ("\(name) Street", index == 4 ? "primary" : "minor", [(0.02, y), (0.3, y + 0.004), (0.98, y)])
        }
        let down = (1...9).map { index in
            let x = Double(index) / 10
            return ("\(index)th Avenue", index == 5 ? "secondary" : "minor", [(x, 0.02), (x + 0.006, 0.5), (x, 0.98)])
        }
        return across + down + [("", "motorway", [(0.0, 0.93), (0.4, 0.74), (0.7, 0.33), (1.0, 0.05)])]
    }()

    private static let places: [(name: String, german: String, kind: String, x: Double, y: Double)] = [
        ("Nowhere", "Nirgendwo", "city", 0.5, 0.5), ("Northend", "Nordend", "suburb", 0.49, 0.1),
        ("Westend", "Westend", "suburb", 0.06, 0.52), ("Over the Bridge", "Über der Brücke", "suburb", 0.51, 0.8),
    ]

    static let lake = MapBox(minX: 0.61, minY: 0.62, maxX: 0.88, maxY: 0.88)
    static let wood = MapBox(minX: 0.11, minY: 0.11, maxX: 0.29, maxY: 0.24)

    /// A place in the town, in parts of the world's width.
    static func place(_ x: Double, _ y: Double) -> MapPoint {
        MapPoint(x: middle.x + (2 * x - 1) * half, y: middle.y + (2 * y - 1) * half)
    }

    /// The layers of a tile.
    private struct Content {
        let schema: MapSchema
        let box: MapBox

        init(_ schema: MapSchema, _ box: MapBox) { (self.schema, self.box) = (schema, box) }

        private func unit(_ point: MapPoint) -> TilePlace {
            let units = 4096 / (box.maxX - box.minX)
            return TilePlace(
                Int32(((point.x - box.minX) * units).rounded()), Int32(((point.y - box.minY) * units).rounded()))
        }

        private var buffered: MapBox { box.grown((box.maxX - box.minX) / 64) }

        private func area(_ part: MapBox) -> VectorGeometry? {
            let (one, other) = (InventedTown.place(part.minX, part.minY), InventedTown.place(part.maxX, part.maxY))
            let whole = MapBox(minX: one.x, minY: one.y, maxX: other.x, maxY: other.y)
            guard let inside = whole.intersection(buffered) else { return nil }
            let corners = [
                (inside.minX, inside.minY), (inside.maxX, inside.minY), (inside.maxX, inside.maxY),
                (inside.minX, inside.maxY),
            ].map { unit(MapPoint(x: $0, y: $1)) }
            return .polygons([[corners]])
        }

        private func lines(_ line: [(Double, Double)]) -> VectorGeometry {
            var geometry = VectorGeometry.lines
            for part in buffered.clipped(line.map { InventedTown.place($0, $1) }) {
                var places: [TilePlace] = []
                for place in part.map(unit) where places.last != place { places.append(place) }
                if places.count > 1 { geometry.addLine(places[...]) }
            }
            return geometry
        }

        var bytes: [UInt8] {
            let isOpen = schema == .openMapTiles
            var water = VectorLayer("water")
            var wood = VectorLayer(isOpen ? "landcover" : "landuse")
            var buildings = VectorLayer(isOpen ? "building" : "buildings")
            var roads = VectorLayer(isOpen ? "transportation" : "roads")
            var names = VectorLayer("transportation_name")
            var places = VectorLayer(isOpen ? "place" : "places")
            if let area = area(InventedTown.lake) {
                water.add(id: nil, area, [(isOpen ? "class" : "kind", .text("lake"))])
            }
            if let area = area(InventedTown.wood) {
                wood.add(id: nil, area, [(isOpen ? "class" : "kind", .text("wood"))])
            }
            for column in 0..<9 {
                for row in 0..<9 {
                    let (x, y) = (0.02 + Double(column) / 10, 0.07 + Double(row) / 10)
                    let part = MapBox(minX: x, minY: y, maxX: x + 0.05, maxY: y + 0.06)
                    guard !part.intersects(InventedTown.lake), !part.intersects(InventedTown.wood) else { continue }
                    if let area = area(part) { buildings.add(id: nil, area, [("kind", .text("building"))]) }
                }
            }
            for street in InventedTown.streets {
                let geometry = lines(street.line)
                guard !geometry.isEmpty else { continue }
                let title: [(key: String, value: VectorValue)] =
                    street.name.isEmpty ? [("ref", .text("A 1;E 7"))] : [("name", .text(street.name))]
                if isOpen {
                    roads.add(id: nil, geometry, [("class", .text(street.kind))])
                    names.add(id: nil, geometry, [("class", .text(street.kind))] + title)
                } else {
                    let kinds = ["motorway": "highway", "minor": "minor_road"]
                    let detail = street.kind == "minor" ? "residential" : street.kind
                    roads.add(
                        id: nil, geometry,
                        [("kind", .text(kinds[street.kind] ?? "major_road")), ("kind_detail", .text(detail))] + title)
                }
            }
            for place in InventedTown.places {
                let point = InventedTown.place(place.x, place.y)
                guard buffered.contains(point) else { continue }
                let title: [(key: String, value: VectorValue)] = [
                    ("name", .text(place.name)), ("name:de", .text(place.german)),
                ]
                let kind: [(key: String, value: VectorValue)] =
                    isOpen
                    ? [("class", .text(place.kind)), ("rank", .integer(3))]
                    : place.kind == "city"
                        ? [
                            ("kind", .text("locality")), ("kind_detail", .text("city")),
                            ("population_rank", .integer(17)),
                        ]
                        : [("kind", .text("macrohood")), ("population_rank", .integer(17))]
                places.add(id: nil, .points([unit(point)]), kind + title)
            }
            return VectorTile.bytes(of: [water, wood, buildings, roads, names, places])
        }
    }
}
