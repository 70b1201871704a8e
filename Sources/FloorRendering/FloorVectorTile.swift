public import Digest
internal import GEOS
public import TileMath
internal import VectorTiles
internal import Venues

/// Makes vector tiles of floors.
public struct FloorVectorTile: Sendable {
    /// Increased when the tiles change.
    private static let version = 1

    /// Levels of a venue: their positions in its list.
    public struct Floors: Sendable {
        let venue: VenueVectors
        let levels: Set<Int>

        public init(_ venue: VenueVectors, levels: some Sequence<Int>) {
            self.venue = venue
            self.levels = Set(levels)
        }
    }

    private let tile: TileCoordinate
    /// Of names, as `FloorScene.language` gives it; nil for the usual one.
    private let language: String?

    public init(_ tile: TileCoordinate, language: String? = nil) {
        self.tile = tile
        self.language = language
    }

    /// The layers with their attributes, and the first of their zoom levels.
    public static let layers:
        [(name: String, description: String, zooms: ClosedRange<Int>, fields: [(String, String)])] = [
            (
                VenueVectors.Layer.area.rawValue, "Levels, rooms, corridors, walls", FloorScene.zooms,
                levelFields + [
                    ("class", "String: level, room, corridor, area, platform, column or wall"),
                    ("category", "String: the category of IMDF"),
                    ("is_poi", "Boolean: true for rooms that people look for"),
                    ("access", "String: private, or none"),
                ]
            ),
            (
                VenueVectors.Layer.areaName.rawValue, "The names of rooms", FloorScene.zooms,
                levelFields + nameFields + [
                    ("class", "String: room"), ("category", "String: the category of IMDF"),
                ]
            ),
            (
                VenueVectors.Layer.poi.rawValue, "Shops, amenities and rooms with a symbol", FloorScene.zooms,
                levelFields + nameFields + [
                    ("class", "String: the category without its refinement"), ("subclass", "String: the category"),
                ]
            ),
            (
                VenueVectors.Layer.transportation.rawValue, "Stairs, lifts, escalators and ramps", FloorScene.zooms,
                levelFields + nameFields + [
                    ("class", "String: steps, elevator, escalator or ramp"),
                    ("conveying", "String: yes for escalators"),
                ]
            ),
            (
                VenueVectors.Layer.venue.rawValue, "The outlines of venues", FloorOverview.zooms,
                [
                    ("id", "String: the id of the venue"), ("name", "String: its name"),
                    ("category", "String: the category of IMDF"),
                ]
            ),
        ]

    private static let levelFields = [
        ("id", "String: the id of the room, level or place"),
        ("level", "Number: the storey, 0 for the ground floor"), ("ordinal", "Number: the ordinal of the level"),
    ]
    private static let nameFields = [
        ("name", "String: the name in the language that was asked for"), ("name:latin", "String: the same"),
    ]

    /// Whether something of a venue with these bounds may be in the tile.
    public func reaches(_ bounds: BoundingBox) -> Bool { tile.isNear(bounds) }

    /// Identifies the tile that `bytes` makes.
    public func digest(of floors: [Floors]) -> ContentDigest {
        var digester = Digester()
        digester.update("vector tile of floors")
        digester.update(Self.version)
        for number in [tile.zoom.number, tile.x, tile.y] { digester.update(number) }
        digester.update(language ?? "")
        for floor in floors.sorted(by: { $0.venue.venueDigest < $1.venue.venueDigest }) {
            digester.update(floor.venue.venueDigest)
            digester.update(floor.levels.count)
            for level in floor.levels.sorted() { digester.update(level) }
        }
        return digester.finish()
    }

    /// The tile; empty if nothing is in it. Takes about 0.1 ms for a room. Throws if there is no memory.
    public func bytes(of floors: [Floors]) throws -> [UInt8] {
        let context = try GEOSContext()
        var layers: [VenueVectors.Layer: VectorLayer] = [:]
        let isFloor = FloorScene.zooms.contains(tile.zoom.number)
        for floor in floors.sorted(by: { $0.venue.venueDigest < $1.venue.venueDigest }) {
            for feature in floor.venue.features {
                guard feature.level.map({ isFloor && floor.levels.contains($0) }) ?? !isFloor,
                    let geometry = try geometry(of: feature.shape, context)
                else { continue }
                layers[feature.layer, default: VectorLayer(feature.layer.rawValue)].add(
                    id: feature.id.low, geometry, attributes(of: feature))
            }
        }
        return VectorTile.bytes(of: VenueVectors.Layer.allCases.compactMap { layers[$0] })
    }

