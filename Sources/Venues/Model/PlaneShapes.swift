internal import GEOS
internal import TileMath

/// Shapes of a venue as geometries of GEOS, in local metres.
struct PlaneShapes {
    let frame: LocalFrame
    let context: GEOSContext

    init(_ frame: LocalFrame) throws(VenueError) {
        self.frame = frame
        context = try Self.geometry { () throws(GEOSError) in try GEOSContext() }
    }

    /// Turns errors of GEOS into those of venues.
    static func geometry<Result>(_ body: () throws(GEOSError) -> Result) throws(VenueError) -> Result {
        do throws(GEOSError) {
            return try body()
        } catch {
            switch error {
            case .failed(let message), .wrongType(let message): throw .geometry(message)
            case .outOfMemory: throw .geometry("out of memory")
            }
        }
    }

    func points(_ places: [GeoPoint]) -> [PlanePoint] { places.map(frame.local) }

    /// The union of the polygons of shapes, valid, without lines and points.
    func area(_ shapes: [GeoShape]) throws(GEOSError) -> Geometry {
        var parts: [Geometry] = []
        for shape in shapes {
            for rings in shape.polygons {
                guard let shell = rings.first, shell.count >= 3 else { continue }
                let polygon = try Geometry.polygon(
                    points(shell), holes: rings.dropFirst().filter { $0.count >= 3 }.map(points), context)
                parts.append(try polygon.isValid() ? polygon : polygon.madeValid())
            }
        }
        return try areaOnly(try Geometry.collection(parts, context).unaryUnion())
    }

    /// The polygons of a geometry as one.
    func areaOnly(_ geometry: Geometry) throws(GEOSError) -> Geometry {
        if geometry.kind == .polygon { return geometry }
        let polygons = try geometry.polygons()
        var parts: [Geometry] = []
        for rings in polygons where !rings.isEmpty {
            parts.append(try Geometry.polygon(rings[0], holes: Array(rings.dropFirst()), context))
        }
        return try Geometry.collection(parts, context).unaryUnion()
    }

    /// Lines as one geometry; lines of one point are left out.
    func lines(_ lines: [[PlanePoint]]) throws(GEOSError) -> Geometry {
        var parts: [Geometry] = []
        for line in lines where line.count >= 2 { parts.append(try Geometry.line(line, context)) }
        return try Geometry.collection(parts, context).unaryUnion()
    }

    /// The polygons of a geometry in degrees.
    func shape(_ geometry: Geometry) throws(GEOSError) -> GeoShape {
        let polygons = try geometry.polygons()
        return polygons.isEmpty ? .none : .polygons(polygons.map { $0.map { $0.map(frame.place) } })
    }
}
