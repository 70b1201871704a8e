public import BaseMap
import Caching
public import Cairo
import Foundation
public import Styling
import Text
public import TileArchive
import TileMath
import VectorTiles

/// A base map with streets, drawn from an archive of vector tiles. Where the archive has no tiles, and below zoom level 6,
/// the map of Natural Earth is drawn.
///
/// Tiles of the archive are decoded once for all tiles that show a part of them. Labels are placed for blocks of tiles
/// (`LabelBlock`), so that neighbouring tiles show the same ones.
public final class VectorMap: MapBackground {
    /// Natural Earth is as good below it.
    static let firstZoom = 6
    /// From this zoom level on a tile of 256 pixels shows a whole tile of the archive; before, a quarter of one, which is made
    /// for 512 pixels: streets are then shown a level earlier, as on other maps with tiles of 256 pixels.
    private static let denseZoom = 13
    /// The tiles of the archive that are drawn at once: an A0 poster has some 300, the ground of a scene any number up to the
    /// horizon. Of more, those of a higher zoom level are drawn.
    private static let tileLimit = 512
    /// Decoded tiles: some hundreds.
    private static let shapesByteLimit = 96 << 20
    private static let namesByteLimit = 24 << 20
    private static let labelsByteLimit = 32 << 20
    /// Decompressed tiles, which are read for shapes and for names.
    private static let readersByteLimit = 16 << 20

    private struct NamesKey: Hashable, Sendable {
        var tile: TileCoordinate
        var rule: NameRule
        var hasRoads: Bool
    }

    private struct LabelsKey: Hashable, Sendable {
        var block: LabelBlock
        var rule: NameRule
    }

    /// Something that was read, or nil where the archive has nothing.
    private struct Found<Content: Sendable>: Sendable {
        var content: Content?
        var byteCount: Int
    }

    public var hasStreets: Bool { true }
    public let identity: String
    private let archive: any TileArchiveReader
    private let about: ArchiveDescription
    private let schema: MapSchema
    private let natural: BaseMap
    private let damage: DamageReport
    /// The bounds of the archive, in parts of the world's width from 180° W and from the northern edge; nil if it has none.
    private let bounds: MapBox?
    private let readers = SharedCache<TileCoordinate, Found<VectorTileReader>>(costLimit: readersByteLimit)
    private let shapes = SharedCache<TileCoordinate, Found<MapTile>>(costLimit: shapesByteLimit)
    private let names = SharedCache<NamesKey, Found<MapNames>>(costLimit: namesByteLimit)
    private let texts = LaidOutTexts()
    private let labels = SharedCache<LabelsKey, [MapLabel]>(costLimit: labelsByteLimit)

    /// Increased when the pictures change.
    private static let version = 1

    /// nil if the archive has no vector tiles of a known schema. `stamp` tells versions of the archive apart; `report` is called
    /// once if the archive is damaged.
    public init?(
        _ archive: any TileArchiveReader, stamp: String, above natural: BaseMap = .embedded,
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        let about = archive.description
        guard about.format == .mvt else { return nil }
        guard let schema = MapSchema(layers: Set(about.layerNames)) else { return nil }
        (self.archive, self.about, self.schema, self.natural) = (archive, about, schema, natural)
        damage = DamageReport(report)
        bounds = about.bounds.flatMap(Self.worldBox)
        identity = "\(Self.version) \(stamp)"
    }

    /// Both schemas are made of its data; the licence demands that it is named.
    private static let openStreetMap =
        "© <a href=\"https://www.openstreetmap.org/copyright\">OpenStreetMap</a> contributors"

    public var attribution: String {
        [about.attribution ?? Self.openStreetMap, natural.attribution].joined(separator: ", ")
    }

