public import Tracks

/// Points of a made-up track.
public struct TestJourney: Sendable {
    public private(set) var points: [PlaceInTime] = []
    public private(set) var accuracies: [Int64]?
    /// Milliseconds since 1970.
    public private(set) var time: Int64

    /// 2025-06-02, a Monday, at 8:00 UTC.
    public static let morning: Int64 = 1_748_851_200_000

    public init(_ longitude: Double, _ latitude: Double, at time: Int64? = TestJourney.morning) {
        self.time = time ?? 0
        points.append((longitude, latitude, time))
    }

    /// Goes straight on (in degrees) at a speed in metres per second, with a point every `seconds`.
    public mutating func go(to longitude: Double, _ latitude: Double, speed: Double, every seconds: Double = 1) {
        guard let start = points.last else { return }
        func units(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }
        let metres = Geodesy.metres(units(start.lon), units(start.lat), units(longitude), units(latitude))
        let steps = max(1, Int((metres / speed / seconds).rounded()))
        var width = longitude - start.lon
        if width > 180 { width -= 360 }
        if width < -180 { width += 360 }
        for step in 1...steps {
            let share = Double(step) / Double(steps)
            var east = start.lon + width * share
            if east >= 180 { east -= 360 }
            if east < -180 { east += 360 }
            time += Int64(seconds * 1000)
            points.append((east, start.lat + (latitude - start.lat) * share, start.time == nil ? nil : time))
        }
    }

    /// Stays near the last place, with a point every `seconds`.
    public mutating func stay(minutes: Double, every seconds: Double = 60) {
        guard let place = points.last else { return }
        for step in 0..<Int(minutes * 60 / seconds) {
            time += Int64(seconds * 1000)
            points.append((place.lon + (step % 2 == 0 ? 0.0003 : 0), place.lat, time))
        }
    }

    /// The next point is somewhere else after a time.
    public mutating func jump(to longitude: Double, _ latitude: Double, afterMinutes minutes: Double) {
        time += Int64(minutes * 60_000)
        points.append((longitude, latitude, time))
    }

    public var chunk: PointColumns {
        var chunk = PointColumns.degrees(points)
        if let accuracies {
            chunk.fields = [FieldColumn(name: FieldName.horizontalAccuracy, values: .numbers(places: 0, accuracies))]
        }
        return chunk
    }

    /// Gives each point an accuracy in metres.
    public mutating func setAccuracy(_ metres: Int64) { accuracies = points.map { _ in metres } }
}
