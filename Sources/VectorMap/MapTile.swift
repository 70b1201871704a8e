import VectorTiles

/// Parts of shapes of one symbol, in parts of a tile's side from its north-western corner.
struct MapShapes: Sendable {
    struct Part: Sendable {
        /// The positions of its places in `xs` and `ys`.
        var places: Range<Int>
        var minX: Float
        var minY: Float
        var maxX: Float
        var maxY: Float
    }

    private(set) var xs: [Float] = []
    private(set) var ys: [Float] = []
    private(set) var parts: [Part] = []

    var byteCount: Int { 8 * xs.count + MemoryLayout<Part>.stride * parts.count }

    mutating func add(_ places: ArraySlice<TilePlace>, extent: Int) {
        guard let first = places.first else { return }
        let unit = 1 / Float(extent)
        let start = xs.count
        var box = (minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
        for place in places {
            xs.append(Float(place.x) * unit)
            ys.append(Float(place.y) * unit)
            box = (
                min(box.minX, place.x), min(box.minY, place.y), max(box.maxX, place.x), max(box.maxY, place.y)
            )
        }
        parts.append(
            Part(
                places: start..<xs.count, minX: Float(box.minX) * unit, minY: Float(box.minY) * unit,
                maxX: Float(box.maxX) * unit, maxY: Float(box.maxY) * unit))
    }
}

/// The areas and lines of a tile of an archive, by symbol.
struct MapTile: Sendable {
    let areas: [AreaKind: MapShapes]
    let lines: [LineSymbol: MapShapes]

    init(_ tile: VectorTileReader, _ schema: MapSchema) throws(VectorTileError) {
        areas = try Self.shapes(of: .polygons, least: 3, in: schema.areaLayers, of: tile, symbol: schema.area)
        lines = try Self.shapes(of: .lines, least: 2, in: schema.lineLayers, of: tile, symbol: schema.line)
    }

    /// The shapes of the features that have a symbol; parts with fewer than `least` places are left out.
    private static func shapes<Symbol: Hashable>(
        of kind: VectorGeometry.Kind, least: Int, in layers: [String], of tile: VectorTileReader,
        symbol: (MapAttributes) -> Symbol?
    ) throws(VectorTileError) -> [Symbol: MapShapes] {
        var found: [Symbol: MapShapes] = [:]
        var shape = VectorShape()
        for name in layers {
            guard let layer = try tile.layer(name) else { continue }
            var attributes = MapAttributes(layer)
            for feature in layer.features where feature.kind == kind {
                attributes.read(feature)
                guard let symbol = symbol(attributes) else { continue }
                layer.read(feature, into: &shape)
                for index in 0..<shape.partCount where shape.part(index).count >= least {
                    found[symbol, default: MapShapes()].add(shape.places[shape.part(index)], extent: layer.extent)
                }
            }
        }
        return found
    }

    /// The memory that it takes.
    var byteCount: Int {
        areas.values.reduce(0) { $0 + $1.byteCount } + lines.values.reduce(0) { $0 + $1.byteCount } + 256
    }
}

extension MapSchema {
    func area(_ attributes: MapAttributes) -> AreaKind? {
        switch self {
        case .openMapTiles: OpenMapTilesSymbols.area(attributes)
        case .protomaps: ProtomapsSymbols.area(attributes)
        }
    }

    func line(_ attributes: MapAttributes) -> LineSymbol? {
        switch self {
        case .openMapTiles: OpenMapTilesSymbols.line(attributes)
        case .protomaps: ProtomapsSymbols.line(attributes)
        }
    }

    func name(_ attributes: MapAttributes) -> NameKind? {
        switch self {
        case .openMapTiles: OpenMapTilesSymbols.name(attributes)
        case .protomaps: ProtomapsSymbols.name(attributes)
        }
    }

    /// The road of a feature with a name.
    func namedRoad(_ attributes: MapAttributes) -> LineKind? {
        switch self {
        case .openMapTiles: OpenMapTilesSymbols.road(attributes.text(.class) ?? "", attributes.text(.subclass))
        case .protomaps: ProtomapsSymbols.road(attributes)
        }
    }
}