    /// Draws a view with names in a language such as `de`, where the archive has them.
    public func draw(
        _ view: MapView, _ content: BaseMap.Content, theme: Theme, language: String?, on context: borrowing Context
    ) {
        let zoom = Int((view.zoom + 0.1).rounded(.down))
        guard let level = dataZoom(zoom) else {
            return natural.draw(view, content, theme: theme, on: context)
        }
        let box = MapBox(minX: 0, minY: 0, maxX: view.width, maxY: view.height)
        guard let visible = box.intersection(MapBox(context.clipExtents)) else { return }
        let placed = tiles(of: view, level, visible)
        let covered = placed.compactMap { coveredPart(of: $0, in: view) }
        let isWhole = covered.reduce(0) { $0 + ($1.intersection(visible)?.area ?? 0) } >= visible.area * 0.999_999
        if content != .names {
            if !isWhole { natural.draw(view, .land, theme: theme, on: context) }
            drawStreets(placed, within: covered, isWhole: isWhole, view, visible, theme, on: context)
        }
        if content != .land {
            if !isWhole {
                let rule = NameRule(language: language)
                natural.drawNames(view, theme: theme, on: context) { name, x, y in
                    // A town that the archive names, too, is at another place there. The answer depends on the place
                    // only, so that neighbouring tiles agree.
                    !isCovered(x, y, level) && !places(around: x, y, level, rule).contains { $0.text == name }
                }
            }
            drawLabels(view, zoom: zoom, visible, NameRule(language: language), theme, on: context)
        }
    }

    // MARK: Tiles of the archive

    /// The zoom level of the archive that is drawn at one of the map; nil if Natural Earth is drawn there.
    private func dataZoom(_ zoom: Int) -> Int? {
        guard zoom >= Self.firstZoom, zoom >= about.zooms.lowerBound else { return nil }
        let wanted = zoom >= Self.denseZoom ? zoom : zoom - 1
        return min(max(wanted, about.zooms.lowerBound), about.zooms.upperBound)
    }

    /// The squares of a world of `rowCount` rows that touch a rectangle. Columns may be in copies of the world.
    private func squares(_ box: MapBox, side: Double, rowCount: Int) -> [(column: Int, row: Int)] {
        let first = max(0, Int((box.minY / side).rounded(.down)))
        let end = min(rowCount, Int((box.maxY / side).rounded(.up)))
        // A view may be all north or south of the map.
        guard first < end else { return [] }
        let west = Int((box.minX / side).rounded(.down))
        let east = max(west + 1, Int((box.maxX / side).rounded(.up)))
        return (first..<end).flatMap { row in (west..<east).map { ($0, row) } }
    }

    /// A tile by its column, which may be in a copy of the world.
    private func coordinate(_ column: Int, _ row: Int, _ level: Int) -> TileCoordinate? {
        let side = 1 << level
        return ZoomLevel(level).flatMap { TileCoordinate(zoom: $0, x: ((column % side) + side) % side, y: row) }
    }

    /// The tiles of a zoom level in a view, or of a higher one if they were too many.
    private func tiles(of view: MapView, _ level: Int, _ visible: MapBox) -> [PlacedMapTile] {
        var (level, side) = (level, view.worldPixels / Double(1 << level))
        while level > about.zooms.lowerBound,
            (visible.width / side + 1) * (visible.height / side + 1) > Double(Self.tileLimit)
        {
            (level, side) = (level - 1, side * 2)
        }
        let world = visible.moved(x: view.originX, y: view.originY)
        return squares(world, side: side, rowCount: 1 << level).compactMap { column, row in
            guard let tile = coordinate(column, row, level), let shapes = shapes(of: tile) else { return nil }
            return PlacedMapTile(
                tile: shapes, x: Double(column) * side - view.originX, y: Double(row) * side - view.originY, side: side)
        }
    }

    private func shapes(of tile: TileCoordinate) -> MapTile? {
        shapes.value(for: tile, cost: { $0.byteCount }) { [self] in
            read(tile) { try MapTile($0, schema) }.map { Found(content: $0, byteCount: $0.byteCount) }
                ?? Found(content: nil, byteCount: 64)
        }.content
    }

    private func names(of tile: TileCoordinate, _ rule: NameRule, hasRoads: Bool) -> MapNames? {
        names.value(
            for: NamesKey(tile: tile, rule: rule, hasRoads: hasRoads), cost: { $0.byteCount }
        ) { [self] in
            read(tile) { try MapNames($0, schema, rule, hasRoads: hasRoads) }
                .map { Found(content: $0, byteCount: $0.byteCount) } ?? Found(content: nil, byteCount: 64)
        }.content
    }

