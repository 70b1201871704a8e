import Foundation

/// The stretch of a line that is done, in steps of the colour ramp.
struct LitStretches {
    /// Metres from the beginning of the line: where the first step begins, where each ends; the last one where the line is lit
    /// to. Empty if nothing is.
    let ends: [Double]

    /// `steps` are the colours from the first place to the last.
    init(from start: Double, to end: Double, of whole: ClosedRange<Double>, steps: Int) {
        guard end > start else {
            ends = []
            return
        }
        let step = (whole.upperBound - whole.lowerBound) / Double(steps)
        let inner = (1..<steps).map { whole.lowerBound + Double($0) * step }.filter { $0 > start && $0 < end }
        ends = [start] + inner + [end]
    }

    /// The colour at a distance; nil where the line is not lit.
    func color(at metres: Double) -> Int? {
        guard let first = ends.first, let last = ends.last, metres >= first, metres < last else { return nil }
        return next(after: metres) - 1
    }

    /// The position of the first end beyond a distance.
    func next(after metres: Double) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= metres { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// What is drawn of a line.
struct DrawnLines {
    /// All of it.
    var whole: [[DrawnPoint]] = []
    /// The parts that are lit, with the number of their colour.
    var lit: [(color: Int, points: [DrawnPoint])] = []
}

/// Collects the points of a line in a picture.
///
/// What is outside the picture is cut off: cairo's numbers are too small for it at deep zoom levels, and what changes there
/// changes no picture.
struct LinePen {
    /// Pixels by which a colour begins before the one before ends, so that nothing shines through between them.
    private static let overlap = 1.0

    private let box: DrawnBox
    private let colors: LitStretches
    private var lines = DrawnLines()
    private var whole: [DrawnPoint] = []
    private var lit: [DrawnPoint] = []
    private var color: Int?
    private var last: (point: DrawnPoint, metres: Double)?

    init(_ view: JourneyView, margin: Double, _ colors: LitStretches) {
        // The ends of what is cut off are not seen.
        box = DrawnBox(left: 0, top: 0, right: Double(view.width), bottom: Double(view.height)).widened(by: margin)
        self.colors = colors
    }

    /// Whether a colour ends between two distances.
    func changesColor(from first: Double, to last: Double) -> Bool {
        let next = colors.next(after: first)
        return next < colors.ends.count && colors.ends[next] <= last
    }

    /// Ends a part of the line; the next point begins another.
    mutating func lift() {
        endPart()
        last = nil
    }

    mutating func finish() -> DrawnLines {
        lift()
        return lines
    }

    /// Leads the line to a point, which is at a distance from the beginning of the line.
    mutating func add(_ point: DrawnPoint, metres: Double) {
        defer { last = (point, metres) }
        guard let last, last.point != point || last.metres != metres else { return }
        guard let (from, to) = box.part(from: last.point, to: point) else { return endPart() }
        func at(_ part: Double) -> DrawnPoint {
            if part == 0 { return last.point }
            if part == 1 { return point }
            return DrawnPoint(
                x: last.point.x + (point.x - last.point.x) * part, y: last.point.y + (point.y - last.point.y) * part)
        }
        func along(_ part: Double) -> Double { part == 1 ? metres : last.metres + (metres - last.metres) * part }
        if from > 0 { endPart() }
        if whole.isEmpty { begin(at(from), color: colors.color(at: along(from))) }
        let (first, end) = (along(from), along(to))
        var next = colors.next(after: first)
        while next < colors.ends.count, colors.ends[next] <= end, metres > last.metres {
            cut(at((colors.ends[next] - last.metres) / (metres - last.metres)), from: last.point, to: point, next)
            next += 1
        }
        let target = at(to)
        whole.append(target)
        if color != nil { lit.append(target) }
        if to < 1 { endPart() }
    }

    private mutating func begin(_ point: DrawnPoint, color: Int?) {
        whole = [point]
        self.color = color
        lit = color == nil ? [] : [point]
    }

    /// Changes the colour at a point of the step between two others, where the end of a number is.
    private mutating func cut(_ point: DrawnPoint, from: DrawnPoint, to: DrawnPoint, _ number: Int) {
        if color != nil { lit.append(point) }
        let wasLit = color != nil
        endColor()
        guard number + 1 < colors.ends.count else { return }
        color = number
        lit = [point]
        guard wasLit else { return }
        let length = hypot(to.x - from.x, to.y - from.y)
        guard length > 0 else { return }
        let part = Self.overlap / length
        lit = [DrawnPoint(x: point.x - (to.x - from.x) * part, y: point.y - (to.y - from.y) * part), point]
    }

    private mutating func endColor() {
        if let color, lit.count > 1 { lines.lit.append((color, lit)) }
        lit = []
        color = nil
    }

    private mutating func endPart() {
        endColor()
        if whole.count > 1 { lines.whole.append(whole) }
        whole = []
    }
}
