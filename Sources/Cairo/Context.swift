import CCairo
public import Colors

/// A cairo context for one surface, valid inside `ImageSurface.draw`.
///
/// cairo keeps the error status, which is read when drawing ends; after an error cairo ignores all further calls.
/// Safe: the context owns the handle, and releases a source surface before the call that set it returns.
@safe
public struct Context: ~Copyable {
    /// The shape of the ends of a line.
    public enum LineCap: Sendable { case butt, round }

    /// The shape of the corners of a line.
    public enum LineJoin: Sendable { case miter, round, bevel }

    let handle: OpaquePointer

    init(on surface: OpaquePointer) throws(CairoError) {
        guard let made = unsafe cairo_create(surface) else { throw CairoError(CAIRO_STATUS_NO_MEMORY) }
        let status = unsafe cairo_status(made)
        guard status == CAIRO_STATUS_SUCCESS else {
            unsafe cairo_destroy(made)
            throw CairoError(status)
        }
        unsafe handle = unsafe made
    }

    deinit {
        unsafe cairo_destroy(handle)
    }

    func finish() throws(CairoError) {
        try CairoError.check(unsafe cairo_status(handle))
    }
}

// State.
extension Context {
    /// Runs `body`, then restores the transformation, source, clip and line settings.
    public func withSavedState(_ body: () -> Void) {
        unsafe cairo_save(handle)
        defer { unsafe cairo_restore(handle) }
        body()
    }

    /// Runs `body`, which draws only within a rectangle, then restores the state as `withSavedState` does.
    public func withClip(x: Double, y: Double, width: Double, height: Double, _ body: () -> Void) {
        withSavedState {
            rectangle(x: x, y: y, width: width, height: height)
            unsafe cairo_clip(handle)
            body()
        }
    }

    /// How far curves, round ends and joins may be from those of straight pieces that are drawn for them, in units of the
    /// device; cairo's own choice is 0.1.
    public func setTolerance(_ tolerance: Double) {
        unsafe cairo_set_tolerance(handle, tolerance)
    }

    /// What the clip lets through, in units of the transformation: left, top, right and bottom.
    public var clipExtents: (left: Double, top: Double, right: Double, bottom: Double) {
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        unsafe cairo_clip_extents(handle, &left, &top, &right, &bottom)
        return (left, top, right, bottom)
    }

    /// Sets the source to a colour with straight alpha; each channel is 0…1.
    public func setSource(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        unsafe cairo_set_source_rgba(handle, red, green, blue, alpha)
    }

    /// Sets the source to a colour; `alpha`, 0…1, replaces the colour's own.
    public func setSource(_ color: Color, alpha: Double? = nil) {
        setSource(
            red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255,
            alpha: alpha ?? Double(color.alpha) / 255)
    }

    /// Sets the line width, in units of the transformation at the time of stroking, and the shapes of ends and
    /// corners.
    public func setLine(width: Double, cap: LineCap = .butt, join: LineJoin = .miter) {
        let cairoCap =
            switch cap {
            case .butt: CAIRO_LINE_CAP_BUTT
            case .round: CAIRO_LINE_CAP_ROUND
            }
        let cairoJoin =
            switch join {
            case .miter: CAIRO_LINE_JOIN_MITER
            case .round: CAIRO_LINE_JOIN_ROUND
            case .bevel: CAIRO_LINE_JOIN_BEVEL
            }
        unsafe cairo_set_line_width(handle, width)
        unsafe cairo_set_line_cap(handle, cairoCap)
        unsafe cairo_set_line_join(handle, cairoJoin)
    }

    /// Moves the origin.
    public func translate(x: Double, y: Double) {
        unsafe cairo_translate(handle, x, y)
    }

    /// Maps x and y to xx·x + xy·y + x0 and yx·x + yy·y + y0 before the transformation so far; the axes must not become
    /// parallel.
    public func transform(xx: Double, yx: Double, xy: Double, yy: Double, x0: Double, y0: Double) {
        var matrix = cairo_matrix_t(xx: xx, yx: yx, xy: xy, yy: yy, x0: x0, y0: y0)
        unsafe cairo_transform(handle, &matrix)
    }

    /// Scales the axes; neither factor may be 0.
    public func scale(x: Double, y: Double) {
        unsafe cairo_scale(handle, x, y)
    }
}

// Paths.
extension Context {
    /// Clears the path.
    public func newPath() {
        unsafe cairo_new_path(handle)
    }

    /// Begins a new subpath at (x, y).
    public func move(x: Double, y: Double) {
        unsafe cairo_move_to(handle, x, y)
    }

    /// Adds a straight line to the subpath.
    public func line(x: Double, y: Double) {
        unsafe cairo_line_to(handle, x, y)
    }

    /// Adds a closed rectangle.
    public func rectangle(x: Double, y: Double, width: Double, height: Double) {
        unsafe cairo_rectangle(handle, x, y, width, height)
    }

    /// Adds a circle.
    public func circle(x: Double, y: Double, radius: Double) {
        unsafe cairo_new_sub_path(handle)
        unsafe cairo_arc(handle, x, y, radius, 0, 2 * Double.pi)
        unsafe cairo_close_path(handle)
    }

    /// Closes the subpath with a line to its start.
    public func closePath() {
        unsafe cairo_close_path(handle)
    }

    /// Fills the path and clears it.
    public func fill() {
        unsafe cairo_fill(handle)
    }

    /// Strokes the path and clears it.
    public func stroke() {
        unsafe cairo_stroke(handle)
    }

    /// Paints the source everywhere within the clip.
    public func paint(alpha: Double = 1) {
        if alpha == 1 {
            unsafe cairo_paint(handle)
        } else {
            unsafe cairo_paint_with_alpha(handle, alpha)
        }
    }
}
