import TestSupport
import Testing
import Tracks

@Suite struct GeodesyTests {
    private func units(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }

    private func metres(_ place: (Double, Double), _ other: (Double, Double)) -> Double {
        Geodesy.metres(units(place.1), units(place.0), units(other.1), units(other.0))
    }

    /// Latitude and longitude of two places, and the geodesic by GeographicLib (C. Karney).
    @Test(arguments: [
        [40.6, -73.8, 51.6, -0.5, 5_551_759.400319], [90, 0, -90, 0, 20_003_931.458625],
        [0, 0, 0, 180, 20_003_931.458625], [0, 0, 0, 1, 111_319.490793], [0, 0, 1, 0, 110_574.388558],
        [0, 0, 0.5, 179.5, 19_936_288.578965], [0, 0, 0.5, 179.7, 19_944_127.42075],
        [30, 0, -30, 179.8, 20_000_239.437725], [10, 20, -10, -160, 20_003_931.458625],
        [89.9, 10, 89.9, -170, 22_338.795683], [-33.9, 151.2, 37.6, -122.4, 11_929_028.903801],
    ])
    func `long distances are those of the ellipsoid, also between opposite places`(values: [Double]) {
        let metres = metres((values[0], values[1]), (values[2], values[3]))
        #expect(abs(metres - values[4]) < 0.001)
    }

    @Test(arguments: [
        [52.5, 13.4, 52.501, 13.4, 111.276842], [52.5, 13.4, 52.5, 13.401, 67.910233],
        [0, 179.9999, 0, -179.9997, 44.527796], [80, 0, 80.01, 0.05, 1478.557609],
        [52.5, 13.4, 52.54, 13.44, 5213.863243], [85, 0, 85.03, 0.04, 3372.978911],
    ])
    func `short distances are exact to a millimetre`(values: [Double]) {
        let metres = metres((values[0], values[1]), (values[2], values[3]))
        #expect(abs(metres - values[4]) < 0.001)
    }

    @Test func `distances are symmetric, continuous where the formula changes, and near those of a sphere`() {
        var random = SeededRandom(seed: 42)
        for _ in 0..<2000 {
            let place = (Double.random(in: -89...89, using: &random), Double.random(in: -180...180, using: &random))
            let far = (Double.random(in: -89...89, using: &random), Double.random(in: -180...180, using: &random))
            let metres = metres(place, far)
            #expect(abs(metres - self.metres(far, place)) < 0.001, "\(place) \(far)")
            let sphere = Geodesy.sphereMetres(units(place.1), units(place.0), units(far.1), units(far.0))
            #expect(abs(metres - sphere) < sphere * 0.006 + 1, "\(place) \(far)")
            // 0.05° is measured by one formula, a unit more by the other.
            let (east, north) = (units(place.1), units(place.0))
            guard abs(place.0) < 85, abs(place.1) < 179 else { continue }
            let near = Geodesy.metres(east, north, east + 499_999, north + 300_000)
            let beyond = Geodesy.metres(east, north, east + 500_000, north + 300_000)
            #expect(abs(near - beyond) < 0.02, "\(place)")
        }
    }

    @Test func `the same place is at no distance, at the poles with any longitude`() {
        for latitude in [0, 52.5, -90, 90] {
            #expect(metres((latitude, 13), (latitude, 13)) == 0)
        }
        #expect(metres((90, 0), (90, 120)) < 0.001 && metres((-90, -170), (-90, 20)) < 0.001)
        #expect(metres((12, -180), (12, 180)) == 0)
    }
}
