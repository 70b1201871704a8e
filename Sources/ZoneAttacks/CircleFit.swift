import Digest
import Foundation

/// The circle on which lines end and in which there are none.
///
/// Candidates go through three terminals each, as in [H18]; the best is refined by least squares. The end of a line is outside
/// of the hidden disc by up to a step of its track, so terminals count on the outside, and hardly on the inside.
struct CircleFit: Sendable {
    var centre: Vector
    var radius: Double
    /// Indices of the terminals on the circle.
    var terminals: [Int]
    var score: Double

    private static let insideMetres = 8.0
    private static let outsideMetres = 30.0
    /// More triples than this are drawn at random.
    private static let tripleLimit = 3000
    private static let terminalLimit = 40
    /// What a visible square in the circle costs: a line across it outweighs some terminals.
    private static let visibleCost = 0.15
    private static let rounds = 8
    /// Somebody who enters a radius enters a multiple of this.
    private static let usualRadiusStep = 50.0
    private static let usualRadiusTolerance = 12.0

    /// The best circle; nil without three terminals that are not in a line.
    init?(_ neighbourhood: Neighbourhood, _ knowledge: AttackerKnowledge) {
        let terminals = Array(neighbourhood.terminals.prefix(Self.terminalLimit))
        guard terminals.count >= 3 else { return nil }
        // What a circle scores at most, if no line is in it.
        var candidates: [CircleFit] = []
        for (first, second, third) in Self.triples(of: terminals.count, seed: knowledge.seed) {
            guard
                let circle = Self.circle(
                    through: terminals[first].point, terminals[second].point, terminals[third].point),
                knowledge.radii.contains(circle.radius)
            else { continue }
            candidates.append(Self.rated(circle, terminals))
        }
        candidates.sort { $0.score > $1.score }
        var best: CircleFit?
        for var candidate in candidates {
            let least = best?.score ?? -.infinity
            guard candidate.score > least else { break }
            let limit = Int(min((candidate.score - least) / Self.visibleCost, 1e6)) + 1
            candidate.score -= Self.visibleCost * Double(candidate.count(neighbourhood, limit: limit))
            if candidate.score > least { best = candidate }
        }
        guard let best else { return nil }
        self = best.refined(terminals, knowledge)
    }

    private init(centre: Vector, radius: Double, terminals: [Int] = [], score: Double = 0) {
        self.centre = centre
        self.radius = radius
        self.terminals = terminals
        self.score = score
    }

    /// The same circle in another plane.
    func moved(to centre: Vector) -> CircleFit {
        var circle = self
        circle.centre = centre
        return circle
    }

    private func count(_ neighbourhood: Neighbourhood, limit: Int) -> Int {
        // A square whose middle is nearer than its half diagonal to the circle may have its line outside.
        neighbourhood.visible.count(around: centre, within: radius - VisibleCells.cellMetres * 0.75, limit: limit)
    }

    /// The terminals on a circle: those exactly on it count most, and none counts for much more than another, because each
    /// is a single place where the border was crossed.
    private static func rated(_ circle: CircleFit, _ terminals: [Terminal]) -> CircleFit {
        var rated = circle
        for (index, terminal) in terminals.enumerated() {
            let outside = terminal.point.distance(to: circle.centre) - circle.radius
            guard outside >= -insideMetres, outside <= outsideMetres else { continue }
            // The line must come from outside.
            guard terminal.direction.dot(circle.centre - terminal.point) >= 0 else { continue }
            rated.terminals.append(index)
            let weight = 1 + min(Double(terminal.ends.count), 10) / 10
            rated.score += weight * (outside < 0 ? 1 + outside / insideMetres : 1 - outside / outsideMetres / 2)
        }
        return rated
    }

