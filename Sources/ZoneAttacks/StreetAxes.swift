import Foundation

/// The two directions that most streets have, and ways along them.
struct StreetAxes: Sendable {
    /// One of the directions, with the length 1.
    let axis: Vector
    /// 1 if all streets have these directions, 0 if they have all directions.
    let strength: Double

    /// Ways along streets of all directions are longer than the straight line by about this factor
    /// (Levinson and El-Geneidy 2009: 1.2–1.3 in towns).
    private static let detour = 1.25

    /// Streets without lines.
    init(axis: Vector = Vector(1, 0), strength: Double = 0) {
        self.axis = axis
        self.strength = strength
    }

    /// The directions of lines: four times the angle is the same for a street, the opposite way, and those across.
    init(_ lines: some Sequence<[Vector]>) {
        var sum = Vector.zero
        var total = 0.0
        for line in lines {
            for (point, next) in zip(line, line.dropFirst()) {
                let step = next - point
                let metres = step.length
                guard metres > 0 else { continue }
                // The fourth power of a complex number has four times its angle.
                let square = Vector(step.x * step.x - step.y * step.y, 2 * step.x * step.y) / metres
                sum += Vector(square.x * square.x - square.y * square.y, 2 * square.x * square.y) / metres
                total += metres
            }
        }
        guard total > 0 else {
            self.init()
            return
        }
        let angle = atan2(sum.y, sum.x) / 4
        self.init(axis: Vector(cos(angle), sin(angle)), strength: sum.length / total)
    }

    /// The expected length of the shortest way between two places along the streets.
    func metres(_ start: Vector, _ end: Vector) -> Double {
        let way = end - start
        let straight = way.length
        // The noise of GPS makes the streets of a grid seem to have other directions: half the strength is a grid.
        let share = min(2 * strength, 1)
        return share * (abs(way.dot(axis)) + abs(way.cross(axis))) + (1 - share) * Self.detour * straight
    }

}
