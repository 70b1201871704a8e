import Cairo
import Geography

/// Adds outlines to a path, cut to a view: cairo takes coordinates of up to 8 million pixels, and has less to do.
struct OutlineTracer {
    /// A place in the view.
    private typealias Place = (x: Double, y: Double)

    /// Pixels of a screen around the view that are kept, so that no line ends within it.
    private static let margin = 8.0

    private let vertices: MapVertices
    private let view: MapView
    private let low: Place
    private let high: Place
    private var ring: [Place] = []
    private var cut: [Place] = []
    /// Vertices of later zoom levels are left out.
    var level: UInt8 = 15

    init(_ vertices: MapVertices, _ view: MapView) {
        self.vertices = vertices
        self.view = view
        let margin = Self.margin * view.scale
        low = (-margin, -margin)
        high = (view.width + margin, view.height + margin)
    }

    /// Whether the bounds touch the view.
    func isVisible(_ bounds: MapBounds) -> Bool {
        x(bounds.minX) <= high.x && x(bounds.maxX) >= low.x && y(bounds.minY) <= high.y && y(bounds.maxY) >= low.y
    }

    /// Adds a part of the present ring.
    mutating func add(_ line: MapLine, isReversed: Bool) {
        if isReversed {
            for index in line.range.reversed() where vertices.levels[index] <= level { addVertex(index) }
        } else {
            for index in line.range where vertices.levels[index] <= level { addVertex(index) }
        }
    }

    private mutating func addVertex(_ index: Int) {
        ring.append((x(vertices.x[index]), y(vertices.y[index])))
    }

    /// Cuts the ring to the view (Sutherland–Hodgman), adds it to the path and begins a new one.
    mutating func closeRing(on context: borrowing Context) {
        let (low, high) = (low, high)
        clip({ $0.x >= low.x }, { Self.crossing(x: low.x, $0, $1) })
        clip({ $0.x <= high.x }, { Self.crossing(x: high.x, $0, $1) })
        clip({ $0.y >= low.y }, { Self.crossing(y: low.y, $0, $1) })
        clip({ $0.y <= high.y }, { Self.crossing(y: high.y, $0, $1) })
        if ring.count > 2 {
            context.move(x: ring[0].x, y: ring[0].y)
            for vertex in ring.dropFirst() { context.line(x: vertex.x, y: vertex.y) }
            context.closePath()
        }
        ring.removeAll(keepingCapacity: true)
    }

    /// Adds a line to the path, without the parts that are outside the view.
    func traceLine(_ line: MapLine, on context: borrowing Context) {
        var last: Place?
        var isDrawing = false
        for index in line.range where vertices.levels[index] <= level {
            let vertex = (x: x(vertices.x[index]), y: y(vertices.y[index]))
            if let last {
                if isOutside(last, vertex) {
                    isDrawing = false
                } else {
                    if !isDrawing { context.move(x: last.x, y: last.y) }
                    context.line(x: vertex.x, y: vertex.y)
                    isDrawing = true
                }
            }
            last = vertex
        }
    }

    /// Whether both ends are beyond the same edge of the view.
    private func isOutside(_ a: Place, _ b: Place) -> Bool {
        (a.x < low.x && b.x < low.x) || (a.x > high.x && b.x > high.x) || (a.y < low.y && b.y < low.y)
            || (a.y > high.y && b.y > high.y)
    }

    private func x(_ value: Float) -> Double { Double(value) * view.worldPixels - view.originX }

    private func y(_ value: Float) -> Double { Double(value) * view.worldPixels - view.originY }

    private mutating func clip(_ isInside: (Place) -> Bool, _ crossing: (Place, Place) -> Place) {
        guard var last = ring.last else { return }
        cut.removeAll(keepingCapacity: true)
        var lastIsInside = isInside(last)
        for vertex in ring {
            let vertexIsInside = isInside(vertex)
            if vertexIsInside != lastIsInside { cut.append(crossing(last, vertex)) }
            if vertexIsInside { cut.append(vertex) }
            (last, lastIsInside) = (vertex, vertexIsInside)
        }
        swap(&ring, &cut)
    }

    private static func crossing(x: Double, _ a: Place, _ b: Place) -> Place {
        (x, a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y))
    }

    private static func crossing(y: Double, _ a: Place, _ b: Place) -> Place {
        (a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x), y)
    }
}