    /// Least squares over the terminals on the circle, again while they change (Gauss and Newton).
    private func refined(_ terminals: [Terminal], _ knowledge: AttackerKnowledge) -> CircleFit {
        var circle = self
        for _ in 0..<Self.rounds {
            let on = circle.terminals.map { terminals[$0] }
            guard on.count >= 3, let next = circle.step(on, fixedRadius: nil), knowledge.radii.contains(next.radius)
            else { break }
            circle = Self.rated(next, terminals)
        }
        let usual = (circle.radius / Self.usualRadiusStep).rounded() * Self.usualRadiusStep
        guard abs(usual - circle.radius) <= Self.usualRadiusTolerance else { return circle }
        for _ in 0..<Self.rounds {
            let on = circle.terminals.map { terminals[$0] }
            guard on.count >= 2, let next = circle.step(on, fixedRadius: usual) else { break }
            circle = Self.rated(next, terminals)
        }
        return circle.terminals.count >= 2 ? circle : self
    }

    /// One step of least squares; nil if the terminals do not determine it.
    private func step(_ terminals: [Terminal], fixedRadius: Double?) -> CircleFit? {
        // Normal equations of the change of the centre (x, y) and of the radius.
        var (xx, xy, yy, x, y, xr, yr, rr) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for terminal in terminals {
            guard let away = (terminal.point - centre).unit else { continue }
            let rest = terminal.point.distance(to: centre) - (fixedRadius ?? radius)
            // Far outside is a long step of a fast track.
            let weight = Double(min(terminal.ends.count, 5)) / (1 + (rest / 10) * (rest / 10))
            xx += weight * away.x * away.x
            xy += weight * away.x * away.y
            yy += weight * away.y * away.y
            x += weight * away.x * rest
            y += weight * away.y * rest
            xr += weight * away.x
            yr += weight * away.y
            rr += weight
        }
        guard rr > 0 else { return nil }
        if fixedRadius == nil {
            // The radius follows from the centre; without it, the equations are those of the deviations from the mean.
            let rests = terminals.map { $0.point.distance(to: centre) - radius }
            let weights = zip(terminals, rests).map { Double(min($0.ends.count, 5)) / (1 + ($1 / 10) * ($1 / 10)) }
            let mean = zip(weights, rests).reduce(0) { $0 + $1.0 * $1.1 } / rr
            x -= xr * mean
            y -= yr * mean
            xx -= xr * xr / rr
            xy -= xr * yr / rr
            yy -= yr * yr / rr
        }
        let determinant = xx * yy - xy * xy
        guard determinant > 1e-6 * (xx + yy) * (xx + yy) else { return nil }
        let change = Vector(yy * x - xy * y, xx * y - xy * x) / determinant
        guard change.length < radius else { return nil }
        let moved = centre + change
        let distances = terminals.map { $0.point.distance(to: moved) }.sorted()
        // The radius of the nearer half: the others end a step of their track before the border.
        return CircleFit(centre: moved, radius: fixedRadius ?? distances[distances.count / 2])
    }

    private static func circle(through first: Vector, _ second: Vector, _ third: Vector) -> CircleFit? {
        let (a, b) = (second - first, third - first)
        let double = 2 * a.cross(b)
        guard abs(double) > 1 else { return nil }
        let (squareA, squareB) = (a.dot(a), b.dot(b))
        let way = Vector(b.y * squareA - a.y * squareB, a.x * squareB - b.x * squareA) / double
        return CircleFit(centre: first + way, radius: way.length)
    }

    private static func triples(of count: Int, seed: UInt64) -> [(Int, Int, Int)] {
        var triples: [(Int, Int, Int)] = []
        if count * (count - 1) * (count - 2) / 6 <= tripleLimit {
            for first in 0..<count {
                for second in first + 1..<max(count, first + 1) {
                    for third in second + 1..<max(count, second + 1) { triples.append((first, second, third)) }
                }
            }
            return triples
        }
        var generator = SplitMix64(seed: seed)
        while triples.count < tripleLimit {
            let (first, second, third) = (
                Int.random(in: 0..<count, using: &generator), Int.random(in: 0..<count, using: &generator),
                Int.random(in: 0..<count, using: &generator)
            )
            if first != second, second != third, first != third { triples.append((first, second, third)) }
        }
        return triples
    }
}