    /// Reads a tile; nil if the archive has none, or a damaged one, which is reported once.
    private func read<Content>(_ tile: TileCoordinate, _ body: (VectorTileReader) throws -> Content) -> Content? {
        do {
            let reader = try readers.value(for: tile, cost: { $0.byteCount }) { [self] in
                guard let stored = try archive.tile(tile) else { return Found(content: nil, byteCount: 64) }
                let bytes = try stored.decompressed()
                return Found(content: try VectorTileReader(bytes), byteCount: bytes.count + 256)
            }
            return try reader.content.map(body)
        } catch {
            damage.make(error)
            return nil
        }
    }

    // MARK: Where the archive ends

    /// Bounds in parts of the world's width; nil if they are on both sides of 180°, which does not tell what is inside.
    private static func worldBox(_ bounds: BoundingBox) -> MapBox? {
        let first = WorldPoint(longitude: bounds.west, latitude: bounds.north)
        let last = WorldPoint(longitude: bounds.east, latitude: bounds.south)
        let side = Double(WorldPoint.side)
        let box = MapBox(
            minX: Double(first.x) / side, minY: Double(first.y) / side,
            maxX: bounds.east >= 180 ? 1 : Double(last.x) / side, maxY: Double(last.y) / side)
        return box.maxX > box.minX ? box : nil
    }

    /// The part of a rectangle within the bounds of the archive, in pixels of a world.
    private func inside(_ box: MapBox, worldPixels: Double) -> MapBox? {
        guard let bounds else { return box }
        // The bounds in the copy of the world in which the rectangle is.
        let turn = ((box.minX + box.maxX) / 2 / worldPixels).rounded(.down)
        return box.intersection(
            MapBox(
                minX: (bounds.minX + turn) * worldPixels, minY: bounds.minY * worldPixels,
                maxX: (bounds.maxX + turn) * worldPixels, maxY: bounds.maxY * worldPixels))
    }

    private func isInside(_ point: MapPoint, worldPixels: Double) -> Bool {
        guard let bounds else { return true }
        let x = point.x / worldPixels
        return bounds.contains(MapPoint(x: x - x.rounded(.down), y: point.y / worldPixels))
    }

    /// The part of a tile within the bounds of the archive, in pixels of the view.
    private func coveredPart(of placed: PlacedMapTile, in view: MapView) -> MapBox? {
        inside(placed.box.moved(x: view.originX, y: view.originY), worldPixels: view.worldPixels)?
            .moved(x: -view.originX, y: -view.originY)
    }

    /// Whether the archive is drawn at a place, in parts of the world's width.
    private func isCovered(_ x: Double, _ y: Double, _ level: Int) -> Bool {
        guard isInside(MapPoint(x: x, y: y), worldPixels: 1) else { return false }
        return tile(around: x, y, level).flatMap { shapes(of: $0) } != nil
    }

    /// The tile of a zoom level at a place, in parts of the world's width.
    private func tile(around x: Double, _ y: Double, _ level: Int) -> TileCoordinate? {
        let side = Double(1 << level)
        return coordinate(Int((x * side).rounded(.down)), Int((y * side).rounded(.down)), level)
    }

    /// The names of places of the archive in the tile at a place and in those around it.
    private func places(around x: Double, _ y: Double, _ level: Int, _ rule: NameRule) -> [PlaceName] {
        guard let middle = tile(around: x, y, level) else { return [] }
        return (-1...1).flatMap { dx in
            (-1...1).flatMap { dy in
                middle.neighbour(dx: dx, dy: dy).flatMap { names(of: $0, rule, hasRoads: false) }?.places ?? []
            }
        }
    }

