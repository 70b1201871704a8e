internal import CGEOS

/// A geometry with an index, for many questions about it. Not thread-safe.
@safe
public final class PreparedGeometry {
    private let geometry: Geometry
    private let pointer: OpaquePointer

    /// Indexes a geometry.
    public init(_ geometry: Geometry) throws(GEOSError) {
        self.geometry = geometry
        guard let made = unsafe GEOSPrepare_r(geometry.context.handle, geometry.pointer) else {
            throw geometry.context.failure()
        }
        unsafe pointer = made
    }

    deinit {
        unsafe GEOSPreparedGeom_destroy_r(geometry.context.handle, pointer)
    }

    /// Whether all points of the other are in this, at least one of them in the interior.
    public func contains(_ other: Geometry) throws(GEOSError) -> Bool {
        let context = geometry.context
        return unsafe try context.truth(GEOSPreparedContains_r(context.handle, pointer, other.pointer))
    }

    /// Whether all points of the other are in this or on its outline.
    public func covers(_ other: Geometry) throws(GEOSError) -> Bool {
        let context = geometry.context
        return unsafe try context.truth(GEOSPreparedCovers_r(context.handle, pointer, other.pointer))
    }

    /// Whether they have a point in common.
    public func intersects(_ other: Geometry) throws(GEOSError) -> Bool {
        let context = geometry.context
        return unsafe try context.truth(GEOSPreparedIntersects_r(context.handle, pointer, other.pointer))
    }
}
