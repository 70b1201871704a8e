import Text
import Tracks

/// The recording of an activity of Suunto, from samples in the order of their times.
///
/// Coordinates are in radians, heart rates and cadences in hertz, temperatures in kelvin. Positions and sensors have
/// samples of their own: values go to the next position.
struct SuuntoSamples {
    /// The members of a sample that are read.
    static let members = Set(sensors.map(\.member) + [latitude, "Longitude"])

    /// The member that shows that a sample has a position.
    static let latitude = "Latitude"

    /// The device that wrote the file.
    var creator: String?
    /// The activity, if it is known before the first position.
    var activity: String?

    private let reading: FileReading
    private var table: InterleavedTracks
    /// Values of the samples since the last position.
    private var pending: [(name: String, value: JSONValue)] = []

    init(_ reading: FileReading) {
        self.reading = reading
        table = InterleavedTracks(reading)
    }

    /// Adds a sample with these numbers; its time counts if it has a position.
    mutating func add(
        _ numbers: (String) -> FixedDecimal?, _ time: Instant?, line: @autoclosure () -> Int
    ) throws {
        for (member, field, conversion) in Self.sensors {
            guard let number = numbers(member), let value = conversion.converted(number) else { continue }
            // The barometer's altitude is more exact than that of the GPS receiver, which comes after it here.
            if member == "GPSAltitude", pending.contains(where: { $0.name == field }) { continue }
            pending.removeAll { $0.name == field }
            pending.append((field, .number(value)))
        }
        guard let east = numbers("Longitude"), let north = numbers(Self.latitude) else { return }
        guard let longitude = FieldUnit.radian.converted(east), let latitude = FieldUnit.radian.converted(north) else {
            return reading.refuse(.noPlace, line: line())
        }
        guard let place = reading.place(longitude, latitude, line: line()) else { return }
        try table.add(place, time, pending, to: TrackKey(activity: activity))
        pending = []
    }

    /// Ends the recording.
    mutating func end() throws {
        for number in table.tracks.indices {
            if let creator { table.tracks[number].attributes = ["creator": creator] }
        }
        try table.end()
    }

    private enum Conversion {
        case perSecond
        case unit(FieldUnit)

        func converted(_ number: FixedDecimal) -> FixedDecimal? {
            switch self {
            // Devices count whole beats and steps; in hertz they are rounded.
            case .perSecond:
                let (product, overflow) = number.mantissa.multipliedReportingOverflow(by: 60)
                guard !overflow else { return nil }
                return FixedDecimal(mantissa: product, places: number.places).rescaled(to: 0)
                    .map { FixedDecimal(mantissa: $0, places: 0) }
            case .unit(let unit): return unit.converted(number)
            }
        }
    }

    private static let sensors: [(member: String, field: String, conversion: Conversion)] = [
        ("HR", FieldName.heartRate, .perSecond), ("Cadence", FieldName.cadence, .perSecond),
        ("Speed", FieldName.speed, .unit(.metrePerSecond)), ("Distance", FieldName.distance, .unit(.metre)),
        ("Power", FieldName.power, .unit(.plain)), ("BikePower", FieldName.power, .unit(.plain)),
        ("Temperature", FieldName.temperature, .unit(.kelvin)),
        ("Altitude", FieldName.elevation, .unit(.metre)), ("GPSAltitude", FieldName.elevation, .unit(.metre)),
        ("EHPE", FieldName.horizontalAccuracy, .unit(.metre)), ("EVPE", FieldName.verticalAccuracy, .unit(.metre)),
        ("NumberOfSatellites", FieldName.satellites, .unit(.plain)),
    ]
}
