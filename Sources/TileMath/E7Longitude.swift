/// Longitudes in 1e-7°. Its constants are computed properties: stored ones are looked up for every point.
public enum E7Longitude {
    /// 180°.
    @inlinable public static var halfTurn: Int64 { 1_800_000_000 }
    /// 360°.
    @inlinable public static var turn: Int64 { 3_600_000_000 }

    /// The difference of two longitudes by the shorter way round; eastwards is positive.
    @inlinable
    @inline(__always)
    public static func difference(from start: Int32, to end: Int32) -> Int64 {
        let eastwards = Int64(end) - Int64(start)
        if eastwards > halfTurn { return eastwards - turn }
        return eastwards < -halfTurn ? eastwards + turn : eastwards
    }

    /// The longitude within −180…180° of one that is less than a turn beyond them.
    @inlinable
    @inline(__always)
    public static func wrapped(_ longitude: Int64) -> Int32 {
        if longitude > halfTurn { return Int32(truncatingIfNeeded: longitude - turn) }
        return Int32(truncatingIfNeeded: longitude < -halfTurn ? longitude + turn : longitude)
    }
}

/// The Earth as a sphere, for distances that need not be exact. Its constants are computed properties, too.
public enum EarthSphere {
    /// The mean radius of WGS 84 in metres.
    @inlinable public static var radiusMetres: Double { 6_371_008.8 }
    /// Metres of 1e-7° along a meridian.
    @inlinable public static var metresPerUnit: Double { radiusMetres * Double.pi / 180 * 1e-7 }
}
