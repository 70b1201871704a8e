internal import CGEOS

/// How a buffer ends at the ends of lines.
public enum BufferCap: Sendable {
    case round, flat, square
}

/// How a buffer goes round corners.
public enum BufferJoin: Sendable {
    /// Arcs with so many segments in a quarter turn; the corners of the segments are on the arc.
    case round(quarterSegments: Int)
    /// Pointed corners, cut where they are longer than this multiple of the distance.
    case mitre(limit: Double)
}

extension Geometry {
    private func made(_ result: OpaquePointer?) throws(GEOSError) -> Geometry {
        unsafe Geometry(context, try context.geometry(result))
    }

    private func number(_ compute: (UnsafeMutablePointer<Double>) -> Int32) throws(GEOSError) -> Double {
        var value = 0.0
        guard unsafe compute(&value) == 1 else { throw context.failure() }
        return value
    }

    // MARK: Sets of points

    /// The points of either.
    public func union(_ other: Geometry) throws(GEOSError) -> Geometry {
        unsafe try made(GEOSUnion_r(context.handle, pointer, other.pointer))
    }

    /// The points of any part of this collection.
    public func unaryUnion() throws(GEOSError) -> Geometry {
        unsafe try made(GEOSUnaryUnion_r(context.handle, pointer))
    }

    /// The points of this that are not of the other.
    public func difference(_ other: Geometry) throws(GEOSError) -> Geometry {
        unsafe try made(GEOSDifference_r(context.handle, pointer, other.pointer))
    }

    /// The points of both.
    public func intersection(_ other: Geometry) throws(GEOSError) -> Geometry {
        unsafe try made(GEOSIntersection_r(context.handle, pointer, other.pointer))
    }

    /// The points at most `distance` away; a negative distance shrinks polygons.
    public func buffer(_ distance: Double, cap: BufferCap = .round, join: BufferJoin) throws(GEOSError) -> Geometry {
        let capStyle =
            switch cap {
            case .round: GEOSBUF_CAP_ROUND
            case .flat: GEOSBUF_CAP_FLAT
            case .square: GEOSBUF_CAP_SQUARE
            }
        let (segments, joinStyle, limit) =
            switch join {
            case .round(let segments): (segments, GEOSBUF_JOIN_ROUND, 5.0)
            case .mitre(let limit): (2, GEOSBUF_JOIN_MITRE, limit)
            }
        return unsafe try made(
            GEOSBufferWithStyle_r(
                context.handle, pointer, distance, Int32(clamping: segments), Int32(bitPattern: capStyle.rawValue),
                Int32(bitPattern: joinStyle.rawValue), limit))
    }

    /// The outlines of polygons, the ends of lines.
    public func boundary() throws(GEOSError) -> Geometry {
        unsafe try made(GEOSBoundary_r(context.handle, pointer))
    }

    // MARK: Repair

    public func isValid() throws(GEOSError) -> Bool {
        unsafe try context.truth(GEOSisValid_r(context.handle, pointer))
    }

    /// A valid geometry of the same points; rings that cross themselves become several polygons.
    public func madeValid() throws(GEOSError) -> Geometry {
        unsafe try made(GEOSMakeValid_r(context.handle, pointer))
    }

    /// The geometry with coordinates that are multiples of `grid`, still valid: parts narrower than the grid collapse.
    public func rounded(to grid: Double) throws(GEOSError) -> Geometry {
        unsafe try made(GEOSGeom_setPrecision_r(context.handle, pointer, grid, 0))
    }

    /// Fewer points, none of the line farther than `tolerance` from the original; the result is valid.
    public func simplified(_ tolerance: Double) throws(GEOSError) -> Geometry {
        unsafe try made(GEOSTopologyPreserveSimplify_r(context.handle, pointer, tolerance))
    }

    // MARK: Measures

    /// The area of its polygons, in the square of the unit.
    public func area() throws(GEOSError) -> Double {
        unsafe try number { unsafe GEOSArea_r(context.handle, pointer, $0) }
    }

    /// The length of its lines and outlines.
    public func length() throws(GEOSError) -> Double {
        unsafe try number { unsafe GEOSLength_r(context.handle, pointer, $0) }
    }

    /// The shortest distance to another geometry.
    public func distance(to other: Geometry) throws(GEOSError) -> Double {
        unsafe try number { unsafe GEOSDistance_r(context.handle, pointer, other.pointer, $0) }
    }

    /// The nearest points of this and of another geometry; nil if one is empty.
    public func nearestPoints(_ other: Geometry) throws(GEOSError) -> (here: PlanePoint, there: PlanePoint)? {
        guard !isEmpty, !other.isEmpty else { return nil }
        guard let pair = unsafe GEOSNearestPoints_r(context.handle, pointer, other.pointer) else {
            throw context.failure()
        }
        defer { unsafe GEOSCoordSeq_destroy_r(context.handle, pair) }
        var numbers = [0.0, 0.0, 0.0, 0.0]
        let status = unsafe numbers.withUnsafeMutableBufferPointer { buffer in
            unsafe GEOSCoordSeq_copyToBuffer_r(context.handle, pair, buffer.baseAddress, 0, 0)
        }
        guard status == 1 else { throw context.failure() }
        return (PlanePoint(x: numbers[0], y: numbers[1]), PlanePoint(x: numbers[2], y: numbers[3]))
    }

    /// The centre of mass; nil if it is empty.
    public func centroid() throws(GEOSError) -> PlanePoint? {
        unsafe try made(GEOSGetCentroid_r(context.handle, pointer)).points().first
    }

    /// A point in its interior; nil if it is empty.
    public func interiorPoint() throws(GEOSError) -> PlanePoint? {
        unsafe try made(GEOSPointOnSurface_r(context.handle, pointer)).points().first
    }

    // MARK: Relations

    /// Whether they have a point in common.
    public func intersects(_ other: Geometry) throws(GEOSError) -> Bool {
        unsafe try context.truth(GEOSIntersects_r(context.handle, pointer, other.pointer))
    }
}
