import Foundation

/// How likely the places are at which the hidden place may be, by the centre of its zone.
///
/// The software draws the centre, so all places within the offset are equally likely at first. What the tracks tell multiplies
/// this.
struct OffsetPosterior: Sendable {
    private let circle: CircleFit
    private let stepMetres: Double
    /// Half the number of rows and columns.
    private let half: Int
    /// Row by row, with the places in the corners, which are impossible.
    private let places: [Vector]
    private var logarithms: [Double]

    private static let stepMetres = 20.0
    private static let mostSteps = 25.0
    /// A guess counts as right within this distance.
    private static let rightMetres = 100.0

    /// All places within the offset of a circle are equally likely.
    init(_ circle: CircleFit, offsetShare: Double) {
        self.circle = circle
        let offset = circle.radius * offsetShare
        let step = max(Self.stepMetres, offset / Self.mostSteps)
        let half = Int(offset / step)
        stepMetres = step
        self.half = half
        places = (-half...half).flatMap { row in
            (-half...half).map { circle.centre + Vector(Double($0), Double(row)) * step }
        }
        logarithms = places.map { $0.distance(to: circle.centre) <= offset ? 0 : -.infinity }
    }

    /// The place around which most of the probability is. Of equally good ones, the nearest to the centre.
    func best() -> Vector {
        let most = logarithms.max() ?? 0
        let weights = logarithms.map { exp($0 - most) }
        let reach = min(Int(Self.rightMetres / stepMetres), half)
        var best = (place: circle.centre, sum: -1.0, metres: 0.0)
        for row in -half...half {
            for column in -half...half {
                var sum = 0.0
                for other in max(row - reach, -half)...min(row + reach, half) {
                    // The columns of this row that are within the distance.
                    let width = Int((Double(reach * reach - (other - row) * (other - row))).squareRoot())
                    let start = index(other, max(column - width, -half))
                    for index in start...index(other, min(column + width, half)) { sum += weights[index] }
                }
                let place = places[index(row, column)]
                let metres = place.distance(to: circle.centre)
                if sum > best.sum * (1 + 1e-9) || sum > best.sum * (1 - 1e-9) && metres < best.metres {
                    best = (place, sum, metres)
                }
            }
        }
        return best.place
    }

    private func index(_ row: Int, _ column: Int) -> Int {
        (row + half) * (2 * half + 1) + column + half
    }

    // MARK: Streets

    /// In what share of terminals the street is that of the place, or leads straight to it.
    private static let straightShare = 0.25
    private static let streetMetres = 20.0
    /// Directions and exits tell partly the same; with more weight, both together find fewer homes than the exits alone.
    private static let streetWeight = 0.25
    private static let noiseAngle = 0.04

    /// A terminal either has the street of the place, or any street.
    mutating func add(directionsOf terminals: [Terminal]) {
        for terminal in terminals where terminal.direction != .zero {
            let weight = Self.streetWeight * Double(terminal.ends.count).squareRoot().squareRoot()
            for (index, place) in places.enumerated() where logarithms[index] > -.infinity {
                let way = place - terminal.point
                let ahead = way.dot(terminal.direction)
                let noise = Self.streetMetres + Self.noiseAngle * max(ahead, 0)
                let beside = way.cross(terminal.direction) / noise
                let density = ahead > 0 ? exp(-beside * beside / 2) / (noise * (2 * .pi).squareRoot()) : 0
                let any = 1 / (2 * circle.radius)
                logarithms[index] +=
                    weight * log((1 - Self.straightShare) * any + Self.straightShare * density)
            }
        }
    }

    // MARK: Exits

    /// A way through an exit to a place beyond it, and how often it was used.
    struct Way: Sendable {
        var exit: Int
        var via: Vector
        var count: Double
    }

    /// Ways that are longer by this than the shortest are used a third as often.
    private static let toleranceMetres = 100.0

    /// Each way leaves by the exit over which it is shortest, or nearly so.
    mutating func add(_ ways: [Way], exits: [Vector], streets: StreetAxes) {
        guard exits.count >= 2, !ways.isEmpty else { return }
        let beyond = ways.map { way in exits.map { streets.metres($0, way.via) } }
        for (index, place) in places.enumerated() where logarithms[index] > -.infinity {
            let inside = exits.map { streets.metres(place, $0) }
            for (way, metres) in zip(ways, beyond) {
                let own = inside[way.exit] + metres[way.exit]
                var sum = 0.0
                for exit in exits.indices { sum += exp((own - inside[exit] - metres[exit]) / Self.toleranceMetres) }
                // Ways that are used often are not independent of each other.
                logarithms[index] -= way.count.squareRoot() * log(sum)
            }
        }
    }

    // MARK: Other zones

    /// Leaves only places that another circle allows, too; more of them if the two contradict each other.
    mutating func restrict(to other: CircleFit, offsetShare: Double) {
        let offset = other.radius * offsetShare
        for (index, place) in places.enumerated() {
            let beyond = max(place.distance(to: other.centre) - offset, 0) / Self.stepMetres
            logarithms[index] -= beyond * beyond
        }
    }
}
