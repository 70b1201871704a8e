/// Formats of services in JSON, which are recognised by the names of their members.
enum ServiceFormat {
    private static let formats: [(format: TrackFormat, recognises: @Sendable ([String]) -> Bool)] = [
        (.polar, PolarReader.recognises), (.suunto, SuuntoReader.recognises), (.arc, ArcReader.recognises),
        (.geopulse, GeoPulsePoints.recognises), (.homeassistant, HomeAssistantStates.recognises),
        (.traccar, TraccarPositions.recognises), (.samsung, SamsungLocations.recognises),
        (.polarsteps, PolarstepsReader.recognises),
    ]

    /// The format of a text with these first names of members; nil if it is unknown.
    static func recognising(_ names: [String]) -> TrackFormat? { formats.first { $0.recognises(names) }?.format }
}
