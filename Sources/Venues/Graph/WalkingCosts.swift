/// How long ways take, and how they are measured.
enum WalkingCosts {
    /// Metres a second.
    static let speed = 1.3
    /// Seconds a level on stairs.
    static let stairs = 15.0
    /// Seconds for a ride in a lift: the wait, and each level.
    static let liftWait = 45.0
    static let liftLevel = 5.0
    /// Seconds a level on an escalator: 0.5 m/s on a slope of 30° for 4 m.
    static let escalator = 16.0
    /// Seconds a level on a ramp: 4 m with a slope of 6 % at 1.3 m/s.
    static let ramp = 51.0
    /// Outdoors, steps are slower than the way that they have on the map.
    static let outdoorSteps = 2.0

    /// The seconds of a way between levels.
    static func seconds(_ kind: ConnectorKind, levels: Double) -> Double {
        switch kind {
        case .stairs: stairs * levels
        case .lift: liftWait + liftLevel * levels
        case .escalator: escalator * levels
        case .ramp: ramp * levels
        }
    }
}
