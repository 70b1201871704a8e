import TileMath

/// How far an attack is from the place that it should not find.
public struct AttackError: Sendable, Equatable {
    public var attack: ZoneAttack
    /// Metres between the nearest estimate and the place; nil if the attack found nothing within the reach.
    public var metres: Double?

    /// A place counts as found within this distance: some ten houses, of which one has the bicycle.
    public static let foundMetres = 100.0

    /// Whether the attack found the place.
    public var isFound: Bool { metres.map { $0 <= Self.foundMetres } ?? false }

    /// The errors of all attacks at a place, in the order of `ZoneAttack.allCases`.
    ///
    /// An attacker who finds several places tries them all, so the nearest counts.
    public static func errors(
        of estimates: [Estimate], at place: PublishedPlace, within reachMetres: Double = AttackerKnowledge.reachMetres
    ) -> [AttackError] {
        let plane = TangentPlane(at: place)
        var nearest: [ZoneAttack: Double] = [:]
        for estimate in estimates {
            let found = PublishedPlace(longitude: estimate.longitude, latitude: estimate.latitude)
            let metres = plane.vector(to: found).length
            guard metres <= reachMetres else { continue }
            nearest[estimate.attack] = min(nearest[estimate.attack] ?? .infinity, metres)
        }
        return ZoneAttack.allCases.map { AttackError(attack: $0, metres: nearest[$0]) }
    }
}
