import TileLog

/// The vertices of polylines at quarter pixels of zoom level 16, with their attributes.
struct LineVertices: Sendable {
    /// Quarter pixels of zoom level 16, eastwards from 180° W; not wrapped if a line crosses 180°.
    var xs: [Int32] = []
    /// Quarter pixels of zoom level 16, southwards from the northern map edge.
    var ys: [Int32] = []
    /// Milliseconds since 1970, or `PointColumns.untimed`.
    var times: [Int64] = []
    /// Metres along the recorded track; the zero point differs between polylines.
    var metres: [Double] = []
    /// Metres above sea level, or `DayStep.noElevation`.
    var elevations: [Int16] = []
    /// The deepest zoom level at which the line that leads to a vertex is stored with the other lines
    /// (`StepDetail.deepestZoomOfLines`); deeper tiles read it from the long steps of that level.
    var deepestZooms: [UInt8] = []

    var count: Int { xs.count }

    mutating func removeAll() {
        xs.removeAll(keepingCapacity: true)
        ys.removeAll(keepingCapacity: true)
        times.removeAll(keepingCapacity: true)
        metres.removeAll(keepingCapacity: true)
        elevations.removeAll(keepingCapacity: true)
        deepestZooms.removeAll(keepingCapacity: true)
    }
}

/// A polyline among `LineVertices`.
struct LineRun: Sendable {
    /// The day of the polyline.
    var day: Int32
    /// The indices of its vertices.
    var vertices: Range<Int>
    /// Whether a vertex has an elevation.
    var hasElevations = false
    /// The deepest zoom levels at which its long steps are drawn, one bit per level; 0 for nearly all polylines.
    var longStepZooms: UInt32 = 0

    /// The attributes stored for each vertex besides its place. Untimed polylines have no speeds.
    var flags: UInt64 {
        (day == FragmentOrder.untimedDay ? 0 : LineRuns.speedFlag) | (hasElevations ? LineRuns.elevationFlag : 0)
    }
}

/// The polylines of a day at one zoom level, in quarter pixels of that level.
struct ZoomLevelLines: Sendable {
    private(set) var xs: [Int32] = []
    private(set) var ys: [Int32] = []
    private(set) var speeds: [UInt8] = []
    private(set) var elevations: [Int16] = []
    /// The polylines: their vertices and flags. A polyline without its long steps may become several runs, or none.
    private(set) var runs: [(vertices: Range<Int>, flags: UInt64)] = []

    /// The vertices that the last (deeper) zoom level kept, and their number per polyline.
    private var kept: [Int32] = []
    private var keptCounts: [Int] = []
    private var speedTable = SpeedSteps()

    /// Starts with the polylines of a day. Then call `show` for each zoom level, the deepest first.
    mutating func begin(_ polylines: ArraySlice<LineRun>) {
        kept.removeAll(keepingCapacity: true)
        keptCounts.removeAll(keepingCapacity: true)
        for polyline in polylines {
            for index in polyline.vertices { kept.append(Int32(truncatingIfNeeded: index)) }
            keptCounts.append(polyline.vertices.count)
        }
    }

    /// Sets the content to the polylines at a zoom level: the vertices of this level or coarser ones, rounded, without
    /// the steps that are too long for this level.
    mutating func show(
        _ polylines: ArraySlice<LineRun>, of vertices: LineVertices, levels: [UInt8], zoom: Int
    ) {
        removeAll()
        var read = 0
        var written = 0
        for (number, polyline) in polylines.enumerated() {
            let end = read + keptCounts[number]
            let start = written
            written = show(polyline, kept: read..<end, from: start, of: vertices, levels: levels, zoom: zoom)
            read = end
            keptCounts[number] = written - start
        }
        kept.removeSubrange(written...)
    }

    /// Sets the content to the steps of the polylines whose deepest zoom level is `zoom`, rounded to quarter pixels of
    /// `level`.
    mutating func showLongSteps(
        _ polylines: ArraySlice<LineRun>, of vertices: LineVertices, drawnDownTo zoom: Int, roundedAt level: Int
    ) {
        removeAll()
        for polyline in polylines where polyline.longStepZooms & 1 << UInt32(zoom) != 0 {
            var first = xs.count
            var last = -1
            for index in polyline.vertices.dropFirst() where vertices.deepestZooms[index] == UInt8(zoom) {
                if last != index - 1 {
                    endRun(from: first, polyline)
                    first = xs.count
                    append(vertices, index - 1, from: -1, polyline, shift: Int32(16 - level))
                }
                append(vertices, index, from: index - 1, polyline, shift: Int32(16 - level))
                last = index
            }
            endRun(from: first, polyline)
        }
    }

