/// Where an attack believes a hidden place to be.
public struct Estimate: Sendable, Hashable {
    /// The place in 1e-7°.
    public var longitude: Int32
    public var latitude: Int32
    public var attack: ZoneAttack

    /// Creates an estimate.
    public init(longitude: Int32, latitude: Int32, attack: ZoneAttack) {
        self.longitude = longitude
        self.latitude = latitude
        self.attack = attack
    }
}
