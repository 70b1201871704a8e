internal import CGEOS

/// A geometry of GEOS: points, lines, polygons or a collection of them. Its value never changes.
///
/// Not thread-safe. Operations are in `GeometryOperations.swift`.
@safe
public final class Geometry {
    public let context: GEOSContext
    let pointer: OpaquePointer

    /// What a geometry is.
    public enum Kind: Sendable {
        case point, line, polygon
        /// Several points, lines or polygons, or a mixture.
        case collection
    }

    /// Owns the pointer.
    init(_ context: GEOSContext, _ pointer: OpaquePointer) {
        self.context = context
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe GEOSGeom_destroy_r(context.handle, pointer)
    }

    /// The points as a sequence of GEOS.
    private static func sequence(_ points: [PlanePoint], _ context: GEOSContext) throws(GEOSError) -> OpaquePointer {
        var numbers: [Double] = []
        numbers.reserveCapacity(points.count * 2)
        for point in points {
            guard point.x.isFinite, point.y.isFinite else { throw .failed("a coordinate is not a number") }
            numbers.append(point.x)
            numbers.append(point.y)
        }
        let sequence = unsafe numbers.withUnsafeBufferPointer { buffer in
            unsafe GEOSCoordSeq_copyFromBuffer_r(
                context.handle, buffer.baseAddress, UInt32(clamping: points.count), 0, 0)
        }
        return unsafe try context.geometry(sequence)
    }

    /// A point.
    public static func point(_ point: PlanePoint, _ context: GEOSContext) throws(GEOSError) -> Geometry {
        let sequence = unsafe try sequence([point], context)
        return unsafe Geometry(context, try context.geometry(GEOSGeom_createPoint_r(context.handle, sequence)))
    }

    /// A line of two points at least.
    public static func line(_ points: [PlanePoint], _ context: GEOSContext) throws(GEOSError) -> Geometry {
        let sequence = unsafe try sequence(points, context)
        return unsafe Geometry(context, try context.geometry(GEOSGeom_createLineString_r(context.handle, sequence)))
    }

    /// A closed ring; the first point need not be repeated at the end.
    private static func ring(_ points: [PlanePoint], _ context: GEOSContext) throws(GEOSError) -> OpaquePointer {
        var points = points
        if let first = points.first, points.last != first { points.append(first) }
        guard points.count >= 4 else { throw .failed("a ring has fewer than three points") }
        let sequence = unsafe try sequence(points, context)
        return unsafe try context.geometry(GEOSGeom_createLinearRing_r(context.handle, sequence))
    }

    /// A polygon of rings in any direction; rings need at least three points. It may be invalid, see `madeValid`.
    public static func polygon(
        _ shell: [PlanePoint], holes: [[PlanePoint]] = [], _ context: GEOSContext
    ) throws(GEOSError) -> Geometry {
        var rings: [OpaquePointer?] = unsafe []
        func discard() {
            while let ring = unsafe rings.popLast() { unsafe GEOSGeom_destroy_r(context.handle, ring) }
        }
        do throws(GEOSError) {
            for hole in holes { unsafe rings.append(try ring(hole, context)) }
            let outer = unsafe try ring(shell, context)
            let made = unsafe rings.withUnsafeMutableBufferPointer { buffer in
                unsafe GEOSGeom_createPolygon_r(context.handle, outer, buffer.baseAddress, UInt32(buffer.count))
            }
            // GEOS owns the rings now, also if it failed.
            unsafe rings = []
            return unsafe Geometry(context, try context.geometry(made))
        } catch {
            discard()
            throw error
        }
    }

    /// Several geometries as one; copies them.
    public static func collection(_ parts: [Geometry], _ context: GEOSContext) throws(GEOSError) -> Geometry {
        var copies: [OpaquePointer?] = unsafe []
        for part in parts { unsafe copies.append(GEOSGeom_clone_r(context.handle, part.pointer)) }
        let made = unsafe copies.withUnsafeMutableBufferPointer { buffer in
            unsafe GEOSGeom_createCollection_r(
                context.handle, Int32(GEOS_GEOMETRYCOLLECTION.rawValue), buffer.baseAddress, UInt32(buffer.count))
        }
        return unsafe Geometry(context, try context.geometry(made))
    }

    // MARK: Parts

    public var kind: Kind {
        switch unsafe UInt32(bitPattern: GEOSGeomTypeId_r(context.handle, pointer)) {
        case GEOS_POINT.rawValue: .point
        case GEOS_LINESTRING.rawValue, GEOS_LINEARRING.rawValue: .line
        case GEOS_POLYGON.rawValue: .polygon
        default: .collection
        }
    }

