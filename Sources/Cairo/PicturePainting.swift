import CCairo

extension Context {
    /// How an enlarged picture is interpolated.
    public enum Filter: Sendable {
        /// Each pixel becomes a block of its own value.
        case nearest
        /// Averages pixels if the picture is reduced.
        case smooth
    }

    /// Paints another picture with its north-western corner at (x, y), in units of the transformation, which also
    /// scales the picture. Nothing is painted beyond its edges.
    public func paint(
        _ picture: borrowing ImageSurface, x: Double, y: Double, filter: Filter = .nearest, alpha: Double = 1
    ) {
        unsafe cairo_set_source_surface(handle, picture.handle, x, y)
        setFilter(filter)
        paint(alpha: alpha)
        releaseSource()
    }

    /// Paints the source within the clip, with the alpha values of another picture as the mask.
    public func paintSource(through mask: borrowing ImageSurface, x: Double, y: Double) {
        unsafe cairo_mask_surface(handle, mask.handle, x, y)
    }

    private func setFilter(_ filter: Filter) {
        let cairo =
            switch filter {
            case .nearest: CAIRO_FILTER_NEAREST
            case .smooth: CAIRO_FILTER_GOOD
            }
        unsafe cairo_pattern_set_filter(cairo_get_source(handle), cairo)
    }

    /// After this call the owner of the other picture may change or free it.
    private func releaseSource() {
        setSource(red: 0, green: 0, blue: 0)
    }
}
