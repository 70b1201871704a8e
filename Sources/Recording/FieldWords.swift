import TrackImport
import Tracks

/// What fields and values are called where apps, or their users, may choose.
enum FieldWords {
    /// Our names by others'; what is not among them keeps its own.
    static func name(_ word: String) -> String { names[word.lowercased()] ?? word }

    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for (name, words) in [
            (FieldName.elevation, ["ele", "alt", "altitude", "elevation"]),
            (FieldName.speed, ["speed", "spd", "s", "velocity"]),
            (FieldName.course, ["course", "bearing", "dir", "direction"]),
            (FieldName.heading, ["heading"]),
            (FieldName.horizontalAccuracy, ["hacc", "acc", "accuracy", "horizontal_accuracy", "horizontalaccuracy"]),
            (FieldName.verticalAccuracy, ["vacc", "vertical_accuracy", "verticalaccuracy"]),
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
    static let time: Set<String> = ["t", "time", "timestamp", "tst"]
    static let device: Set<String> = ["id", "deviceid", "device_id", "device", "did"]

    private static let utc = InstantReader()

    /// The instant that a text means: RFC 3339, or a number since 1970; nil for none.
    static func instant(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        var reader = utc
        return reader.instant(bytes.span, bytes.indices)
    }

    static func instant(_ value: JSONValue?) -> Int64? {
        switch value {
        case .number(let number)?: InstantReader.instant(number)
        case .text(let text)?: instant(text)
        default: nil
        }
    }

    /// The number that a text spells.
    static func number(_ text: String) -> FixedDecimal? {
        let bytes = Array(text.utf8)
        return FixedDecimal(bytes.span, bytes.indices)
    }

    static func number(_ value: JSONValue?) -> FixedDecimal? {
        switch value {
        case .number(let number)?: number
        case .text(let text)?: number(text)
        default: nil
        }
    }

    /// A text as a field: a number where it is spelled in the plainest way.
    static func value(_ text: String) -> HeardPoint.Value {
        let bytes = Array(text.utf8)
        return FixedDecimal(plain: bytes.span, bytes.indices).map { .number($0) } ?? .text(text)
    }

    /// Adds a member of JSON to a point's fields, under our name if it has one.
    static func add(_ name: String, _ value: JSONValue, to point: inout HeardPoint) {
        for leaf in value.leaves(name) {
            switch leaf.value {
            case .number(let number): point.fields.append((leaf.name, .number(number)))
            case .bool(let isSet) where leaf.name == FieldName.mark:
                if isSet { point.fields.append((leaf.name, .number(FixedDecimal(mantissa: 1, places: 0)))) }
            default:
                if let text = leaf.value.text, !text.isEmpty { point.fields.append((leaf.name, .text(text))) }
            }
        }
    }

    /// Knots are nautical miles of 1,852 m an hour; three more places tell all numbers apart.
    static func metresASecond(knots: FixedDecimal) -> FixedDecimal? {
        guard knots.places <= 15, knots.mantissa.magnitude < 1_000_000_000_000 else { return nil }
        return FixedDecimal(
            mantissa: FixedDecimal.divided(knots.mantissa * 1_852_000, by: 3600), places: knots.places + 3)
    }

    /// A share of 1 in per cent.
    static func percent(share: FixedDecimal) -> FixedDecimal? {
        if share.places >= 2 { return FixedDecimal(mantissa: share.mantissa, places: share.places - 2) }
        return share.rescaled(to: 2).map { FixedDecimal(mantissa: $0, places: 0) }
    }

    /// The texts of JSON in a body; throws where it is none.
    static func json(_ body: [UInt8]) throws(RecordingFault) -> [JSONValue] {
        var scanner = JSONScanner(body)
        var values: [JSONValue] = []
        do {
            while try scanner.peekText() != nil { values.append(try scanner.value()) }
        } catch {
            throw RecordingFault("the body is no JSON that can be read (line \(scanner.line))")
        }
        return values
    }
}
