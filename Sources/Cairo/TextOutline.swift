import CCairo

/// The outlines of a text as a path, relative to where its first baseline begins, in units of its style.
///
/// It can be kept, bent along a line, and drawn at any scale, while `Context.show` lays the text out anew each time.
public struct TextOutline: Sendable, Equatable {
    /// A part of a path; its points are in `coordinates`.
    fileprivate enum Step: UInt8, Sendable {
        /// One point.
        case move, line
        /// Three points: two control points of a Bézier curve and its end.
        case curve
        /// No points.
        case close

        var points: Int {
            switch self {
            case .move, .line: 1
            case .curve: 3
            case .close: 0
            }
        }
    }

    private var steps: [Step] = []
    /// x and y of each point.
    private var coordinates: [Float] = []

    /// No text.
    public init() {}

    public var isEmpty: Bool { steps.isEmpty }

    /// The memory that it takes.
    public var byteCount: Int { steps.count + 4 * coordinates.count }

    /// The outline with each of its points moved.
    public func mapped(_ body: (_ x: Double, _ y: Double) -> (x: Double, y: Double)) -> TextOutline {
        var result = self
        var index = 0
        while index < coordinates.count {
            let (x, y) = body(Double(coordinates[index]), Double(coordinates[index + 1]))
            result.coordinates[index] = Float(x)
            result.coordinates[index + 1] = Float(y)
            index += 2
        }
        return result
    }

    /// Appends another outline.
    public mutating func append(_ other: TextOutline) {
        steps += other.steps
        coordinates += other.coordinates
    }

    fileprivate mutating func append(_ step: Step) { steps.append(step) }

    fileprivate mutating func append(x: Double, y: Double) {
        coordinates.append(Float(x))
        coordinates.append(Float(y))
    }

    fileprivate func add(to handle: OpaquePointer) {
        var position = 0
        func next() -> (x: Double, y: Double) {
            defer { position += 2 }
            return (Double(coordinates[position]), Double(coordinates[position + 1]))
        }
        for step in steps {
            switch step {
            case .move:
                let to = next()
                unsafe cairo_move_to(handle, to.x, to.y)
            case .line:
                let to = next()
                unsafe cairo_line_to(handle, to.x, to.y)
            case .curve:
                let (one, two, to) = (next(), next(), next())
                unsafe cairo_curve_to(handle, one.x, one.y, two.x, two.y, to.x, to.y)
            case .close: unsafe cairo_close_path(handle)
            }
        }
    }
}

extension Context {
    /// The outlines of a text, which replace the current path by none. A NUL ends the text.
    public func outline(of text: String, _ style: TextStyle) -> TextOutline {
        newPath()
        addOutlines(of: text, style, x: 0, y: 0)
        var outline = TextOutline()
        guard let path = unsafe cairo_copy_path(handle) else { return outline }
        defer { unsafe cairo_path_destroy(path) }
        if let data = unsafe path.pointee.data {
            let count = unsafe Int(path.pointee.num_data)
            var index = 0
            while index < count {
                let header = unsafe data[index].header
                let length = Int(header.length)
                let step: TextOutline.Step? =
                    switch header.type {
                    case CAIRO_PATH_MOVE_TO: .move
                    case CAIRO_PATH_LINE_TO: .line
                    case CAIRO_PATH_CURVE_TO: .curve
                    case CAIRO_PATH_CLOSE_PATH: .close
                    default: nil
                    }
                // A header, then its points.
                guard length > 0, index + length <= count, let step, length > step.points else { break }
                outline.append(step)
                for offset in 1..<1 + step.points {
                    let point = unsafe data[index + offset].point
                    outline.append(x: point.x, y: point.y)
                }
                index += length
            }
        }
        newPath()
        return outline
    }

    /// Adds outlines to the path.
    public func add(_ outline: TextOutline) { unsafe outline.add(to: handle) }

    /// Runs `body`, which draws only within the current path, then restores the state as `withSavedState` does.
    public func withClipToPath(_ body: () -> Void) {
        withSavedState {
            unsafe cairo_clip(handle)
            body()
        }
    }
}