    private mutating func removeAll() {
        xs.removeAll(keepingCapacity: true)
        ys.removeAll(keepingCapacity: true)
        speeds.removeAll(keepingCapacity: true)
        elevations.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
    }

    /// Adds one polyline and moves the indices of its kept vertices to `kept[target...]`; returns the end of these.
    private mutating func show(
        _ polyline: LineRun, kept range: Range<Int>, from target: Int, of vertices: LineVertices, levels: [UInt8],
        zoom: Int
    ) -> Int {
        let shift = Int32(16 - zoom)
        let half: Int32 = shift == 0 ? 0 : 1 << (shift - 1)
        let (sourceXs, sourceYs, levels) = (vertices.xs.span, vertices.ys.span, levels.span)
        let hasLongSteps = polyline.longStepZooms & (1 << UInt32(zoom) - 1) != 0
        var first = xs.count
        var written = target
        var last = -1
        var (lastX, lastY) = (Int32(0), Int32(0))
        for position in range {
            let index = Int(kept[position])
            guard levels[index] <= UInt8(zoom) else { continue }
            kept[written] = Int32(truncatingIfNeeded: index)
            written &+= 1
            // To the nearest quarter pixel: without `half`, all lines would move to the north-west, at each level
            // farther.
            let x = (sourceXs[index] &+ half) >> shift
            let y = (sourceYs[index] &+ half) >> shift
            if hasLongSteps, vertices.deepestZooms[index] < UInt8(zoom) {
                endRun(from: first, polyline, isCut: true)
                first = xs.count
                last = -1
            }
            // Vertices that fall on one quarter pixel are one: they would draw nothing.
            if last >= 0, x == lastX, y == lastY { continue }
            append(vertices, index, x, y, from: last, polyline)
            (last, lastX, lastY) = (index, x, y)
        }
        endRun(from: first, polyline, isCut: hasLongSteps)
        return written
    }

    /// Ends a run that began at index `first`. A lone vertex at the end of long steps is removed, because it is drawn
    /// with these.
    private mutating func endRun(from first: Int, _ polyline: LineRun, isCut: Bool = false) {
        if isCut, xs.count == first + 1 {
            xs.removeLast()
            ys.removeLast()
            speeds.removeLast()
            if elevations.count > first { elevations.removeLast() }
        }
        if xs.count > first { runs.append((first..<xs.count, polyline.flags)) }
    }

    private mutating func append(
        _ vertices: LineVertices, _ index: Int, from last: Int, _ polyline: LineRun, shift: Int32
    ) {
        let half: Int32 = shift == 0 ? 0 : 1 << (shift - 1)
        append(
            vertices, index, (vertices.xs[index] &+ half) >> shift, (vertices.ys[index] &+ half) >> shift, from: last,
            polyline)
    }

    /// Appends a vertex; `last` is the vertex before it on the line, or −1 at the start of a run.
    @inline(__always)
    private mutating func append(
        _ vertices: LineVertices, _ index: Int, _ x: Int32, _ y: Int32, from last: Int, _ polyline: LineRun
    ) {
        xs.append(x)
        ys.append(y)
        speeds.append(last < 0 ? 0 : speedCode(vertices, from: last, to: index))
        if polyline.hasElevations || !elevations.isEmpty { fillElevations(upTo: xs.count - 1, vertices, index) }
    }

    private mutating func fillElevations(upTo count: Int, _ vertices: LineVertices, _ index: Int) {
        if elevations.count < count {
            elevations.append(contentsOf: repeatElement(DayStep.noElevation, count: count - elevations.count))
        }
        elevations.append(vertices.elevations[index])
    }

    /// The speed between two vertices: the recorded distance divided by the time it took.
    private func speedCode(_ vertices: LineVertices, from start: Int, to end: Int) -> UInt8 {
        let (first, last) = (vertices.times[start], vertices.times[end])
        guard first != last, first != .min, last != .min else { return 0 }
        let seconds = abs(Double(last) - Double(first)) / 1000
        return speedTable.code(metresPerSecond: (vertices.metres[end] - vertices.metres[start]) / seconds)
    }
}
