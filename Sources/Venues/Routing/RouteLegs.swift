internal import GEOS
internal import TileMath

/// Makes the legs of a route, each with one instruction, from a path.
struct RouteLegs {
    private let venue: Venue
    private let start: RouteSite
    private let end: RouteSite

    /// Changes of direction from here on are told, in degrees.
    private static let leastTurn = 35.0
    /// Corners that are nearer to each other than this, in metres, are one turn.
    private static let sameTurn = 1.5
    /// Pieces shorter than this, in metres, have no instruction of their own.
    private static let leastLeg = 1.0

    static func route(
        _ path: FoundPath, _ venue: Venue, from start: RouteSite, to end: RouteSite, isApproximate: Bool
    ) -> Route {
        let legs = RouteLegs(venue: venue, start: start, end: end)
        let runs = RouteRun.runs(path)
        var result: [RouteLeg] = []
        for (index, run) in runs.enumerated() {
            result += legs.legs(run, isFirst: index == 0, isLast: index == runs.count - 1)
        }
        if result.isEmpty {
            result.append(
                RouteLeg(
                    place: LegPlace(level: end.level, endLevel: end.level, mode: end.level == nil ? .outdoors : .walk),
                    metres: 0, seconds: 0, line: [venue.frame.place(end.site?.point.plane ?? end.point)],
                    instruction: "You are there already.", access: nil))
        }
        return Route(legs: result, seconds: path.seconds, isApproximate: isApproximate, destination: end.place)
    }

    private func legs(_ run: RouteRun, isFirst: Bool, isLast: Bool) -> [RouteLeg] {
        switch run.kind {
        case .change(let kind, let from, let to): [changeLeg(run, kind, from, to)]
        case .walk(let level): walkLegs(run, level: level, isFirst: isFirst, isLast: isLast)
        case .outdoors: walkLegs(run, level: nil, isFirst: isFirst, isLast: isLast)
        }
    }

    private func label(_ level: Int) -> String { venue.levels[level].label }

    private func changeLeg(_ run: RouteRun, _ kind: VenueGraph.Link.Kind, _ from: Int, _ to: Int) -> RouteLeg {
        let direction = venue.levels[to].number > venue.levels[from].number ? "up" : "down"
        let (mode, what): (RouteLeg.Mode, String) =
            switch kind {
            case .stairs, .steps: (.stairs, "Take the stairs")
            case .lift: (.lift, "Take the lift")
            case .escalator: (.escalator, "Take the escalator")
            case .ramp, .door, .footway, .unmappedEntrance: (.walk, "Go along the ramp")
            }
        return RouteLeg(
            place: LegPlace(level: from, endLevel: to, mode: mode), metres: 0, seconds: run.seconds,
            line: run.points.map(venue.frame.place), instruction: "\(what) \(direction) to level \(label(to)).",
            access: access(run.points, level: to))
    }

    // MARK: Walking

    /// A piece of a walk, and how it begins.
    private struct Piece {
        var points: [PlanePoint]
        var turn: Double?
        var enters = false
        var metres: Double { PlaneMath.length(points) }
    }

    private func walkLegs(_ run: RouteRun, level: Int?, isFirst: Bool, isLast: Bool) -> [RouteLeg] {
        var pieces = Self.pieces(run.points)
        if isLast, let name = end.name, end.unit != nil, !name.isEmpty { splitAtDoor(&pieces) }
        let total = run.metres
        return pieces.enumerated().map { index, piece in
            let isEnd = isLast && index == pieces.count - 1
            let share = total > 0 ? piece.metres / total : 0
            let words = instruction(piece, isFirst: isFirst && index == 0, isEnd: isEnd, isOutdoors: level == nil)
            return RouteLeg(
                place: LegPlace(level: level, endLevel: level, mode: level == nil ? .outdoors : .walk),
                metres: piece.metres, seconds: run.seconds * share, line: piece.points.map(venue.frame.place),
                instruction: words, access: access(piece.points, level: level))
        }
    }

    private func instruction(_ piece: Piece, isFirst: Bool, isEnd: Bool, isOutdoors: Bool) -> String {
        if piece.enters { return "Enter \(end.name ?? "the room")." }
        let metres = Int(max(piece.metres.rounded(), 1))
        let target = isEnd && end.unit == nil ? end.name.map { " to \($0)" } ?? "" : ""
        let outside = isOutdoors ? " outdoors" : ""
        guard let turn = piece.turn else {
            if isFirst, let name = start.name, start.unit != nil, start.unit != end.unit {
                return "Leave \(name) and go straight \(metres) m\(outside)\(target)."
            }
            return "Go straight \(metres) m\(outside)\(target)."
        }
        let side = turn > 0 ? "left" : "right"
        let words =
            switch abs(turn) {
            case ..<60: "Bear \(side)"
            case ..<125: "Turn \(side)"
            case ..<160: "Turn sharp \(side)"
            default: "Turn round"
            }
        return "\(words) and go \(metres) m\(outside)\(target)."
    }

