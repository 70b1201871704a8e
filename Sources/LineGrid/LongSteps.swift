public import TileMath

/// The long steps near a tile, as stored in the log of one of its ancestors (`TileKey.packedLongSteps`).
///
/// The log consists of `LineRuns` in quarter pixels of zoom level 16 from the ancestor's north-western corner. Its runs
/// are the steps near the ancestor that are drawn with other lines down to its zoom level.
///
/// If each tile stored the long steps near it, the size would grow with kilometres instead of points: 40 lines between
/// airports took 713 MB.
public struct LongSteps: Sendable {
    /// The ancestor.
    private let holder: TileKey
    private let stored: TileLines

    private static let side = Int64(TileLines.unitsPerSide)
    private static let margin = Int64(TileLines.unitsPerPixel * TileLines.marginPixels)

    /// Creates the steps of a tile from its fully decoded log.
    public init(_ stored: TileLines, of holder: TileKey) {
        self.stored = stored
        self.holder = holder
    }

    /// Whether there are no steps.
    public var isEmpty: Bool { stored.isEmpty }

    /// The steps near a deeper tile, in that tile's coordinates.
    public func lines(near tile: TileKey) -> TileLines {
        var lines = TileLines()
        let relative = RelativeTile(tile, in: holder)
        for fragment in stored.fragments {
            let before = lines.runs.count
            for run in stored.runs[fragment.runs] { relative.append(run, of: stored, to: &lines) }
            guard lines.runs.count > before else { continue }
            lines.fragments.append(
                TileLines.Fragment(track: fragment.track, day: fragment.day, runs: before..<lines.runs.count))
        }
        return lines
    }

    /// The track and day of each fragment with a step near a deeper tile.
    public func fragments(near tile: TileKey) -> [(track: Int64, day: Int32)] {
        let relative = RelativeTile(tile, in: holder)
        return stored.fragments.filter { fragment in
            fragment.runs.contains { run in
                stored.runs[run].dropLast().contains { relative.meets(stored, $0) }
            }
        }.map { ($0.track, $0.day) }
    }

    /// Whether a step is near a deeper tile.
    public func areNear(_ tile: TileKey) -> Bool {
        let relative = RelativeTile(tile, in: holder)
        return stored.runs.contains { run in run.dropLast().contains { relative.meets(stored, $0) } }
    }

    /// The tiles of a deeper zoom level, within the ancestor, that have a step near them: ascending positions on the
    /// Morton curve. The cost depends on the number of these tiles and of the steps near each.
    public func tiles(zoom: ZoomLevel) -> [UInt64] {
        var found: [UInt64] = []
        let steps = stored.runs.flatMap { Array($0.dropLast()) }
        if zoom.number > holder.zoom { find(zoom.number, below: holder, steps, &found) }
        return found
    }

    private func find(_ zoom: Int, below tile: TileKey, _ steps: [Int], _ found: inout [UInt64]) {
        for child in 0..<UInt64(4) {
            let key = TileKey(zoom: tile.zoom + 1, morton: tile.morton << 2 | child)
            let isDeepest = key.zoom == zoom
            // Rounding at a deeper level may move a step nearer by less than a unit.
            let relative = RelativeTile(key, in: holder, tolerance: isDeepest ? 0 : 2)
            if isDeepest {
                if steps.contains(where: { relative.meets(stored, $0) }) { found.append(key.morton) }
                continue
            }
            let near = steps.filter { relative.meets(stored, $0) }
            if !near.isEmpty { find(zoom, below: key, near, &found) }
        }
    }

    /// A tile in coordinates relative to the ancestor.
    private struct RelativeTile {
        private let shift: Int32
        private let west: Int64
        private let north: Int64
        private let margin: Int64

