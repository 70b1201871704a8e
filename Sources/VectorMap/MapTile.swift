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
    private(set) var areas: [AreaKind: MapShapes] = [:]
    private(set) var lines: [LineSymbol: MapShapes] = [:]

    init(_ tile: VectorTileReader, _ schema: MapSchema) throws(VectorTileError) {
        var shape = VectorShape()
        for name in schema.areaLayers {
            guard let layer = try tile.layer(name) else { continue }
            var attributes = MapAttributes(layer)
            for feature in layer.features where feature.kind == .polygons {
                attributes.read(feature)
                guard let kind = schema.area(attributes) else { continue }
                layer.read(feature, into: &shape)
                Self.add(shape, least: 3, layer.extent, to: &areas[kind, default: MapShapes()])
            }
        }
        for name in schema.lineLayers {
            guard let layer = try tile.layer(name) else { continue }
            var attributes = MapAttributes(layer)
            for feature in layer.features where feature.kind == .lines {
                attributes.read(feature)
                guard let symbol = schema.line(attributes) else { continue }
                layer.read(feature, into: &shape)
                Self.add(shape, least: 2, layer.extent, to: &lines[symbol, default: MapShapes()])
            }
        }
    }

    private static func add(_ shape: VectorShape, least: Int, _ extent: Int, to shapes: inout MapShapes) {
        for index in 0..<shape.partCount where shape.part(index).count >= least {
            shapes.add(shape.places[shape.part(index)], extent: extent)
        }
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
