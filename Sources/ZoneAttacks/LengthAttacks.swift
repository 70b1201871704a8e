/// Attacks by the length of the hidden way.
struct LengthAttacks: Sendable {
    let neighbourhood: Neighbourhood
    let tracks: [PublishedTrack]
    let reach: Double

    /// A sum that is wrong by more than this says nothing of the place, such as that of a way round a closed street.
    private static let outlierMetres = 150.0
    /// Less than this is the difference of two ways to compute the same length.
    private static let leastHiddenMetres = 30.0
    private static let leastHiddenShare = 0.02

    // MARK: Residual distance

    /// The published length minus the visible one is the way from the ends to the place.
    func residualDistance() -> Vector? {
        let hidden = hiddenWays()
        guard hidden.count >= 3 else { return nil }
        let streets = neighbourhood.streets
        return search.least { place in
            var cost = 0.0
            for way in hidden {
                var (straight, along) = (0.0, 0.0)
                for end in way.ends {
                    straight += end.distance(to: place)
                    along += streets.metres(end, place)
                }
                // No way is shorter than the straight line; most are about as long as along the streets.
                let wrong = max(straight - way.metres, 0) * 2 + abs(along - way.metres)
                cost += min(wrong, Self.outlierMetres)
            }
            return cost
        }
    }

    private struct HiddenWay {
        var ends: [Vector]
        var metres: Double
    }

    /// The hidden ways of tracks that are hidden at their beginning or end only.
    private func hiddenWays() -> [HiddenWay] {
        var endsOfTrack: [Int: [LocalEnd]] = [:]
        for end in neighbourhood.ends { endsOfTrack[end.end.track, default: []].append(end) }
        return endsOfTrack.sorted { $0.key < $1.key }.compactMap { number, ends in
            guard let metres = tracks[number].metres, ends.allSatisfy({ $0.end.role != .gap }) else { return nil }
            let visible = VisibleLength.metres(of: tracks[number])
            let hidden = metres - visible
            guard hidden > max(Self.leastHiddenMetres, Self.leastHiddenShare * visible) else { return nil }
            return HiddenWay(ends: ends.map(\.point), metres: hidden)
        }
    }

    // MARK: Equal trim

    /// The place that is equally far from most ends, whatever the length is. It works against tracks that are trimmed by random
    /// lengths, too, but less often.
    func equalTrim() -> Vector? {
        let terminals = neighbourhood.terminals
        guard terminals.count >= 2 else { return nil }
        let streets = neighbourhood.streets
        let ends = terminals.map { terminal in
            // The mean, because a trim ends each track at another point of the street.
            let sum = terminal.ends.reduce(Vector.zero) { $0 + neighbourhood.ends[$1].point }
            let weight = Double(terminal.ends.count).squareRoot()
            return (point: sum / Double(terminal.ends.count), direction: terminal.direction, weight: weight)
        }
        var sums = Self.trims.map { _ in 0.0 }
        return search.least { place in
            for index in sums.indices { sums[index] = 0 }
            for end in ends {
                let way = place - end.point
                // Nobody turns round when a track begins to be hidden; most turns are before, at a larger street.
                var weight = way.dot(end.direction) < 0 ? end.weight / 4 : end.weight
                let beside = way.cross(end.direction) / Self.trimNoiseMetres
                weight *= 1 + Self.straightWeight / (1 + beside * beside)
                let along = streets.metres(end.point, place)
                for (index, trim) in Self.trims.enumerated() {
                    let wrong = (along - trim) / Self.trimNoiseMetres
                    sums[index] += weight / (1 + wrong * wrong)
                }
            }
            return -(sums.max() ?? 0)
        }
    }

    /// The lengths that services offer, in metres.
    private static let trims = stride(from: 100.0, through: 800, by: 50).map { $0 }
    /// Of the way along streets that are not known.
    private static let trimNoiseMetres = 50.0
    /// What a place straight ahead counts more.
    private static let straightWeight = 1.0

    private var search: GridSearch { GridSearch(halfWidth: reach) }
}
