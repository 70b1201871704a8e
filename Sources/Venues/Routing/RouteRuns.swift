internal import GEOS

/// A path in parts that are walked in one manner: on a level, outdoors, on stairs.
struct RouteRun {
    enum Kind: Equatable {
        case walk(level: Int)
        case outdoors
        case change(VenueGraph.Link.Kind, from: Int, to: Int)
    }

    var kind: Kind
    var points: [PlanePoint]
    var seconds = 0.0

    var metres: Double { PlaneMath.length(points) }

    /// The runs of a path.
    static func runs(_ path: FoundPath) -> [RouteRun] {
        guard let first = path.steps.first else { return [] }
        var runs = [RouteRun(kind: kind(first.level), points: [first.point.plane])]
        for (previous, step) in zip(path.steps, path.steps.dropFirst()) {
            if case .link(let link) = step.way, let from = previous.level, let to = step.level, link.kind != .door {
                add(link, from, to, at: step.point.plane, &runs)
                continue
            }
            let metres = previous.point.metres(to: step.point)
            var seconds = metres / WalkingCosts.speed
            if case .link(let link) = step.way { seconds = Double(link.seconds) }
            // The way through an entrance is walked outdoors.
            let wanted = previous.level == nil ? .outdoors : kind(step.level)
            let isChange = if case .change = runs[runs.count - 1].kind { true } else { false }
            if isChange || runs[runs.count - 1].kind != wanted {
                runs.append(RouteRun(kind: wanted, points: [previous.point.plane]))
            }
            runs[runs.count - 1].points.append(step.point.plane)
            runs[runs.count - 1].seconds += seconds
        }
        return runs.filter { run in
            if case .change = run.kind { return true }
            return run.metres > 0.001
        }
    }

    private static func kind(_ level: Int?) -> Kind { level.map { .walk(level: $0) } ?? .outdoors }

    /// Stairs that go on are one part.
    private static func add(
        _ link: VenueGraph.Link, _ from: Int, _ to: Int, at point: PlanePoint, _ runs: inout [RouteRun]
    ) {
        let last = runs.count - 1
        if case .change(link.kind, let first, from) = runs[last].kind {
            runs[last].kind = .change(link.kind, from: first, to: to)
            runs[last].points = [point]
            runs[last].seconds += Double(link.seconds)
        } else {
            runs.append(
                RouteRun(kind: .change(link.kind, from: from, to: to), points: [point], seconds: Double(link.seconds)))
        }
    }
}
