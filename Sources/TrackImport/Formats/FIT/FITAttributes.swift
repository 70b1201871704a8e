import Text
import Tracks

/// Metadata of a FIT file's recordings, from messages other than `record`.
struct FITAttributes {
    private var attributes: [String: String] = [:]
    private var sport: String?
    private var name: String?
    private var isCourse = false

    /// File type of a course in the `file_id` message.
    private static let courseType: Int64 = 6

    /// Ends the session; the next one has its own sport.
    mutating func endSession() {
        sport = nil
    }

    func describe(_ header: inout RecordingHeader) {
        header.name = name
        header.activity = isCourse ? "course" : sport
        header.attributes = attributes
    }

    mutating func add(_ message: FITMessage, _ bytes: Span<UInt8>, _ start: Int, _ definition: FITDefinition) {
        func number(_ field: UInt8) -> Int64? {
            guard let field = definition.field(field), field.isSingle else { return nil }
            return field.integer(bytes, start, definition.isBigEndian)
        }
        func text(_ field: UInt8) -> String? { definition.field(field)?.text(bytes, start) }
        switch message {
        case .fileIdentity:
            isCourse = number(0) == Self.courseType
            addAttribute("manufacturer", number(1))
            addAttribute("product", number(2))
            addAttribute("serial_number", number(3))
            if let product = text(8) { attributes["product_name"] = product }
        case .deviceDescription:
            // Index 0 is the device that made the recording.
            guard number(0) == 0 else { return }
            if let product = text(27) { attributes["product_name"] = product }
            if let version = number(5) {
                attributes["software_version"] = FixedDecimal(mantissa: version, places: 2).description
            }
        case .sport:
            sport = number(0).map { FITSport.name($0) } ?? sport
            if let stated = text(3) { attributes["sport_name"] = stated }
        case .session:
            sport = number(5).map { FITSport.name($0) } ?? sport
            addAttribute("sub_sport", number(6))
        case .course:
            name = text(5) ?? name
        case .record, .event, .coursePoint, .fieldDescription: break
        }
    }

    private mutating func addAttribute(_ name: String, _ value: Int64?) {
        if let value { attributes[name] = "\(value)" }
    }
}
