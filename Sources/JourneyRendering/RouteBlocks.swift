import Foundation
import Journeys
import TileMath

/// The line of a route in blocks of corners with their bounds, so that only what is near a tile is looked at.
struct RouteBlocks: Sendable {
    /// Corners of a block; its last one is the first of the next. The ends of blocks are always drawn, so that neighbouring
    /// tiles draw the same: where blocks are smaller than these pixels of the picture, larger ones are used.
    private static let sizes = [64, 512, 4096, 32_768]
    private static let smallest = 16.0
    /// A line without some of its corners is as near to the whole one as this part of a pixel of the picture.
    private static let thinning = 0.2

    private struct Block {
        /// Positions in `corners`.
        let first: Int
        let last: Int
        let west: Double
        let east: Double
        let north: Double
        let south: Double

        init(_ corners: [(x: Double, y: Double)], from first: Int, to last: Int) {
            var (west, east, north, south) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
            for corner in corners[first...last] {
                (west, east) = (min(west, corner.x), max(east, corner.x))
                (north, south) = (min(north, corner.y), max(south, corner.y))
            }
            (self.first, self.last) = (first, last)
            (self.west, self.east, self.north, self.south) = (west, east, north, south)
        }
    }

    private let corners: [(x: Double, y: Double)]
    private let metres: [Double]
    /// See `LineThinning.tolerances`.
    private let tolerances: [Double]
    /// By size, with their mean extent.
    private let levels: [(blocks: [Block], extent: Double)]

    init(_ measure: RouteMeasure) {
        corners = measure.corners
        metres = measure.cornerMetres
        tolerances = LineThinning.tolerances(corners)
        let corners = corners
        levels = Self.sizes.filter { $0 == Self.sizes[0] || $0 < corners.count }.map { size in
            let blocks = stride(from: 0, to: max(1, corners.count - 1), by: size).map { first in
                Block(corners, from: first, to: min(first + size, corners.count - 1))
            }
            let extents = blocks.reduce(0) { $0 + max($1.east - $1.west, $1.south - $1.north) }
            return (blocks, extents / Double(blocks.count))
        }
    }

    private func blocks(in view: JourneyView) -> [Block] {
        let least = Self.smallest / view.pixelsPerUnit
        let level = levels.first { $0.extent >= least } ?? levels[levels.count - 1]
        return level.blocks
    }

    /// The parts of the line near a view, widened by pixels of the picture. The world repeats to the east and west.
    func lines(in view: JourneyView, margin: Double, colors: LitStretches) -> DrawnLines {
        let side = Double(WorldPoint.side)
        let unit = view.pixelsPerUnit
        let west = (view.originX - margin) / unit
        let east = (view.originX + Double(view.width) + margin) / unit
        let north = (view.originY - margin) / unit
        let south = (view.originY + Double(view.height) + margin) / unit
        var pen = LinePen(view, margin: margin, colors)
        let limit = Self.thinning / unit
        var last: (block: Int, turn: Double)?
        for (index, block) in blocks(in: view).enumerated() where block.north <= south && north <= block.south {
            // The copies of the world in which the block is near: mostly none or one.
            let first = ((west - block.east) / side).rounded(.up)
            let final = ((east - block.west) / side).rounded(.down)
            guard first <= final else { continue }
            for turn in stride(from: first, through: final, by: 1) {
                if last?.block != index - 1 || last?.turn != turn { pen.lift() }
                draw(block, moved: turn * side, limit: limit, with: &pen, view)
                last = (index, turn)
            }
        }
        return pen.finish()
    }

    /// How much of the line is in a box of the world, in its units. Costs what is near the box.
    func length(in box: DrawnBox) -> Double {
        var sum = 0.0
        for block in levels[0].blocks
        where block.west <= box.right && box.left <= block.east && block.north <= box.bottom && box.top <= block.south {
            guard block.last > block.first else { continue }
            for index in block.first..<block.last {
                let (from, to) = (corners[index], corners[index + 1])
                let (start, end) = (DrawnPoint(x: from.x, y: from.y), DrawnPoint(x: to.x, y: to.y))
                guard let part = box.part(from: start, to: end) else { continue }
                sum += (part.to - part.from) * hypot(to.x - from.x, to.y - from.y)
            }
        }
        return sum
    }

    private func draw(
        _ block: Block, moved: Double, limit: Double, with pen: inout LinePen, _ view: JourneyView
    ) {
        func add(_ index: Int) {
            pen.add(view.pixel(x: corners[index].x + moved, y: corners[index].y), metres: metres[index])
        }
        var kept = block.first
        add(kept)
        guard block.last > block.first else { return }
        for index in block.first + 1...block.last {
            guard index == block.last || tolerances[index] >= limit * limit else { continue }
            // Where a colour ends, the way is followed: metres are counted between corners that follow each other.
            if kept + 1 < index, pen.changesColor(from: metres[kept], to: metres[index]) {
                for corner in kept + 1..<index { add(corner) }
            }
            add(index)
            kept = index
        }
    }
}