        init(_ tile: TileKey, in holder: TileKey, tolerance: Int64 = 0) {
            let depth = UInt64(tile.zoom - holder.zoom)
            let within = tile.morton & (1 << (2 * depth) - 1)
            shift = Int32(16 - tile.zoom)
            west = Int64(Morton.x(of: within)) * side
            north = Int64(Morton.y(of: within)) * side
            margin = LongSteps.margin + tolerance
        }

        /// A vertex in the tile's own coordinates.
        private func vertex(_ lines: TileLines, _ index: Int) -> (x: Int64, y: Int64) {
            let half: Int64 = shift == 0 ? 0 : 1 << Int64(shift - 1)
            return (
                (Int64(lines.xs[index]) + half) >> Int64(shift) - west,
                (Int64(lines.ys[index]) + half) >> Int64(shift) - north
            )
        }

        /// Whether the step from a vertex to the next meets the tile's widened box.
        func meets(_ lines: TileLines, _ index: Int) -> Bool {
            let (start, end) = (vertex(lines, index), vertex(lines, index + 1))
            guard max(start.x, end.x) >= -margin, min(start.x, end.x) <= side + margin,
                max(start.y, end.y) >= -margin, min(start.y, end.y) <= side + margin
            else { return false }
            let (dx, dy) = (end.x - start.x, end.y - start.y)
            // As in `LineTiler`: the line function at the centre is no farther from 0 than the maximum for a corner of
            // the box.
            return abs(dx * (side / 2 - start.y) - dy * (side / 2 - start.x)) <= (side / 2 + margin)
                * (abs(dx) + abs(dy))
        }

        /// Appends the steps of a run that are near the tile, with their uncut ends; consecutive steps become one run.
        func append(_ run: Range<Int>, of stored: TileLines, to lines: inout TileLines) {
            var isOpen = false
            for index in run.dropLast() {
                guard meets(stored, index) else {
                    isOpen = false
                    continue
                }
                if !isOpen {
                    lines.runs.append(lines.xs.count..<lines.xs.count)
                    append(index, of: stored, isFirst: true, to: &lines)
                    isOpen = true
                }
                append(index + 1, of: stored, isFirst: false, to: &lines)
            }
        }

        private func append(_ index: Int, of stored: TileLines, isFirst: Bool, to lines: inout TileLines) {
            let (x, y) = vertex(stored, index)
            lines.xs.append(Int32(clamping: x))
            lines.ys.append(Int32(clamping: y))
            lines.speeds.append(isFirst ? 0 : stored.speeds[index])
            lines.elevations.append(stored.elevations[index])
            let run = lines.runs.count - 1
            lines.runs[run] = lines.runs[run].lowerBound..<lines.xs.count
        }
    }
}

extension TileLines {
    /// Adds other lines in the same units; lines of a track's day are added to the existing fragment of that day.
    public mutating func merge(_ other: TileLines) {
        guard !other.isEmpty else { return }
        struct Key: Hashable {
            var track: Int64
            var day: Int32
        }
        var added: [Key: [Range<Int>]] = [:]
        for fragment in other.fragments {
            added[Key(track: fragment.track, day: fragment.day), default: []] += other.runs[fragment.runs].map {
                $0.lowerBound + xs.count..<$0.upperBound + xs.count
            }
        }
        var (newFragments, newRuns) = ([Fragment](), [Range<Int>]())
        func append(_ fragment: Fragment, _ own: [Range<Int>]) {
            // A track's day may occur in several fragments; the first one receives everything that is added to it.
            let all = own + (added.removeValue(forKey: Key(track: fragment.track, day: fragment.day)) ?? [])
            guard !all.isEmpty else { return }
            newFragments.append(
                Fragment(track: fragment.track, day: fragment.day, runs: newRuns.count..<newRuns.count + all.count))
            newRuns += all
        }
        for fragment in fragments { append(fragment, Array(runs[fragment.runs])) }
        for fragment in other.fragments { append(fragment, []) }
        (fragments, runs) = (newFragments, newRuns)
        xs += other.xs
        ys += other.ys
        speeds += other.speeds
        elevations += other.elevations
    }
}