    private func attributes(of feature: VenueVectors.Feature) -> [(key: String, value: VectorValue)] {
        var attributes = feature.attributes
        attributes.append(("id", .text(feature.id.description)))
        if let names = feature.names {
            let name = VectorValue.text(names.text(in: language))
            attributes += [("name", name), ("name:latin", name)]
            for (language, text) in names.texts where !language.isEmpty {
                attributes.append(("name:\(language)", .text(text)))
            }
        }
        return attributes
    }

    // MARK: Geometries

    /// The shape in units of the tile; nil if nothing of it is within the border.
    private func geometry(of shape: VenueVectors.Feature.Shape, _ context: GEOSContext) throws -> VectorGeometry? {
        switch shape {
        case .point(let place):
            // A venue at 180° goes on in the next copy of the world.
            for turn in [-1.0, 0, 1] {
                let (x, y) = units(WorldPlace(place.x + turn, place.y))
                guard Self.border.contains(x), Self.border.contains(y) else { continue }
                return .points([TilePlace(Int32(x.rounded()), Int32(y.rounded()))])
            }
            return nil
        case .polygons(let polygons, let box):
            for turn in [-1.0, 0, 1] {
                let found = try geometry(of: polygons, box, moved: WorldPlace(turn, 0), context)
                if !found.isEmpty { return found }
            }
            return nil
        }
    }

    /// Polygons that are moved by whole worlds.
    private func geometry(
        of polygons: [[[WorldPlace]]], _ box: WorldBox, moved move: WorldPlace, _ context: GEOSContext
    ) throws -> VectorGeometry {
        let (low, high) = (units(box.low + move), units(box.high + move))
        let border = Self.border
        guard low.x <= border.upperBound, high.x >= border.lowerBound, low.y <= border.upperBound,
            high.y >= border.lowerBound
        else { return .polygons([]) }
        let isInside = [low.x, low.y, high.x, high.y].allSatisfy { border.contains($0) }
        var points: [[[PlanePoint]]] = []
        for polygon in polygons { points.append(polygon.map { ring in ring.map { point($0 + move) } }) }
        return .polygons(try rounded(points, isInside: isInside, context))
    }

    private func point(_ place: WorldPlace) -> PlanePoint {
        let (x, y) = units(place)
        return PlanePoint(x: x, y: y)
    }

    private static let border = Double(-VectorTile.buffer)...Double(VectorTile.extent + VectorTile.buffer)

    private func units(_ place: WorldPlace) -> (x: Double, y: Double) {
        let world = Double(tile.zoom.tilesPerSide)
        return (
            (place.x * world - Double(tile.x)) * Double(VectorTile.extent),
            (place.y * world - Double(tile.y)) * Double(VectorTile.extent)
        )
    }

    /// Valid polygons of whole units within the border; polygons that overlap become one.
    private func rounded(
        _ polygons: [[[PlanePoint]]], isInside: Bool, _ context: GEOSContext
    ) throws -> [[[TilePlace]]] {
        var parts: [Geometry] = []
        do throws(GEOSError) {
            for rings in polygons where rings.first.map({ $0.count > 2 }) == true {
                parts.append(try Self.valid(rings, context, isInside: isInside))
            }
            guard let first = parts.first else { return [] }
            let whole = parts.count == 1 ? first : try Geometry.collection(parts, context).unaryUnion()
            return try whole.rounded(to: 1).polygons().map { $0.map { $0.map(Self.place) } }
        } catch {
            // A shape that cannot be repaired is left out; it does not hide the others.
            guard case .failed = error else { throw error }
            return []
        }
    }

    private static func place(_ point: PlanePoint) -> TilePlace {
        TilePlace(Int32(point.x.rounded()), Int32(point.y.rounded()))
    }

    /// A valid geometry of what is within the border.
    private static func valid(
        _ rings: [[PlanePoint]], _ context: GEOSContext, isInside: Bool
    ) throws(GEOSError) -> Geometry {
        let holes = rings.dropFirst().filter { $0.count > 2 }
        let given = try Geometry.polygon(rings[0], holes: holes, context)
        let valid = try given.isValid() ? given : given.madeValid()
        if isInside { return valid }
        let (low, high) = (border.lowerBound, border.upperBound)
        let corners = [(low, low), (high, low), (high, high), (low, high)].map { PlanePoint(x: $0.0, y: $0.1) }
        return try valid.intersection(Geometry.polygon(corners, context))
    }
}