    private func drawStreets(
        _ placed: [PlacedMapTile], within covered: [MapBox], isWhole: Bool, _ view: MapView, _ visible: MapBox,
        _ theme: Theme, on context: borrowing Context
    ) {
        guard !covered.isEmpty else { return }
        let colors = MapColors(theme)
        let drawing = StreetDrawing(
            tiles: placed, visible: visible, zoom: view.zoom, scale: view.scale, colors: colors)
        func add() {
            for box in covered {
                context.rectangle(x: box.minX, y: box.minY, width: box.maxX - box.minX, height: box.maxY - box.minY)
            }
        }
        add()
        context.setSource(colors.base.land)
        context.fill()
        guard !isWhole else { return drawing.draw(on: context) }
        add()
        context.withClipToPath { drawing.draw(on: context) }
    }

    // MARK: Labels

    private func sideBits(_ zoom: Int) -> Int {
        // Few tiles of the archive are read for a block: four at most.
        zoom >= Self.denseZoom && zoom <= about.zooms.upperBound ? 1 : 2
    }

    private func drawLabels(
        _ view: MapView, zoom: Int, _ visible: MapBox, _ rule: NameRule, _ theme: Theme, on context: borrowing Context
    ) {
        let worldPixels = LabelBlock.tilePixels * Double(1 << zoom)
        // Pixels of the view in one of the zoom level.
        let factor = view.worldPixels / worldPixels
        let window = MapBox(
            minX: (visible.minX + view.originX) / factor, minY: (visible.minY + view.originY) / factor,
            maxX: (visible.maxX + view.originX) / factor, maxY: (visible.maxY + view.originY) / factor)
        let bits = sideBits(zoom)
        var drawn: Set<MapLabel.Identity> = []
        let drawing = LabelDrawing(colors: MapColors(theme), scale: view.scale)
        let blockSide = LabelBlock.tilePixels * Double(1 << bits)
        for (column, row) in squares(window, side: blockSide, rowCount: 1 << (zoom - bits)) {
            let block = LabelBlock(zoom: zoom, column: column, row: row, sideBits: bits)
            for label in labels(of: block, rule) where label.box.intersects(window) {
                // A name that touches two blocks is in both.
                guard drawn.insert(label.identity).inserted else { continue }
                drawing.draw(
                    label, x: label.anchor.x * factor - view.originX, y: label.anchor.y * factor - view.originY,
                    on: context)
            }
        }
    }

    func labels(of block: LabelBlock, _ rule: NameRule) -> [MapLabel] {
        let found = try? labels.value(
            for: LabelsKey(block: block, rule: rule),
            cost: { $0.reduce(256) { $0 + 200 + $1.outline.byteCount } }
        ) { [self] in try LabelPlacement.labels(of: block, candidates(block, rule), texts) }
        return found ?? []
    }

    private func candidates(_ block: LabelBlock, _ rule: NameRule) -> LabelCandidates {
        var found = LabelCandidates()
        guard let level = dataZoom(block.zoom) else { return found }
        let side = LabelBlock.tilePixels * exp2(Double(block.zoom - level))
        let (core, outer) = (block.core, block.outer)
        let worldPixels = LabelBlock.tilePixels * Double(1 << block.zoom)
        for (column, row) in squares(outer, side: side, rowCount: 1 << level) {
            guard let tile = coordinate(column, row, level) else { continue }
            let box = MapBox(
                minX: Double(column) * side, minY: Double(row) * side, maxX: Double(column + 1) * side,
                maxY: Double(row + 1) * side)
            let isCore = box.intersects(core)
            guard let names = names(of: tile, rule, hasRoads: isCore) else { continue }
            for place in names.places {
                let point = MapPoint(x: box.minX + place.x * side, y: box.minY + place.y * side)
                guard outer.contains(point), isInside(point, worldPixels: worldPixels) else { continue }
                found.places.append((place, point))
            }
            guard isCore, let inside = box.intersection(core).flatMap({ inside($0, worldPixels: worldPixels) }) else {
                continue
            }
            for road in names.roads {
                let line = road.line.map { MapPoint(x: box.minX + $0.x * side, y: box.minY + $0.y * side) }
                for part in inside.clipped(line) { found.roads.append((road, part)) }
            }
        }
        return found
    }
}
