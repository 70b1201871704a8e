/// Measures the steps of a track: `Geodesy.metres` for many short steps in one region, at a fraction of its cost.
///
/// The scale of the tangent plane is computed for both edges of a band of latitude (0.0066°, 730 m) and interpolated
/// between them; the error is below 1 in 10^8.
public struct StepRuler: Sendable {
    private var band = Int64.min
    private var eastScale = 0.0
    private var eastSlope = 0.0
    private var northScale = 0.0
    private var northSlope = 0.0

    /// A band is this power of two high, in units of 5e-8°, in which the sum of two latitudes is the middle.
    private static let bandShift: Int64 = 17
    /// Places within 0.05° in both directions are in one tangent plane, as for `Geodesy.metres`.
    private static let nearUnits: UInt64 = 500_000
    /// Beyond 85.9° meridians converge too much for it.
    private static let planeUnits: UInt64 = 1_718_000_000

    /// Creates a ruler for any region.
    public init() {}

    /// Metres between two places, in 1e-7°, on the ellipsoid WGS 84.
    @inline(__always)
    public mutating func metres(
        _ longitude1: Int32, _ latitude1: Int32, _ longitude2: Int32, _ latitude2: Int32
    ) -> Double {
        let eastwards = Int64(longitude2) &- Int64(longitude1)
        let northwards = Int64(latitude2) &- Int64(latitude1)
        let middle = Int64(latitude1) &+ Int64(latitude2)
        guard eastwards.magnitude < Self.nearUnits, northwards.magnitude < Self.nearUnits,
            middle.magnitude < Self.planeUnits
        else { return Geodesy.metres(longitude1, latitude1, longitude2, latitude2) }
        if middle >> Self.bandShift != band { begin(middle >> Self.bandShift) }
        let offset = Double(middle &- band << Self.bandShift)
        let east = Double(eastwards) * (eastScale + eastSlope * offset)
        let north = Double(northwards) * (northScale + northSlope * offset)
        return (east * east + north * north).squareRoot()
    }

    private mutating func begin(_ band: Int64) {
        self.band = band
        let units = Double(Int64(1) << Self.bandShift)
        let low = Geodesy.scales(atHalfUnits: Double(band) * units)
        let high = Geodesy.scales(atHalfUnits: Double(band + 1) * units)
        (eastScale, northScale) = (low.east, low.north)
        eastSlope = (high.east - low.east) / units
        northSlope = (high.north - low.north) / units
    }
}
