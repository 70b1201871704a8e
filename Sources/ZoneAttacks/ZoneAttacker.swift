/// Runs the attacks on what is published.
public struct ZoneAttacker: Sendable {
    private let tracks: [PublishedTrack]
    private let knowledge: AttackerKnowledge
    private let neighbourhoods: [Neighbourhood]

    /// Finds the places at which many of the tracks end.
    public init(_ tracks: [PublishedTrack], knowing knowledge: AttackerKnowledge) {
        self.tracks = tracks
        self.knowledge = knowledge
        let ends = TrackEnd.all(of: tracks)
        let clusters = EndClusters.clusters(
            of: ends, reach: knowledge.reachMetres, least: knowledge.leastEnds, most: knowledge.mostPlaces)
        neighbourhoods = clusters.map {
            Neighbourhood($0, of: ends, in: tracks, reach: knowledge.reachMetres)
        }
    }

    /// What all attacks on one edition find: for each place, the largest first, at most one estimate of each attack.
    public func estimates() -> [Estimate] {
        neighbourhoods.flatMap { neighbourhood in
            let circle = CircleFit(neighbourhood, knowledge)
            let exits = circle.map { posterior($0, neighbourhood) }
            return ZoneAttack.allCases.compactMap { attack in
                place(by: attack, neighbourhood, circle, exits).map { place in
                    let place = neighbourhood.plane.place(at: place)
                    return Estimate(longitude: place.longitude, latitude: place.latitude, attack: attack)
                }
            }
        }
    }

    private func place(
        by attack: ZoneAttack, _ neighbourhood: Neighbourhood, _ circle: CircleFit?, _ exits: OffsetPosterior?
    ) -> Vector? {
        let streets = StreetAttacks(neighbourhood: neighbourhood, reach: knowledge.reachMetres)
        let lengths = LengthAttacks(neighbourhood: neighbourhood, tracks: tracks, reach: knowledge.reachMetres)
        switch attack {
        case .circleFit: return circle?.centre
        case .residualDistance: return lengths.residualDistance()
        case .equalTrim: return lengths.equalTrim()
        case .streetDirection: return streets.streetDirection()
        case .heatTermini: return streets.heatTermini()
        case .meanOfEnds: return streets.meanOfEnds()
        case .oneDay: return streets.oneDay()
        case .exitChoice: return exits?.best()
        case .combined:
            return circle.flatMap { circle in
                var posterior = exits
                posterior?.add(directionsOf: circle.terminals.map { neighbourhood.terminals[$0] })
                return posterior?.best()
            }
        case .comparison: return nil
        }
    }

    private func posterior(_ circle: CircleFit, _ neighbourhood: Neighbourhood) -> OffsetPosterior {
        var posterior = OffsetPosterior(circle, offsetShare: knowledge.offsetShare)
        let ways = ExitWays(circle, neighbourhood, tracks)
        posterior.add(ways.ways, exits: ways.exits, streets: neighbourhood.streets)
        return posterior
    }

    // MARK: Several editions

    /// What the comparison of editions of the same tracks finds, which each have their zones.
    public static func comparison(
        of editions: [[PublishedTrack]], knowing knowledge: AttackerKnowledge
    ) -> [Estimate] {
        let attackers = editions.map { ZoneAttacker($0, knowing: knowledge) }
        guard let first = attackers.first, attackers.count > 1 else { return [] }
        let others = attackers.dropFirst().map { $0.circles() }
        return first.circles().map { circle, plane in
            var posterior = OffsetPosterior(circle, offsetShare: knowledge.offsetShare)
            for circles in others {
                let near = circles.map { other, otherPlane in
                    let centre = plane.vector(to: otherPlane.place(at: other.centre))
                    return other.moved(to: centre)
                }.min { $0.centre.distance(to: circle.centre) < $1.centre.distance(to: circle.centre) }
                // Zones that cannot have a place in common are those of two places.
                guard let near,
                    near.centre.distance(to: circle.centre)
                        <= (near.radius + circle.radius) * knowledge.offsetShare * Self.tolerance
                else { continue }
                posterior.restrict(to: near, offsetShare: knowledge.offsetShare)
            }
            let place = plane.place(at: posterior.best())
            return Estimate(longitude: place.longitude, latitude: place.latitude, attack: .comparison)
        }
    }

    /// For errors of the fits.
    private static let tolerance = 1.1

    private func circles() -> [(circle: CircleFit, plane: TangentPlane)] {
        neighbourhoods.compactMap { neighbourhood in
            CircleFit(neighbourhood, knowledge).map { ($0, neighbourhood.plane) }
        }
    }
}
