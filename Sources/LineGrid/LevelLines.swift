import TileLog

/// The vertices of some polylines at quarter pixels of zoom level 16, with what belongs to them.
struct LineVertices: Sendable {
    /// Quarter pixels of zoom level 16 from 180° W eastwards, on through the next turn where a line crosses 180°.
    var xs: [Int32] = []
    /// The same from the northern edge southwards.
    var ys: [Int32] = []
    /// Milliseconds since 1970, or `PointChunk.untimed`.
    var times: [Int64] = []
    /// Metres along the track as recorded, counted from anywhere in a polyline.
    var metres: [Double] = []
    /// Metres above the sea, or `DayStep.noElevation`.
    var elevations: [Int16] = []
    /// The deepest zoom level at which the line that leads to a vertex is kept with the others
    /// (`StepDetail.deepestZoomOfLines`); deeper tiles find it among the long steps of that level.
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
    /// The day it belongs to.
    var day: Int32
    /// Its vertices.
    var vertices: Range<Int>
    /// Whether one of them has an elevation.
    var hasElevations = false
    /// The zoom levels that long steps of it are drawn down to, a bit for each; 0 for nearly all polylines.
    var longStepZooms: UInt32 = 0

    /// What is written of each vertex besides its place. What belongs to no day has no speeds.
    var flags: UInt64 {
        (day == FragmentOrder.untimedDay ? 0 : LineRuns.speedFlag) | (hasElevations ? LineRuns.elevationFlag : 0)
    }
}

/// The polylines of a day as one zoom level shows them, in its quarter pixels.
struct LevelLines: Sendable {
    private(set) var xs: [Int32] = []
    private(set) var ys: [Int32] = []
    private(set) var speeds: [UInt8] = []
    private(set) var elevations: [Int16] = []
    /// The polylines: their vertices, and the flags of each. One of which long steps are left out is several, or none.
    private(set) var runs: [(vertices: Range<Int>, flags: UInt64)] = []

    /// The vertices that the zoom level before kept, and how many of each polyline.
    private var kept: [Int32] = []
    private var keptCounts: [Int] = []
    private var speedTable = SpeedSteps()

    /// Begins with the polylines of a day; `show` comes next, from the deepest zoom level up.
    mutating func begin(_ polylines: ArraySlice<LineRun>) {
        kept.removeAll(keepingCapacity: true)
        keptCounts.removeAll(keepingCapacity: true)
        for polyline in polylines {
            for index in polyline.vertices { kept.append(Int32(truncatingIfNeeded: index)) }
            keptCounts.append(polyline.vertices.count)
        }
    }

    /// Becomes what a zoom level shows of the polylines: their vertices of this level or a coarser one, rounded, without the
    /// steps that are too long for it.
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

    /// Becomes the steps of the polylines that are drawn down to `zoom` and not deeper, rounded to the quarter pixels of a
    /// zoom level.
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

    /// Shows one polyline and moves what it keeps to `kept[target...]`; gives the end of that.
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
        for place in range {
            let index = Int(kept[place])
            guard levels[index] <= UInt8(zoom) else { continue }
            kept[written] = Int32(truncatingIfNeeded: index)
            written &+= 1
            let x = (sourceXs[index] &+ half) >> shift
            let y = (sourceYs[index] &+ half) >> shift
            if hasLongSteps, vertices.deepestZooms[index] < UInt8(zoom) {
                endRun(from: first, polyline, isCut: true)
                first = xs.count
                last = -1
            }
            if last >= 0, x == lastX, y == lastY { continue }
            append(vertices, index, x, y, from: last, polyline)
            (last, lastX, lastY) = (index, x, y)
        }
        endRun(from: first, polyline, isCut: hasLongSteps)
        return written
    }

    /// Ends a run that began with the vertex `first`. A lone vertex that long steps lead to or from is drawn with these.
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

    /// Appends a vertex that the line comes to from vertex `last`; the first of a run has −1 there.
    @inline(__always)
    private mutating func append(
        _ vertices: LineVertices, _ index: Int, _ x: Int32, _ y: Int32, from last: Int, _ polyline: LineRun
    ) {
        xs.append(x)
        ys.append(y)
        speeds.append(last < 0 ? 0 : speedCode(vertices, from: last, to: index))
        if polyline.hasElevations || !elevations.isEmpty { fillElevations(upTo: xs.count - 1, vertices, index) }
    }

    private mutating func fillElevations(upTo place: Int, _ vertices: LineVertices, _ index: Int) {
        if elevations.count < place {
            elevations.append(contentsOf: repeatElement(DayStep.noElevation, count: place - elevations.count))
        }
        elevations.append(vertices.elevations[index])
    }

    /// The speed between two vertices: the way as it was recorded, by the time that it took.
    private func speedCode(_ vertices: LineVertices, from start: Int, to end: Int) -> UInt8 {
        let (first, last) = (vertices.times[start], vertices.times[end])
        guard first != last, first != .min, last != .min else { return 0 }
        let seconds = abs(Double(last) - Double(first)) / 1000
        return speedTable.code(metresPerSecond: (vertices.metres[end] - vertices.metres[start]) / seconds)
    }
}
