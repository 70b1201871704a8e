/// What an attacker knows of the software, but not of the place.
public struct AttackerKnowledge: Sendable, Equatable {
    /// The greatest distance of the place from the centre of its zone, as a share of the radius; uniform over this area.
    public var offsetShare: Double
    /// The radii that zones may have, in metres.
    public var radii: ClosedRange<Double>
    /// Ends within this distance of their middle belong to one place. More than twice the radius of a zone.
    public var reachMetres: Double
    /// Fewer ends are no place that somebody returns to.
    public var leastEnds = 6
    /// How many places are attacked, those with the most ends first.
    public var mostPlaces = 64
    /// The seed of what is drawn: the same tracks give the same estimates.
    public var seed: UInt64 = 1

    /// The diameter of the zones of most services is below this.
    public static let reachMetres = 1500.0

    /// Creates what an attacker knows.
    public init(
        offsetShare: Double, radii: ClosedRange<Double> = 100...2000, reachMetres: Double = Self.reachMetres
    ) {
        self.offsetShare = offsetShare
        self.radii = radii
        self.reachMetres = reachMetres
    }
}
