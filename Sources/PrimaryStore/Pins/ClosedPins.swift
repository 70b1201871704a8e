internal import Pins
internal import Tracks

/// Pins of a file that wait to be stored.
struct ClosedPins: Sendable {
    var pins: [PinContent]
    var origin: ImportOrigin
    var collector = OutcomeCollector()

    /// Approximate bytes of a pin in memory, for the limit of what waits to be stored.
    private static let pinBytes = 512

    var byteCount: Int { pins.count * Self.pinBytes }
}