    /// Whether it has no points.
    public var isEmpty: Bool { unsafe GEOSisEmpty_r(context.handle, pointer) == 1 }

    /// Calls `body` with the pointers of the simple geometries in it.
    private func eachPart(_ body: (OpaquePointer) throws(GEOSError) -> Void) throws(GEOSError) {
        try unsafe Self.eachPart(of: pointer, context, body)
    }

    private static func eachPart(
        of pointer: OpaquePointer, _ context: GEOSContext, _ body: (OpaquePointer) throws(GEOSError) -> Void
    ) throws(GEOSError) {
        let type = unsafe UInt32(bitPattern: GEOSGeomTypeId_r(context.handle, pointer))
        guard type > GEOS_POLYGON.rawValue else { return unsafe try body(pointer) }
        for index in unsafe 0..<GEOSGetNumGeometries_r(context.handle, pointer) {
            guard let part = unsafe GEOSGetGeometryN_r(context.handle, pointer, index) else { throw context.failure() }
            unsafe try eachPart(of: part, context, body)
        }
    }

    /// The rings of its polygons, each with the shell first and without the repeated point at the end. Points and lines in
    /// a collection are left out. Shells run counter-clockwise and holes clockwise.
    public func polygons() throws(GEOSError) -> [[[PlanePoint]]] {
        var result: [[[PlanePoint]]] = []
        try unsafe eachPart { part throws(GEOSError) in
            guard unsafe UInt32(bitPattern: GEOSGeomTypeId_r(context.handle, part)) == GEOS_POLYGON.rawValue,
                unsafe GEOSisEmpty_r(context.handle, part) == 0
            else { return }
            guard let shell = unsafe GEOSGetExteriorRing_r(context.handle, part) else { throw context.failure() }
            var rings = [Self.turned(unsafe try points(of: shell), isShell: true)]
            for index in unsafe 0..<max(0, GEOSGetNumInteriorRings_r(context.handle, part)) {
                guard let hole = unsafe GEOSGetInteriorRingN_r(context.handle, part, index) else {
                    throw context.failure()
                }
                rings.append(Self.turned(unsafe try points(of: hole), isShell: false))
            }
            result.append(rings)
        }
        return result
    }

    /// The points of its lines; other parts are left out.
    public func lines() throws(GEOSError) -> [[PlanePoint]] {
        var result: [[PlanePoint]] = []
        try unsafe eachPart { part throws(GEOSError) in
            let type = unsafe UInt32(bitPattern: GEOSGeomTypeId_r(context.handle, part))
            guard type == GEOS_LINESTRING.rawValue || type == GEOS_LINEARRING.rawValue,
                unsafe GEOSisEmpty_r(context.handle, part) == 0
            else { return }
            result.append(unsafe try points(of: part))
        }
        return result
    }

    /// Its points, if it is a point or has points; lines and polygons are left out.
    public func points() throws(GEOSError) -> [PlanePoint] {
        var result: [PlanePoint] = []
        try unsafe eachPart { part throws(GEOSError) in
            guard unsafe UInt32(bitPattern: GEOSGeomTypeId_r(context.handle, part)) == GEOS_POINT.rawValue,
                unsafe GEOSisEmpty_r(context.handle, part) == 0
            else { return }
            result += unsafe try points(of: part)
        }
        return result
    }

    private func points(of part: OpaquePointer) throws(GEOSError) -> [PlanePoint] {
        guard let sequence = unsafe GEOSGeom_getCoordSeq_r(context.handle, part) else { throw context.failure() }
        var count: UInt32 = 0
        guard unsafe GEOSCoordSeq_getSize_r(context.handle, sequence, &count) == 1 else { throw context.failure() }
        var numbers = [Double](repeating: 0, count: Int(count) * 2)
        let status = unsafe numbers.withUnsafeMutableBufferPointer { buffer in
            unsafe GEOSCoordSeq_copyToBuffer_r(context.handle, sequence, buffer.baseAddress, 0, 0)
        }
        guard status == 1 else { throw context.failure() }
        return (0..<Int(count)).map { PlanePoint(x: numbers[2 * $0], y: numbers[2 * $0 + 1]) }
    }

    /// The ring without its repeated point, in the direction of shells or of holes.
    private static func turned(_ closed: [PlanePoint], isShell: Bool) -> [PlanePoint] {
        let ring = Array(closed.dropLast())
        var doubled = 0.0
        for index in ring.indices {
            let (one, next) = (ring[index], ring[(index + 1) % ring.count])
            doubled += (one.x - ring[0].x) * (next.y - ring[0].y) - (next.x - ring[0].x) * (one.y - ring[0].y)
        }
        return (doubled > 0) == isShell ? ring : ring.reversed()
    }
}
