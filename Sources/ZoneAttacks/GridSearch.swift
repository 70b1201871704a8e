/// The search for the best place in a plane: on a coarse grid, then on finer ones around the best places of it.
struct GridSearch: Sendable {
    var middle: Vector = .zero
    /// Half the width of the square that is searched.
    var halfWidth: Double
    var coarseMetres = 50.0
    var fineMetres = 10.0
    var kept = 3

    /// The place with the least cost; the first of equal ones.
    func least(_ cost: (Vector) -> Double) -> Vector {
        var starts: [(point: Vector, cost: Double)] = []
        for point in points(around: middle, halfWidth: halfWidth, step: coarseMetres) {
            let value = cost(point)
            guard starts.count < kept || value < starts[kept - 1].cost else { continue }
            let index = starts.firstIndex { value < $0.cost } ?? starts.count
            starts.insert((point, value), at: index)
            if starts.count > kept { starts.removeLast() }
        }
        var best: (point: Vector, cost: Double)?
        for start in starts {
            for point in points(around: start.point, halfWidth: coarseMetres / 2, step: fineMetres) {
                let value = cost(point)
                if best.map({ value < $0.cost }) ?? true { best = (point, value) }
            }
        }
        return best?.point ?? middle
    }

    private func points(around middle: Vector, halfWidth: Double, step: Double) -> [Vector] {
        let count = Int((halfWidth / step).rounded(.up))
        return (-count...count).flatMap { row in
            (-count...count).map { middle + Vector(Double($0), Double(row)) * step }
        }
    }
}
