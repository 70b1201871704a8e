/// The length of steps in metres. Steps over pauses are counted apart: only the end of a segment shows whether they
/// are gaps.
struct StepLengths: Equatable {
    var metres = 0.0
    var pauseMetres = 0.0

    static func += (one: inout StepLengths, other: StepLengths) {
        one.metres += other.metres
        one.pauseMetres += other.pauseMetres
    }

    static func - (one: StepLengths, other: StepLengths) -> StepLengths {
        StepLengths(metres: one.metres - other.metres, pauseMetres: one.pauseMetres - other.pauseMetres)
    }
}

/// Points of a run of `RestDetector` within a second.
struct RestEntry {
    /// The indices of the first and last point.
    let first: Int
    var last: Int
    let begin: Int64
    /// The means, in metres from the origin of the run.
    var x: Double
    var y: Double
    /// NaN without an elevation.
    var z: Double
    var points = 1
    /// The way of the run up to the first and the last point.
    let firstWay: StepLengths
    var lastWay: StepLengths

    init(_ point: ClassifiedPoint, x: Double, y: Double, elevation: Double, way: StepLengths) {
        (first, last, begin) = (point.index, point.index, point.time)
        (self.x, self.y, z) = (x, y, elevation)
        (firstWay, lastWay) = (way, way)
    }

    /// Adds a point of the same second.
    mutating func add(_ other: RestEntry) {
        let share = 1 / Double(points + 1)
        x += (other.x - x) * share
        y += (other.y - y) * share
        z += (other.z - z) * share
        points += 1
        last = other.last
        lastWay = other.lastWay
    }
}
