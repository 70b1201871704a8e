import Text
import Tracks

/// Names of fields, and the spelling of their values, in protocols where apps or users choose them.
enum FieldAliases {
    /// Our name for a field; an unknown name is returned unchanged.
    static func name(_ word: String) -> String { names[word.lowercased()] ?? word }

    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for (name, words) in [
            (FieldName.elevation, ["ele", "alt", "altitude", "elevation"]),
            (FieldName.speed, ["speed", "spd", "s", "velocity"]),
            (FieldName.course, ["course", "bearing", "bear", "dir", "direction"]),
            (FieldName.heading, ["heading"]),
            (FieldName.horizontalAccuracy, ["hacc", "acc", "accuracy", "horizontal_accuracy", "horizontalaccuracy"]),
            (
                FieldName.verticalAccuracy,
                ["vacc", "vertical_accuracy", "verticalaccuracy", "altitude_accuracy", "altitudeaccuracy"]
            ),
            (FieldName.battery, ["battery", "batt", "bat"]),
            (FieldName.satellites, ["sat", "sats", "satellites"]),
            (FieldName.heartRate, ["hr"]), (FieldName.cadence, ["cad"]), (FieldName.temperature, ["temp"]),
            (FieldName.pointName, ["name", "desc", "description", "annotation"]),
            (FieldName.hdop, ["hdop"]), (FieldName.vdop, ["vdop"]), (FieldName.pdop, ["pdop"]),
        ] {
            for word in words { names[word] = name }
        }
        return names
    }()

    static let longitude: Set<String> = ["lon", "lng", "long", "longitude"]
    static let latitude: Set<String> = ["lat", "latitude"]
    static let time: Set<String> = ["t", "time", "timestamp", "tst", "datetime"]
    static let device: Set<String> = ["id", "deviceid", "device_id", "device", "did"]

    private static let utc = InstantReader()

    /// Parses RFC 3339 or a number since 1970; nil for anything else.
    static func instant(_ text: String) -> Instant? {
        let bytes = Array(text.utf8)
        var reader = utc
        return reader.instant(bytes.span, bytes.indices)
    }

    static func instant(_ value: JSONValue?) -> Instant? {
        switch value {
        case .number(let number)?: InstantReader.instant(number)
        case .text(let text)?: instant(text)
        default: nil
        }
    }

    /// Parses a decimal number; nil for anything else.
    static func number(_ text: String) -> FixedDecimal? {
        FixedDecimal(text)
    }

    static func number(_ value: JSONValue?) -> FixedDecimal? {
        switch value {
        case .number(let number)?: number
        case .text(let text)?: number(text)
        default: nil
        }
    }

    /// A text as a field's value: a number only if it is in the canonical spelling of that number.
    static func value(_ text: String) -> DecodedPoint.Value {
        FixedDecimal(plain: text).map { .number($0) } ?? .text(text)
    }

    /// Adds a JSON member to a point's fields, under our name if there is one.
    static func add(_ name: String, _ value: JSONValue, to point: inout DecodedPoint) {
        switch value {
        case .object(let members):
            for member in members { add(name + "." + member.name, member.value, to: &point) }
        case .list(let elements):
            // A list of plain values becomes one text; any other list is kept as JSON.
            let plain = elements.compactMap(\.text)
            let isPlain = elements.allSatisfy { $0.text != nil || $0.isNone }
            let text = isPlain ? plain.joined(separator: ",") : value.jsonText(limit: RecordingLimits.textBytes + 1)
            if !text.isEmpty { point.fields.append((name, .text(text))) }
        case .number(let number): point.fields.append((name, .number(number)))
        case .bool(let isSet) where name == FieldName.waypoint:
            if isSet { point.fields.append((name, .number(FixedDecimal(mantissa: 1, places: 0)))) }
        case .bool(let isSet): point.fields.append((name, .text(isSet ? "true" : "false")))
        case .text(let text):
            if !text.isEmpty { point.fields.append((name, .text(text))) }
        case .none: break
        }
    }

    /// A battery level in per cent: up to 1 it is a fraction, above 1 it is already in per cent. So a battery of 1 per
    /// cent, in apps that send per cent where the protocol has fractions, is read as full.
    static func percent(level: FixedDecimal) -> FixedDecimal {
        guard level.double <= 1 else { return level }
        if level.places >= 2 { return FixedDecimal(mantissa: level.mantissa, places: level.places - 2) }
        return level.rescaled(to: 2).map { FixedDecimal(mantissa: $0, places: 0) } ?? level
    }

    /// Adds a battery level, in per cent.
    static func add(batteryLevel value: JSONValue, to point: inout DecodedPoint) {
        if let level = number(value) {
            point.fields.append((FieldName.battery, .number(percent(level: level))))
        } else {
            add(FieldName.battery, value, to: &point)
        }
    }

    /// Adds a speed in another unit; a value that is not a valid speed is kept unchanged under `name`.
    static func add(
        _ name: String, speed value: JSONValue, in unit: SpeedUnit, to point: inout DecodedPoint
    ) {
        if let speed = number(value).flatMap(unit.metresPerSecond) {
            point.fields.append((FieldName.speed, .number(speed)))
        } else {
            add(name, value, to: &point)
        }
    }

    /// The JSON texts in a body; throws if one cannot be parsed.
    static func json(_ body: [UInt8]) throws(RecordingError) -> [JSONValue] {
        var scanner = JSONReader(body)
        var values: [JSONValue] = []
        do {
            while try scanner.peekText() != nil { values.append(try scanner.value()) }
        } catch {
            throw RecordingError(.body, "the body is not valid JSON (line \(scanner.line))")
        }
        return values
    }

    /// The single JSON text in a body; throws otherwise. `wanted` is the sentence that describes a valid body.
    static func singleJSON(_ body: [UInt8], wanted: String) throws(RecordingError) -> JSONValue {
        let values = try json(body)
        guard let value = values.first else { throw RecordingError(.body, "the body is empty; \(wanted)") }
        guard values.count == 1 else {
            throw RecordingError(.shape, "the body contains \(values.count) JSON values; \(wanted)")
        }
        return value
    }
}

extension JSONValue {
    fileprivate var isNone: Bool {
        if case .none = self { return true }
        return false
    }
}
