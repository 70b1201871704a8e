import Foundation

/// Attacks by the directions and places of the ends.
struct StreetAttacks: Sendable {
    let neighbourhood: Neighbourhood
    let reach: Double

    private static let noiseMetres = 12.0
    /// Of the direction of a terminal, in radians.
    private static let noiseAngle = 0.04
    private static let rounds = 6

    // MARK: Directions

    /// The place to which most of the last metres point, by a vote of all terminals; then the least squares of their lines.
    func streetDirection() -> Vector? {
        let terminals = neighbourhood.terminals.filter { $0.direction != .zero }
        guard terminals.count >= 2 else { return nil }
        let voted = GridSearch(halfWidth: reach, coarseMetres: 40).least { place in
            -terminals.reduce(0) { $0 + Self.vote(of: $1, for: place) }
        }
        return Self.crossing(of: terminals, near: voted)
    }

    /// How well the line of a terminal leads to a place, times the use of the terminal.
    private static func vote(of terminal: Terminal, for place: Vector) -> Double {
        let way = place - terminal.point
        let ahead = way.dot(terminal.direction)
        guard ahead > 0 else { return 0 }
        let noise = noiseMetres + noiseAngle * ahead
        let beside = way.cross(terminal.direction) / noise
        return Double(terminal.ends.count).squareRoot() * exp(-beside * beside / 2) * noiseMetres / noise
    }

    /// The least squares of the lines that pass near a place; lines far from it count little.
    private static func crossing(of terminals: [Terminal], near place: Vector) -> Vector {
        var place = place
        for _ in 0..<rounds {
            var (xx, xy, yy) = (0.0, 0.0, 0.0)
            var sum = Vector.zero
            for terminal in terminals {
                let beside = (place - terminal.point).cross(terminal.direction) / (2 * noiseMetres)
                let weight = Double(terminal.ends.count).squareRoot() / pow(1 + beside * beside, 2)
                // The part of a vector across the line.
                let across = Vector(-terminal.direction.y, terminal.direction.x)
                xx += weight * across.x * across.x
                xy += weight * across.x * across.y
                yy += weight * across.y * across.y
                sum += across * (weight * across.dot(terminal.point))
            }
            let determinant = xx * yy - xy * xy
            guard determinant > 1e-3 * (xx + yy) * (xx + yy) else { break }
            let next = Vector(yy * sum.x - xy * sum.y, xx * sum.y - xy * sum.x) / determinant
            // Least squares may not leave the place that was voted for.
            guard next.distance(to: place) <= 4 * noiseMetres else { break }
            place = next
        }
        return place
    }

    // MARK: Places

    /// The geometric median, to which the far ends at other places do not matter much (Weiszfeld's iteration).
    func heatTermini() -> Vector? {
        guard var place = meanOfEnds() else { return nil }
        for _ in 0..<Self.medianRounds {
            var (sum, weights) = (Vector.zero, 0.0)
            for terminal in neighbourhood.terminals {
                let weight = Double(terminal.days) / max(terminal.point.distance(to: place), 1)
                sum += terminal.point * weight
                weights += weight
            }
            place = sum / weights
        }
        return place
    }

    private static let medianRounds = 30

    func meanOfEnds() -> Vector? {
        guard !neighbourhood.ends.isEmpty else { return nil }
        return neighbourhood.ends.reduce(Vector.zero) { $0 + $1.point } / Double(neighbourhood.ends.count)
    }

    // MARK: Single days

    /// The densest place of what single days tell: where the line of the first departure crosses that of the last arrival, or
    /// the middle between them.
    func oneDay() -> Vector? {
        var daysEnds: [Int32: [LocalEnd]] = [:]
        for end in neighbourhood.ends {
            guard let day = end.day else { continue }
            daysEnds[day, default: []].append(end)
        }
        let places = daysEnds.sorted { $0.key < $1.key }.compactMap { Self.place(ofDay: $0.value) }
        guard !places.isEmpty else { return nil }
        let counts = places.map { place in places.reduce(0) { $0 + Self.nearness($1, place) } }
        let best = counts.indices.max { counts[$0] < counts[$1] } ?? 0
        let near = places.filter { $0.distance(to: places[best]) <= 4 * Self.noiseMetres }
        return near.reduce(Vector.zero, +) / Double(near.count)
    }

    private static func nearness(_ place: Vector, _ other: Vector) -> Double {
        let metres = place.distance(to: other) / (3 * noiseMetres)
        return exp(-metres * metres / 2)
    }

    /// The ends are in the order of the tracks of a day.
    private static func place(ofDay ends: [LocalEnd]) -> Vector? {
        guard let departure = ends.first(where: { $0.end.role == .departure }),
            let arrival = ends.last(where: { $0.end.role == .arrival })
        else { return nil }
        let middle = (departure.point + arrival.point) / 2
        let turn = departure.direction.cross(arrival.direction)
        // Lines that are nearly parallel cross anywhere.
        guard abs(turn) > 0.5 else { return middle }
        let between = arrival.point - departure.point
        let ahead = between.cross(arrival.direction) / turn
        let back = between.cross(departure.direction) / turn
        guard ahead > 0, back > 0 else { return middle }
        return departure.point + departure.direction * ahead
    }
}