    /// Divides a line where its direction changes.
    private static func pieces(_ points: [PlanePoint]) -> [Piece] {
        guard points.count > 2 else { return [Piece(points: points)] }
        var pieces: [Piece] = []
        var current = Piece(points: [points[0]])
        var index = 1
        while index < points.count - 1 {
            // A turn goes on while the next corner is near: round the end of a wall there are several.
            var last = index
            while last + 1 < points.count - 1, points[last].distance(to: points[last + 1]) < sameTurn { last += 1 }
            let turn = total(points, index, last)
            current.points += points[index...last]
            if abs(turn) >= leastTurn, current.metres >= leastLeg || pieces.isEmpty == false {
                pieces.append(current)
                current = Piece(points: [points[last]], turn: turn)
            }
            index = last + 1
        }
        current.points.append(points[points.count - 1])
        pieces.append(current)
        return joined(pieces)
    }

    private static func total(_ points: [PlanePoint], _ first: Int, _ last: Int) -> Double {
        (first...last).reduce(0) { $0 + PlaneMath.turn(points[$1 - 1], points[$1], points[$1 + 1]) }
    }

    /// Short pieces join the one before them.
    private static func joined(_ pieces: [Piece]) -> [Piece] {
        var result: [Piece] = []
        for piece in pieces {
            if piece.metres < leastLeg, let last = result.indices.last {
                result[last].points += piece.points.dropFirst()
            } else {
                result.append(piece)
            }
        }
        return result
    }

    /// Divides the last piece where it enters the room at the end.
    private func splitAtDoor(_ pieces: inout [Piece]) {
        guard let unit = end.unit, start.unit != unit, !venue.units[unit].category.isOpen, let last = pieces.last else {
            return
        }
        let polygons = venue.units[unit].shape.polygons.map { $0.map { $0.map(venue.frame.local) } }
        let points = pieces.flatMap { $0.points }
        guard points.count >= 2, let final = last.points.last,
            polygons.contains(where: { PlaneMath.contains($0, final) })
        else { return }
        var enter: (piece: Int, index: Int, point: PlanePoint)?
        for (number, piece) in pieces.enumerated() {
            for index in piece.points.indices.dropFirst() {
                let (p, q) = (piece.points[index - 1], piece.points[index])
                if let part = Self.lastCrossing(p, q, polygons) {
                    enter = (number, index, PlanePoint(x: p.x + (q.x - p.x) * part, y: p.y + (q.y - p.y) * part))
                }
            }
        }
        guard let enter else { return }
        let before = Array(pieces[enter.piece].points[..<enter.index]) + [enter.point]
        let after =
            [enter.point] + pieces[enter.piece].points[enter.index...]
            + pieces[(enter.piece + 1)...].flatMap { $0.points.dropFirst() }
        let head = Piece(points: before, turn: pieces[enter.piece].turn)
        pieces = Array(pieces[..<enter.piece])
        if head.metres > 0.05 { pieces.append(head) }
        pieces.append(Piece(points: after, turn: nil, enters: true))
    }

    /// Where a segment crosses the outline of a polygon last, as a part of it.
    private static func lastCrossing(_ p: PlanePoint, _ q: PlanePoint, _ polygons: [[[PlanePoint]]]) -> Double? {
        var last: Double?
        for ring in polygons.flatMap(\.self) {
            guard var previous = ring.last else { continue }
            for corner in ring {
                if let part = crossing(p, q, previous, corner) { last = max(last ?? part, part) }
                previous = corner
            }
        }
        return last
    }

    /// Where a segment crosses or touches another, as a part of the first; nil if it does not.
    private static func crossing(_ p: PlanePoint, _ q: PlanePoint, _ a: PlanePoint, _ b: PlanePoint) -> Double? {
        let (ux, uy) = (q.x - p.x, q.y - p.y)
        let (vx, vy) = (b.x - a.x, b.y - a.y)
        let (wx, wy) = (a.x - p.x, a.y - p.y)
        let cross = ux * vy - uy * vx
        guard cross != 0 else { return nil }
        let (first, second) = ((wx * vy - wy * vx) / cross, (wx * uy - wy * ux) / cross)
        return (0...1).contains(first) && (0...1).contains(second) ? first : nil
    }

    /// What limits access: what a door on the way asks for, or where a line ends or begins, as only a stop may be in a
    /// restricted unit.
    private func access(_ points: [PlanePoint], level: Int?) -> String? {
        guard let level else { return nil }
        if case .restricted(let word) = venue.levels[level].access { return word }
        for opening in venue.openings where opening.level == level && !opening.accessControl.isEmpty {
            let door = opening.line.map(venue.frame.local)
            let isPassed = zip(points, points.dropFirst()).contains { p, q in
                zip(door, door.dropFirst()).contains { Self.crossing(p, q, $0, $1) != nil }
            }
            if isPassed { return opening.accessControl.joined(separator: ", ") }
        }
        for index in start.units.union(end.units).sorted() where venue.units[index].level == level {
            guard case .restricted(let word) = venue.units[index].access else { continue }
            let polygons = venue.units[index].shape.polygons.map { $0.map { $0.map(venue.frame.local) } }
            let middles = zip(points, points.dropFirst()).map { PlanePoint(x: ($0.x + $1.x) / 2, y: ($0.y + $1.y) / 2) }
            if (middles.isEmpty ? points : middles).contains(where: { point in
                polygons.contains { PlaneMath.contains($0, point) }
            }) {
                return word
            }
        }
        return nil
    }
}
