import BaseMap
import Foundation
import PNG
import Scene
import SceneRendering
import Styling
import TileDrawing
import TileMath

/// The map below a scene: land and water, and the heat of all tracks.
struct SceneGround {
    let renderer: TileRenderer
    let theme: Theme

    /// A scene that is seen from near the ground reaches far: more tiles than these are drawn at a coarser zoom level.
    private static let tileLimit = 80
    /// The heat is only the ground of the track.
    private static let heatAlpha = 0.55

    /// The tiles of the heat. Throws `CancellationError` if nobody waits any more.
    func pictures(of scene: Scene, isCancelled: () -> Bool) throws -> [GroundPicture] {
        let box = Self.box(of: scene)
        var pictures: [GroundPicture] = []
        for tile in tiles(box, scene) {
            if isCancelled() { throw CancellationError() }
            var request = TileRequest(tile: tile)
            request.theme = theme
            let picture = try renderer.picture(request)
            guard !picture.isEmpty else { continue }
            let side = WorldPoint.side >> Int64(tile.zoom.number)
            pictures.append(
                GroundPicture(
                    try PNGReader.image(of: picture.bytes),
                    at: WorldPoint(x: Int64(tile.x) * side, y: Int64(tile.y) * side),
                    unitsPerPixel: Double(side) / Double(TileCoordinate.cellsPerSide), alpha: Self.heatAlpha))
        }
        return pictures
    }

    private typealias Box = (west: Double, north: Double, east: Double, south: Double)

    /// The part of the ground that the picture can show.
    private static func box(of scene: Scene) -> Box {
        scene.projection.groundBox(width: Double(scene.view.width), height: Double(scene.view.height))
    }

    /// Land and water; nil if the picture shows more than the world.
    func map(of scene: Scene) -> GroundMap? {
        let projection = scene.projection
        let box = Self.box(of: scene)
        let (width, height) = (box.east - box.west, box.south - box.north)
        guard width < Double(WorldPoint.side), height < Double(WorldPoint.side) else { return nil }
        let pixels = projection.scale
        let corner = WorldPoint(
            x: projection.centre.x + Int64(box.west), y: projection.centre.y + Int64(box.north))
        let view = MapView(
            worldPixels: Double(WorldPoint.side) * pixels, originX: Double(corner.x) * pixels,
            originY: Double(corner.y) * pixels, width: max(1, (width * pixels).rounded(.up)),
            height: max(1, (height * pixels).rounded(.up)), scale: 1)
        return GroundMap(view, at: corner, unitsPerPixel: 1 / pixels, background: renderer.baseMap)
    }

    /// The tiles that the picture shows, of the zoom level whose pixels are about those of the scene.
    private func tiles(_ box: Box, _ scene: Scene) -> [TileCoordinate] {
        let projection = scene.projection
        let wanted = log2(projection.scale * Double(WorldPoint.side) / Double(TileCoordinate.cellsPerSide))
        var number = min(max(0, Int(wanted.rounded())), ZoomLevel.deepest.number)
        while true {
            let found = tiles(box, scene, zoom: number)
            if found.count <= Self.tileLimit || number == 0 { return found }
            number -= 1
        }
    }

    private func tiles(_ box: Box, _ scene: Scene, zoom number: Int) -> [TileCoordinate] {
        guard let zoom = ZoomLevel(number) else { return [] }
        let projection = scene.projection
        let side = Double(WorldPoint.side >> Int64(number))
        let (x, y) = (Double(projection.centre.x), Double(projection.centre.y))
        let columns = Int(((x + box.west) / side).rounded(.down))...Int(((x + box.east) / side).rounded(.down))
        let rows = Int(((y + box.north) / side).rounded(.down))...Int(((y + box.south) / side).rounded(.down))
        // More than the limit in any case: there is no need to look at each.
        guard columns.count * rows.count <= 16 * Self.tileLimit else {
            return number == 0 ? [] : Array(repeating: TileCoordinate(northWestOf: zoom), count: Self.tileLimit + 1)
        }
        return rows.flatMap { row in
            columns.compactMap { column -> TileCoordinate? in
                let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map { corner in
                    projection.pixel(
                        WorldPoint(
                            x: Int64(Double(column + corner.0) * side), y: Int64(Double(row + corner.1) * side)))
                }
                let (xs, ys) = (corners.map(\.x), corners.map(\.y))
                guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(), right > 0,
                    bottom > 0, left < Double(scene.view.width), top < Double(scene.view.height)
                else { return nil }
                return TileCoordinate(zoom: zoom, x: column & (zoom.tilesPerSide - 1), y: row)
            }
        }
    }
}
